import ProviderModel

/// The table people see: columns fitted to the terminal at the start, filled as items come.
struct TablePrinter: ItemPrinter {
    private let output: TextOutput
    private let terminal: Terminal
    private let layout: TableLayout
    private var providers: [ProviderID]
    private let isMerged: Bool
    private var count = 0

    /// The cells of “ · ”.
    private static let dotWidth = 3

    /// A table for items of these providers, at most `limit` of them.
    init(to output: TextOutput, on terminal: Terminal, providers: [ProviderID], limit: Int?) {
        self.output = output
        self.terminal = terminal
        self.providers = providers
        isMerged = providers.count > 1
        let width = terminal.isTerminal ? terminal.width : nil
        layout = TableLayout(width: width, providerNames: providers.map(\.description), limit: limit)
    }

    mutating func print(_ item: Item) throws {
        if count == 0, terminal.isTerminal, layout.arrangement != .stacked { try output.writeLine(header) }
        count += 1
        var row = TableRow()
        for column in layout.columns {
            row.add(cell(column.content, of: item), width: column.width, alignment: column.content.alignment)
        }
        if layout.arrangement == .single { row.add(pageCell(of: item, width: layout.pageWidth), width: nil) }
        try output.writeLine(row.line(on: terminal))
        switch layout.arrangement {
        case .stacked:
            try writeIndented(details(of: item))
            // Without links the page has to be seen to be opened.
            if !terminal.hasLinks, let page = item.page { try writeIndented([TableCell("\(page)", .dim)]) }
        case .paired: try writeIndented(pageLine(of: item))
        case .single: break
        }
    }

    func finish() throws { try output.flush() }

    private var header: String {
        var row = TableRow()
        for column in layout.columns {
            row.add(TableCell(column.content.heading, .dim), width: column.width, alignment: column.content.alignment)
        }
        if layout.arrangement == .single { row.add(TableCell("Page", .dim), width: nil) }
        return row.line(on: terminal)
    }

    /// Cells with dots between them, below the title.
    private func writeIndented(_ cells: [TableCell]) throws {
        let shown = cells.filter { !$0.text.isEmpty }.map { $0.rendered(on: terminal) }
        guard !shown.isEmpty else { return }
        let indent = String(repeating: " ", count: layout.indent)
        try output.writeLine(indent + shown.joined(separator: terminal.paint(" · ", .dim)))
    }

    // MARK: - Cells

    private mutating func cell(_ content: TableLayout.Content, of item: Item) -> TableCell {
        switch content {
        case .number: TableCell(String(count), .dim)
        case .provider: providerCell(of: item)
        case .title: titleCell(of: item)
        case .author: TableCell(item.author?.name ?? "")
        case .size: TableCell(size(of: item), .dim)
        case .license: TableCell(item.license?.shortName ?? "", .dim)
        }
    }

    private mutating func providerCell(of item: Item) -> TableCell {
        if !providers.contains(item.provider) { providers.append(item.provider) }
        let index = providers.firstIndex(of: item.provider) ?? 0
        return TableCell(item.provider.description, .accent(index))
    }

    private func titleCell(of item: Item) -> TableCell {
        // A title that cleaning leaves nothing of is none.
        let title = TableCell(item.title ?? "", .bold, link: item.page)
        if !title.text.isEmpty { return title }
        let description = TerminalText.paragraphs(item.description ?? "").first ?? ""
        let fallback = TableCell(description.isEmpty ? item.tags.joined(separator: ", ") : description, link: item.page)
        return fallback.text.isEmpty ? TableCell("untitled", .dim, link: item.page) : fallback
    }

    private func size(of item: Item) -> String {
        item.type == .collection ? "collection" : item.bestMedia?.dimensions ?? ""
    }

    /// The page, or the name commands take where there is none.
    private func pageCell(of item: Item, width: Int?) -> TableCell {
        let full = pageText(of: item)
        // A link still leads there when its text is cut; a plain address is of use only as a whole.
        guard let width, terminal.hasLinks else { return TableCell(full, .dim, link: item.page) }
        let shown = full.displayWidth > width ? full.withoutScheme : full
        return TableCell(shown.cut(to: width), .dim, link: item.page)
    }

    /// What stands below the columns: the author where no column has it, and the page.
    private mutating func pageLine(of item: Item) -> [TableCell] {
        var cells = isMerged && !layout.has(.provider) ? [sourceCell(of: item)] : []
        let namesItem = item.page != nil || cells.isEmpty
        let page = namesItem ? pageText(of: item) : ""
        let author = TerminalText.line(item.author?.name ?? "")
        var room = terminal.width - layout.indent - cells.reduce(0) { $0 + $1.text.displayWidth + Self.dotWidth }
        if !layout.has(.author), !author.isEmpty {
            // The author gets what the page leaves, but not less than a name takes.
            let name = author.cut(to: min(24, max(12, room - page.displayWidth - Self.dotWidth)))
            cells.append(TableCell(name))
            room -= name.displayWidth + Self.dotWidth
        }
        return namesItem ? cells + [pageCell(of: item, width: room)] : cells
    }

    /// Everything but the title, cut to one line.
    private mutating func details(of item: Item) -> [TableCell] {
        var cells = isMerged ? [sourceCell(of: item)] : []
        cells.append(TableCell(TerminalText.line(item.author?.name ?? "").cut(to: 20)))
        cells.append(TableCell(size(of: item), .dim))
        cells.append(TableCell(item.license?.shortName ?? "", .dim))
        if item.page == nil, !isMerged { cells.append(TableCell(item.reference, .dim)) }
        var room = terminal.width - layout.indent
        return cells.compactMap { cell in
            guard !cell.text.isEmpty, room > Self.dotWidth else { return nil }
            let fitting = TableCell(cell.text.cut(to: room), cell.style, link: cell.link)
            room -= fitting.text.displayWidth + Self.dotWidth
            return fitting
        }
    }

    /// The provider before an item's page; where there is no page, the name commands take.
    private mutating func sourceCell(of item: Item) -> TableCell {
        let provider = providerCell(of: item)
        return item.page == nil ? TableCell(item.reference, provider.style) : provider
    }

    private func pageText(of item: Item) -> String { item.page?.description ?? item.reference }
}

extension TableLayout.Content {
    fileprivate var heading: String {
        switch self {
        case .number: "#"
        case .provider: "Provider"
        case .title: "Title"
        case .author: "Author"
        case .size: "Size"
        case .license: "Licence"
        }
    }

    fileprivate var alignment: TableCell.Alignment { self == .number || self == .size ? .right : .left }
}

extension String {
    /// An address as people say it: `flickr.com/photos/1/` for `https://www.flickr.com/photos/1/`.
    fileprivate var withoutScheme: String {
        var rest = self[...]
        for prefix in ["https://", "http://", "www."] where rest.hasPrefix(prefix) {
            rest = rest.dropFirst(prefix.count)
        }
        return String(rest)
    }
}
