import CLibXML2

/// The rules of tables.
extension HTMLTreeBuilder {
    private static let tableContext: Set<KnownTag> = [.table]
    private static let tableBodyContext: Set<KnownTag> = [.tbody, .tfoot, .thead]
    private static let rowContext: Set<KnownTag> = [.tr]

    mutating func startInTable(_ token: HTMLStartTag) {
        switch token.tag.known {
        case .caption:
            clearStack(to: Self.tableContext)
            formatting.append(.marker)
            insert(token)
            mode = .inCaption
        case .colgroup:
            clearStack(to: Self.tableContext)
            insert(token)
            mode = .inColumnGroup
        case .col:
            clearStack(to: Self.tableContext)
            insertImplied(.colgroup)
            mode = .inColumnGroup
            startInColumnGroup(token)
        case .tbody, .tfoot, .thead:
            clearStack(to: Self.tableContext)
            insert(token)
            mode = .inTableBody
        case .td, .th, .tr:
            clearStack(to: Self.tableContext)
            insertImplied(.tbody)
            mode = .inTableBody
            startInTableBody(token)
        case .table:
            guard endTable() else { return }
            start(token, by: mode)
        case .style, .script, .template: startInHead(token)
        case .input where token.isHiddenInput: insertVoid(token)
        case .form:
            guard !hasTemplate, form == nil else { return }
            form = insert(token).node
            pop()
        default: fostering { $0.startInBody(token) }
        }
    }

    mutating func endInTable(_ tag: HTMLTag) {
        switch tag.known {
        case .table: _ = endTable()
        case .body, .caption, .col, .colgroup, .html, .tbody, .td, .tfoot, .th, .thead, .tr: break
        case .template: endTemplate()
        default: fostering { $0.endInBody(tag) }
        }
    }

    /// Ends the table; false where none is open here.
    private mutating func endTable() -> Bool {
        guard hasInScope(.table, .table) else { return false }
        pop(through: .table)
        resetMode()
        return true
    }

    // MARK: Captions and columns

    mutating func startInCaption(_ token: HTMLStartTag) {
        switch token.tag.known {
        case .caption, .col, .colgroup, .tbody, .td, .tfoot, .th, .thead, .tr:
            guard endCaption() else { return }
            start(token, by: mode)
        default: startInBody(token)
        }
    }

    mutating func endInCaption(_ tag: HTMLTag) {
        switch tag.known {
        case .caption: _ = endCaption()
        case .table:
            guard endCaption() else { return }
            end(tag, by: mode)
        case .body, .col, .colgroup, .html, .tbody, .td, .tfoot, .th, .thead, .tr: break
        default: endInBody(tag)
        }
    }

    private mutating func endCaption() -> Bool {
        guard hasInScope(.caption, .table) else { return false }
        generateImpliedEndTags()
        pop(through: .caption)
        clearFormattingToMarker()
        mode = .inTable
        return true
    }

    mutating func startInColumnGroup(_ token: HTMLStartTag) {
        switch token.tag.known {
        case .html: startInBody(token)
        case .col: insertVoid(token)
        case .template: startInHead(token)
        default:
            guard current?.known == .colgroup else { return }
            pop()
            mode = .inTable
            start(token, by: mode)
        }
    }

    mutating func endInColumnGroup(_ tag: HTMLTag) {
        switch tag.known {
        case .col: break
        case .template: endTemplate()
        default:
            guard current?.known == .colgroup else { return }
            pop()
            mode = .inTable
            if tag.known != .colgroup { end(tag, by: mode) }
        }
    }

    // MARK: Bodies and rows

    mutating func startInTableBody(_ token: HTMLStartTag) {
        switch token.tag.known {
        case .tr:
            clearStack(to: Self.tableBodyContext)
            insert(token)
            mode = .inRow
        case .th, .td:
            clearStack(to: Self.tableBodyContext)
            insertImplied(.tr)
            mode = .inRow
            startInRow(token)
        case .caption, .col, .colgroup, .tbody, .tfoot, .thead:
            guard endTableBody() else { return }
            start(token, by: mode)
        default: startInTable(token)
        }
    }

    mutating func endInTableBody(_ tag: HTMLTag) {
        switch tag.known {
        case .tbody, .tfoot, .thead:
            guard hasInScope(tag.known, .table) else { return }
            _ = endTableBody()
        case .table:
            guard endTableBody() else { return }
            end(tag, by: mode)
        case .body, .caption, .col, .colgroup, .html, .td, .th, .tr: break
        default: endInTable(tag)
        }
    }

    private mutating func endTableBody() -> Bool {
        guard hasInScope(.table, where: { Self.tableBodyContext.contains($0) }) else { return false }
        clearStack(to: Self.tableBodyContext)
        pop()
        mode = .inTable
        return true
    }

    mutating func startInRow(_ token: HTMLStartTag) {
        switch token.tag.known {
        case .th, .td:
            clearStack(to: Self.rowContext)
            insert(token)
            mode = .inCell
            formatting.append(.marker)
        case .caption, .col, .colgroup, .tbody, .tfoot, .thead, .tr:
            guard endRow() else { return }
            start(token, by: mode)
        default: startInTable(token)
        }
    }

    mutating func endInRow(_ tag: HTMLTag) {
        switch tag.known {
        case .tr: _ = endRow()
        case .table:
            guard endRow() else { return }
            end(tag, by: mode)
        case .tbody, .tfoot, .thead:
            guard hasInScope(tag.known, .table), endRow() else { return }
            end(tag, by: mode)
        case .body, .caption, .col, .colgroup, .html, .td, .th: break
        default: endInTable(tag)
        }
    }

    private mutating func endRow() -> Bool {
        guard hasInScope(.tr, .table) else { return false }
        clearStack(to: Self.rowContext)
        pop()
        mode = .inTableBody
        return true
    }

    // MARK: Cells

    mutating func startInCell(_ token: HTMLStartTag) {
        switch token.tag.known {
        case .caption, .col, .colgroup, .tbody, .td, .tfoot, .th, .thead, .tr:
            guard hasInScope(.table, where: { $0 == .td || $0 == .th }) else { return }
            closeCell()
            start(token, by: mode)
        default: startInBody(token)
        }
    }

    mutating func endInCell(_ tag: HTMLTag) {
        switch tag.known {
        case .td, .th:
            guard hasInScope(tag.known, .table) else { return }
            generateImpliedEndTags()
            pop(through: tag.known)
            clearFormattingToMarker()
            mode = .inRow
        case .body, .caption, .col, .colgroup, .html: break
        case .table, .tbody, .tfoot, .thead, .tr:
            guard hasInScope(tag.known, .table) else { return }
            closeCell()
            end(tag, by: mode)
        default: endInBody(tag)
        }
    }

    private mutating func closeCell() {
        generateImpliedEndTags()
        pop { $0 == .td || $0 == .th }
        clearFormattingToMarker()
        mode = .inRow
    }
}
