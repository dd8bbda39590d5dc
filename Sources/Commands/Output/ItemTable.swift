import ProviderModel

/// The list of items as a table: columns fitted to the terminal at the start, filled as items come; what has no
/// column stands below them.
struct ItemTable: ItemPrinter {
    /// What a column shows.
    enum Content: Hashable, Sendable {
        case number
        case provider
        case title
        case author
        case size
        case license
        case page
    }

    /// The columns, decided before the first item has come.
    let columns: [(content: Content, place: Table.Place)]
    private let output: TextOutput
    private let terminal: Terminal
    private var providers: [ProviderID]
    private let isMerged: Bool
    private var count = 0

    /// A table for items of these providers, at most `limit` of them.
    init(to output: TextOutput, on terminal: Terminal, providers: [ProviderID], limit: Int?) {
        self.output = output
        self.terminal = terminal
        self.providers = providers
        isMerged = providers.count > 1
        columns = Self.columns(on: terminal, providerNames: providers.map(\.description), limit: limit)
    }

    mutating func print(_ item: Item) throws {
        let places = columns.map(\.place)
        if count == 0, terminal.isTerminal, has(.size) {
            let headings = columns.map { TableCell($0.content.heading, .dim) }
            try output.writeLine(Table.line(of: headings, in: places, on: terminal))
        }
        count += 1
        var cells: [TableCell] = []
        for (content, place) in columns { cells.append(cell(content, of: item, width: place.width)) }
        try output.writeLine(Table.line(of: cells, in: places, on: terminal))
        let indent = String(repeating: " ", count: indent)
        let below = cellsBelow(item).lines(
            separatedBy: Self.separator, width: terminal.room - indent.count, on: terminal)
        for line in below { try output.writeLine(indent + line) }
    }

    func finish() throws { try output.flush() }

    // MARK: - Columns

    /// Up to 69 columns of the terminal the title is alone, and everything else below it; from 170 on all are on one line.
    private static func columns(
        on terminal: Terminal, providerNames: [String], limit: Int?
    ) -> [(content: Content, place: Table.Place)] {
        let most = (limit ?? 100) * max(providerNames.count, 1)
        let longestName = max(providerNames.map(\.count).max() ?? 0, 8)
        func provider(_ maximum: Int) -> [(Content, Int)] {
            providerNames.count > 1 ? [(.provider, min(longestName, maximum))] : []
        }
        let details: [(Content, Int)] = [(.size, 11), (.license, 15)]
        let leading: [(Content, Int)]
        let trailing: [(Content, Int)]
        let titleMaximum: Int
        switch terminal.room {
        case ..<70: (leading, trailing, titleMaximum) = ([], [], 70)
        case ..<100: (leading, trailing, titleMaximum) = ([], details, 64)
        case ..<170: (leading, trailing, titleMaximum) = (provider(18), [(.author, 20)] + details, 72)
        // Nothing can be scrolled to the right in a pipe, but nothing has to fit a window either.
        case _ where !terminal.isTerminal:
            (leading, trailing, titleMaximum) = (provider(64), [(.author, 24)] + details, 60)
        default: (leading, trailing, titleMaximum) = (provider(20), [(.author, 20)] + details, 48)
        }
        let number = (Content.number, max(2, String(most).count))
        let others = ([number] + leading + trailing).reduce(0) { $0 + $1.1 + Table.gap }
        let title = (Content.title, min(titleMaximum, terminal.room - others))
        // Without links an address is of use only as a whole.
        let rest = terminal.hasLinks ? terminal.room - others - title.1 - Table.gap : Int.max
        let page = terminal.room < 170 ? [] : [(Content.page, rest)]
        return ([number] + leading + [title] + trailing + page).map { content, width in
            let isNumeric = content == .number || content == .size
            return (content, Table.Place(width: width, alignment: isNumeric ? .right : .left))
        }
    }

    private func has(_ content: Content) -> Bool { columns.contains { $0.content == content } }

