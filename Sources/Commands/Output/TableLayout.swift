import ProviderModel

/// How a table of items is laid out, decided once, before the first item has come.
struct TableLayout: Hashable, Sendable {
    /// How an item's fields are spread over lines.
    enum Arrangement: Hashable, Sendable {
        /// The title alone, everything else below it: up to 69 columns.
        case stacked
        /// Columns, and the page below them: up to 169 columns.
        case paired
        /// All on one line.
        case single
    }

    /// What a column shows.
    enum Content: Hashable, Sendable {
        case number
        case provider
        case title
        case author
        case size
        case license
    }

    /// One column of fixed width.
    struct Column: Hashable, Sendable {
        let content: Content
        let width: Int
    }

    /// How an item's fields are spread over lines.
    let arrangement: Arrangement
    /// The columns of the first line, without the page that ends a single line.
    let columns: [Column]
    /// The cells of a line; nil where lines may be of any length.
    let width: Int?

    /// The layout for a terminal of `width` cells, or for a pipe with nil.
    init(width: Int?, providerNames: [String], limit: Int?) {
        self.width = width
        let most = (limit ?? 100) * max(providerNames.count, 1)
        let number = Column(content: .number, width: max(2, String(most).count))
        let longestName = providerNames.map(\.count).max() ?? 0
        let provider = { (maximum: Int) in
            providerNames.count > 1 ? [Column(content: .provider, width: min(max(longestName, 8), maximum))] : []
        }
        let details = [Column(content: .size, width: 11), Column(content: .license, width: 15)]
        let leading: [Column]
        let trailing: [Column]
        let titleMaximum: Int
        switch width {
        case .some(..<70):
            (arrangement, leading, trailing, titleMaximum) = (.stacked, [number], [], 70)
        case .some(..<100):
            (arrangement, leading, trailing, titleMaximum) = (.paired, [number], details, 64)
        case .some(..<170):
            (arrangement, leading, titleMaximum) = (.paired, [number] + provider(18), 72)
            trailing = [Column(content: .author, width: 20)] + details
        case .some:
            (arrangement, leading, titleMaximum) = (.single, [number] + provider(20), 48)
            trailing = [Column(content: .author, width: 20)] + details
        case nil:
            // Nothing can be scrolled to the right in a pipe, but nothing has to fit a window either.
            (arrangement, leading, titleMaximum) = (.single, [number] + provider(64), 60)
            trailing = [Column(content: .author, width: 24)] + details
        }
        let others = (leading + trailing).reduce(0) { $0 + $1.width + TableRow.gap }
        let title = Column(content: .title, width: min(titleMaximum, (width ?? .max) - others))
        columns = leading + [title] + trailing
    }

    /// Whether a column shows this.
    func has(_ content: Content) -> Bool { columns.contains { $0.content == content } }

    /// The cells before what stands below or after the number.
    var indent: Int { columns[0].width + TableRow.gap }

    /// The cells left for the page on a single line; nil where it may be of any length.
    var pageWidth: Int? {
        width.map { $0 - columns.reduce(0) { $0 + $1.width + TableRow.gap } }
    }
}
