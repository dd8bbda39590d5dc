import ProviderModel

/// The table people see: columns fitted to the terminal at the start, filled as items come.
struct TablePrinter: ItemPrinter {
    private let sink: any TextSink
    let terminal: Terminal
    let layout: TableLayout
    var providers: [ProviderID]
    let isMerged: Bool
    var count = 0

    /// A table for items of these providers, at most `limit` of them.
    init(to sink: any TextSink, on terminal: Terminal, providers: [ProviderID], limit: Int?) {
        self.sink = sink
        self.terminal = terminal
        self.providers = providers
        isMerged = providers.count > 1
        let width = terminal.isTerminal ? terminal.width : nil
        layout = TableLayout(width: width, providerNames: providers.map(\.description), limit: limit)
    }

    mutating func print(_ item: Item) throws {
        if count == 0, terminal.isTerminal, layout.arrangement != .stacked { try writeHeader() }
        count += 1
        switch layout.arrangement {
        case .stacked:
            try writeColumns(of: item)
            try writeIndented(details(of: item))
            // Without links the page has to be seen to be opened.
            if !terminal.style.hasLinks, let page = item.page { try writeIndented([TableCell("\(page)", .dim)]) }
        case .paired:
            try writeColumns(of: item)
            try writeIndented(pageLine(of: item))
        case .single:
            try writeColumns(of: item, ending: pageCell(of: item, width: layout.pageWidth))
        }
    }

    func finish() throws { try sink.flush() }

    private func writeHeader() throws {
        var row = TableRow()
        for column in layout.columns {
            row.add(TableCell(column.content.heading, .dim), width: column.width, alignment: column.content.alignment)
        }
        if layout.arrangement == .single { row.add(TableCell("Page", .dim), width: nil) }
        try sink.writeLine(row.line(on: terminal))
    }

    private mutating func writeColumns(of item: Item, ending last: TableCell = .empty) throws {
        var row = TableRow()
        for column in layout.columns {
            row.add(cell(column.content, of: item), width: column.width, alignment: column.content.alignment)
        }
        row.add(last, width: nil)
        try sink.writeLine(row.line(on: terminal))
    }

    /// Cells with dots between them, below the title.
    private func writeIndented(_ cells: [TableCell]) throws {
        let shown = cells.filter { !$0.text.isEmpty }.map { $0.rendered(on: terminal) }
        guard !shown.isEmpty else { return }
        let indent = String(repeating: " ", count: layout.indent)
        try sink.writeLine(indent + shown.joined(separator: terminal.style.paint(" · ", .dim)))
    }
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