    /// The cells before what stands below: those of the number.
    private var indent: Int { columns[0].place.width + Table.gap }

    // MARK: - Cells

    private static let separator = " · "

    private mutating func cell(_ content: Content, of item: Item, width: Int) -> TableCell {
        switch content {
        case .number: TableCell(String(count), .dim)
        case .provider: providerCell(of: item)
        case .title: TableCell(titleOf: item)
        case .author: TableCell(item.author?.name ?? "")
        case .size: TableCell(size(of: item), .dim)
        case .license: TableCell(item.license?.shortName ?? "", .dim)
        case .page: pageCell(of: item, width: width)
        }
    }

    /// What no column shows; where links can be followed, a narrow terminal does without the page: the title leads there.
    private mutating func cellsBelow(_ item: Item) -> [TableCell] {
        var cells: [TableCell] = []
        let namesProvider = isMerged && !has(.provider)
        if namesProvider {
            let provider = providerCell(of: item)
            // Where there is no page, the name that commands take.
            cells.append(item.page == nil ? TableCell(item.reference, provider.style) : provider)
        }
        if !has(.author) { cells.append(TableCell(item.author?.name ?? "").cut(to: 20)) }
        if !has(.size) {
            cells.append(TableCell(size(of: item), .dim))
            cells.append(TableCell(item.license?.shortName ?? "", .dim))
        }
        let leadsThere = item.page == nil ? namesProvider : terminal.hasLinks && !has(.size)
        if !has(.page), !leadsThere {
            let used = cells.filter { !$0.text.isEmpty }.reduce(indent) {
                $0 + $1.text.displayWidth + Self.separator.count
            }
            cells.append(pageCell(of: item, width: max(terminal.width - used, 20)))
        }
        return cells
    }

    private mutating func providerCell(of item: Item) -> TableCell {
        if !providers.contains(item.provider) { providers.append(item.provider) }
        let index = providers.firstIndex(of: item.provider) ?? 0
        return TableCell(item.provider.description, .accent(index))
    }

    private func size(of item: Item) -> String {
        if item.type == .collection { return "collection" }
        let files = item.files.count
        if files > 1 { return "\(files) files" }
        return item.bestMedia?.dimensions ?? (item.type == .image ? "" : item.type.rawValue)
    }

    /// The page, or the name commands take where there is none.
    private func pageCell(of item: Item, width: Int) -> TableCell {
        let text = item.page?.description ?? item.reference
        // A link still leads there when its text is cut; a plain address is of use only as a whole.
        guard terminal.hasLinks, text.displayWidth > width else { return TableCell(text, .dim, link: item.page) }
        return TableCell(text.withoutScheme.cut(to: width), .dim, link: item.page)
    }
}

extension TableCell {
    /// An item's title, else what may stand for it, which leads to its page.
    init(titleOf item: Item) {
        // A title that cleaning leaves nothing of is none.
        let title = TableCell(item.title ?? "", .bold, link: item.page)
        let description = TerminalText.paragraphs(item.description ?? "").first ?? ""
        let fallback = TableCell(description.isEmpty ? item.tags.joined(separator: ", ") : description, link: item.page)
        self =
            !title.text.isEmpty
            ? title : fallback.text.isEmpty ? TableCell("untitled", .dim, link: item.page) : fallback
    }
}

extension ItemTable.Content {
    fileprivate var heading: String {
        switch self {
        case .number: "#"
        case .provider: "Provider"
        case .title: "Title"
        case .author: "Author"
        case .size: "Size"
        case .license: "Licence"
        case .page: "Page"
        }
    }
}

extension String {
    /// A URL in short form: `flickr.com/photos/1/` for `https://www.flickr.com/photos/1/`.
    fileprivate var withoutScheme: String {
        var rest = self[...]
        for prefix in ["https://", "http://", "www."] where rest.hasPrefix(prefix) {
            rest = rest.dropFirst(prefix.count)
        }
        return String(rest)
    }
}
