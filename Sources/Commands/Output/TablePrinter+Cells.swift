import ProviderModel

extension TablePrinter {
    /// What one column shows of an item.
    mutating func cell(_ content: TableLayout.Content, of item: Item) -> TableCell {
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
        TableCell(item.provider.description, .accent(accent(of: item.provider)))
    }

    private mutating func accent(of provider: ProviderID) -> Int {
        if let index = providers.firstIndex(of: provider) { return index }
        providers.append(provider)
        return providers.count - 1
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
    func pageCell(of item: Item, width: Int?) -> TableCell {
        let full = pageText(of: item)
        // A link still leads there when its text is cut; a plain address is of use only as a whole.
        guard let width, terminal.style.hasLinks else { return TableCell(full, .dim, link: item.page) }
        let shown = full.displayWidth > width ? full.withoutScheme : full
        return TableCell(shown.cut(to: width), .dim, link: item.page)
    }

    /// What stands below the columns: who made it where there is no column for that, and the page.
    mutating func pageLine(of item: Item) -> [TableCell] {
        var cells = isMerged && !layout.hasProviderColumn ? [sourceCell(of: item)] : []
        let namesItem = item.page != nil || cells.isEmpty
        let page = namesItem ? pageText(of: item) : ""
        let author = TerminalText.line(item.author?.name ?? "")
        var room = terminal.width - layout.indent - cells.reduce(0) { $0 + $1.text.displayWidth + Self.dotWidth }
        if !layout.has(.author), !author.isEmpty {
            // The page has the right of way: the author gets what it leaves, but not less than a name takes.
            let name = author.cut(to: min(24, max(12, room - page.displayWidth - Self.dotWidth)))
            cells.append(TableCell(name))
            room -= name.displayWidth + Self.dotWidth
        }
        return namesItem ? cells + [pageCell(of: item, width: room)] : cells
    }

    /// Everything but the title, cut to one line.
    mutating func details(of item: Item) -> [TableCell] {
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

    /// The cells of “ · ”.
    private static var dotWidth: Int { 3 }
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
