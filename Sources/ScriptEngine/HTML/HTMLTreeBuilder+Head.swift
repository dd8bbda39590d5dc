import CLibXML2

/// The rules for start and end tags, and those of them that hold outside of the body.
extension HTMLTreeBuilder {
    /// Takes a start tag by the rules of a mode.
    mutating func start(_ token: HTMLStartTag, by mode: Mode) {
        switch mode {
        case .initial, .beforeHTML, .beforeHead, .afterHead: startBeforeBody(token, by: mode)
        case .inHead: startInHead(token)
        case .inHeadNoscript: startInHeadNoscript(token)
        case .inTable, .inTableText: startInTable(token)
        case .inCaption: startInCaption(token)
        case .inColumnGroup: startInColumnGroup(token)
        case .inTableBody: startInTableBody(token)
        case .inRow: startInRow(token)
        case .inCell: startInCell(token)
        case .inTemplate: startInTemplate(token)
        case .afterBody, .afterAfterBody:
            if token.tag.known != .html { self.mode = .inBody }
            startInBody(token)
        case .inFrameset, .afterFrameset, .afterAfterFrameset: startInFrameset(token, by: mode)
        case .inBody, .text: startInBody(token)
        }
    }

    /// Takes an end tag by the rules of a mode.
    mutating func end(_ tag: HTMLTag, by mode: Mode) {
        switch mode {
        case .initial, .beforeHTML, .beforeHead, .inHead, .inHeadNoscript, .afterHead: endBeforeBody(tag, by: mode)
        case .text:
            pop()
            self.mode = originalMode
        case .inTable, .inTableText: endInTable(tag)
        case .inCaption: endInCaption(tag)
        case .inColumnGroup: endInColumnGroup(tag)
        case .inTableBody: endInTableBody(tag)
        case .inRow: endInRow(tag)
        case .inCell: endInCell(tag)
        case .inTemplate: if tag.known == .template { endTemplate() }
        case .afterBody where tag.known == .html: self.mode = .afterAfterBody
        case .afterBody, .afterAfterBody:
            self.mode = .inBody
            endInBody(tag)
        case .inFrameset:
            guard tag.known == .frameset, stack.count > 1 else { return }
            pop()
            if current?.known != .frameset { self.mode = .afterFrameset }
        case .afterFrameset: if tag.known == .html { self.mode = .afterAfterFrameset }
        case .afterAfterFrameset: break
        case .inBody: endInBody(tag)
        }
    }

    // MARK: Before the body

    private mutating func startBeforeBody(_ token: HTMLStartTag, by mode: Mode) {
        let known = token.tag.known
        switch (mode, known) {
        case (.beforeHTML, .html):
            insert(token)
            self.mode = .beforeHead
        case (.beforeHead, .html), (.afterHead, .html): startInBody(token)
        case (.beforeHead, .head):
            head = insert(token)
            self.mode = .inHead
        case (.afterHead, .body):
            insert(token)
            acceptsFrameset = false
            self.mode = .inBody
        case (.afterHead, .frameset):
            insert(token)
            self.mode = .inFrameset
        case (.afterHead, .head): break
        case (.afterHead, _) where known.belongsToHead:
            guard let head else { return }
            push(head)
            startInHead(token)
            removeFromStack(head.node)
        default:
            leaveModeBeforeBody()
            start(token, by: self.mode)
        }
    }

    private mutating func endBeforeBody(_ tag: HTMLTag, by mode: Mode) {
        switch (mode, tag.known) {
        case (.inHead, .head), (.inHeadNoscript, .noscript): leaveModeBeforeBody()
        case (.inHead, .template), (.afterHead, .template): endTemplate()
        case (.initial, _), (.beforeHTML, .head), (.beforeHead, .head), (_, .br),
            (.beforeHTML, .body), (.beforeHTML, .html), (.beforeHead, .body), (.beforeHead, .html),
            (.inHead, .body), (.inHead, .html), (.afterHead, .body), (.afterHead, .html):
            leaveModeBeforeBody()
            end(tag, by: self.mode)
        default: break
        }
    }

    /// Takes a start tag by the rules of the head, which hold for some tags elsewhere, too.
    mutating func startInHead(_ token: HTMLStartTag) {
        switch token.tag.known {
        case .html: startInBody(token)
        case .base, .basefont, .bgsound, .link, .meta: insertVoid(token)
        case .title: insertText(of: token, as: .escapableText)
        case .noframes, .style: insertText(of: token, as: .rawText)
        case .script: insertText(of: token, as: .script)
        case .noscript:
            insert(token)
            mode = .inHeadNoscript
        case .template:
            insert(token)
            formatting.append(.marker)
            acceptsFrameset = false
            mode = .inTemplate
            templateModes.append(.inTemplate)
        case .head: break
        default:
            leaveModeBeforeBody()
            start(token, by: mode)
        }
    }

    private mutating func startInHeadNoscript(_ token: HTMLStartTag) {
        switch token.tag.known {
        case .html: startInBody(token)
        case .basefont, .bgsound, .link, .meta, .noframes, .style: startInHead(token)
        case .head, .noscript: break
        default:
            leaveModeBeforeBody()
            start(token, by: mode)
        }
    }

    /// Inserts an element that holds text alone.
    mutating func insertText(of token: HTMLStartTag, as kind: HTMLTextContent) {
        insert(token)
        content = kind
        originalMode = mode
        mode = .text
    }

    // MARK: Templates

    var hasTemplate: Bool { !templateModes.isEmpty }

    mutating func endTemplate() {
        guard stack.contains(where: { $0.known == .template }) else { return }
        while let known = current?.known, known.hasImpliedEndTagInTemplate { pop() }
        pop(through: .template)
        clearFormattingToMarker()
        _ = templateModes.popLast()
        resetMode()
    }

    private mutating func startInTemplate(_ token: HTMLStartTag) {
        let known = token.tag.known
        let next: Mode
        switch known {
        case _ where known.belongsToHead: return startInHead(token)
        case .caption, .colgroup, .tbody, .tfoot, .thead: next = .inTable
        case .col: next = .inColumnGroup
        case .tr: next = .inTableBody
        case .td, .th: next = .inRow
        default: next = .inBody
        }
        _ = templateModes.popLast()
        templateModes.append(next)
        mode = next
        start(token, by: next)
    }

    // MARK: Framesets

    private mutating func startInFrameset(_ token: HTMLStartTag, by mode: Mode) {
        switch (mode, token.tag.known) {
        case (_, .html): startInBody(token)
        case (.inFrameset, .frameset): insert(token)
        case (.inFrameset, .frame): insertVoid(token)
        case (_, .noframes): startInHead(token)
        default: break
        }
    }
}

extension KnownTag {
    /// Whether the element stands in the head, wherever its tag is.
    var belongsToHead: Bool {
        switch self {
        case .base, .basefont, .bgsound, .link, .meta, .noframes, .script, .style, .template, .title: true
        default: false
        }
    }
}
