import ProviderModel

/// Rows of cells in aligned columns, fitted to the terminal: every printed list is one.
struct Table {
    /// What happens to a column where the rows are longer than the terminal's lines.
    enum Overflow: Hashable, Sendable {
        /// Nothing: its cells are always whole.
        case whole
        /// It is cut to no fewer cells than this, and left out where even that is too much.
        case cut(to: Int)
        /// Its text goes on in the lines below; for a last column only.
        case wrapped
        /// It stands on lines of its own below each row.
        case below
    }

    /// One column.
    struct Column: Hashable, Sendable {
        /// What stands above it.
        let title: String
        let overflow: Overflow
        let alignment: TableCell.Alignment

        init(_ title: String, _ overflow: Overflow = .whole, alignment: TableCell.Alignment = .left) {
            self.title = title
            self.overflow = overflow
            self.alignment = alignment
        }
    }

    /// The part of a line that a column takes.
    struct Place: Hashable, Sendable {
        var width: Int
        var alignment = TableCell.Alignment.left
    }

    /// The cells between two columns.
    static let gap = 2
    /// A wrapped text keeps as many cells, however narrow the terminal is.
    private static let wrappedMinimum = 20

    private let columns: [Column]
    private var rows: [[[TableCell]]] = []

    /// A table without rows.
    init(columns: [Column]) { self.columns = columns }

    /// Labels with what belongs to them: one thing in all its aspects.
    init() { self.init(columns: [Column(""), Column("", .wrapped)]) }

    /// Adds a row with a cell for each column.
    mutating func add(_ cells: [TableCell]) {
        precondition(cells.count == columns.count, "a row needs a cell for each column")
        rows.append(cells.map { [$0] })
    }

    /// Adds a label with its values; without a value it is left out.
    mutating func add(_ label: String, _ values: TableCell?...) { add(label, values: values.compactMap(\.self)) }

    /// Adds a label with its values; without a value it is left out.
    mutating func add(_ label: String, values: [TableCell]) {
        let shown = values.filter { !$0.text.isEmpty }
        if !shown.isEmpty { rows.append([[TableCell(label, .dim)], shown]) }
    }

    /// The table's lines: a heading where any column has a title, then the rows; columns without content are left out.
    func lines(on terminal: Terminal) -> [String] {
        guard let layout = layout(on: terminal) else { return stackedLines(on: terminal) }
        let titles = layout.beside.map { TableCell(columns[$0.index].title, .dim) }
        let heading = Self.line(of: titles, in: places(of: layout.beside), on: terminal)
        return (heading.isEmpty ? [] : [heading]) + rows.flatMap { lines(of: $0, layout, on: terminal) }
    }

    /// The lines of each row of a table that ends in a wrapped column.
    func rowLines(on terminal: Terminal) -> [[String]] {
        guard let layout = layout(on: terminal) else { return [] }
        return rows.map { lines(of: $0, layout, on: terminal) }
    }

    /// One line: cells side by side, and a text behind them, without spaces at its end, which would be copied, and would
    /// wrap in a window made smaller.
    static func line(
        of cells: [TableCell], in places: [Place], then text: String = "", on terminal: Terminal
    ) -> String {
        let last = text.isEmpty ? cells.lastIndex { !$0.text.isEmpty } ?? -1 : cells.count
        let shown = zip(cells, places).prefix(last + 1).enumerated().map { index, pair in
            let (cell, place) = pair
            return index == last && place.alignment == .left
                ? cell.cut(to: place.width).rendered(on: terminal)
                : cell.rendered(width: place.width, alignment: place.alignment, on: terminal)
        }
        return (shown + (text.isEmpty ? [] : [text])).joined(separator: indent)
    }

    // MARK: - Layout

    /// The columns that stand side by side, with their widths, and those below each row.
    private struct Layout {
        var beside: [(index: Int, width: Int)]
        var below: [Int] = []

        var width: Int { beside.reduce(-Table.gap) { $0 + $1.width + Table.gap } }
    }

    /// Narrows column by column; nil where the rows do not fit even so.
    private func layout(on terminal: Terminal) -> Layout? {
        var layout = Layout(beside: filledColumns.map { ($0, naturalWidth(of: $0)) })
        guard layout.width > terminal.room else { return layout }
        layout.below = layout.beside.map(\.index).filter { columns[$0].overflow == .below }
        layout.beside.removeAll { layout.below.contains($0.index) }
        let natural = layout.beside
        layout.beside = natural.map { ($0.index, minimumWidth(of: $0.index, on: terminal)) }
        while layout.width > terminal.room, layout.beside.count > 1,
            let last = layout.beside.lastIndex(where: { columns[$0.index].canBeLeftOut })
        {
            layout.beside.remove(at: last)
        }
        // What is left of the line goes to the columns that are cut the most: in the end the widest have the same width.
        let wanted = Dictionary(uniqueKeysWithValues: natural.map { ($0.index, $0.width) })
        for _ in 0..<max(0, terminal.room - layout.width) {
            let cut = layout.beside.indices.filter { layout.beside[$0].width < wanted[layout.beside[$0].index] ?? 0 }
            guard let narrowest = cut.min(by: { layout.beside[$0].width < layout.beside[$1].width }) else { break }
            layout.beside[narrowest].width += 1
        }
        return layout.width <= terminal.room || columns.last?.overflow == .wrapped ? layout : nil
    }

    private func places(of beside: [(index: Int, width: Int)]) -> [Place] {
        beside.map { Place(width: $0.width, alignment: columns[$0.index].alignment) }
    }

    private var filledColumns: [Int] {
        columns.indices.filter { index in rows.contains { $0[index].contains { !$0.text.isEmpty } } }
    }

    private func naturalWidth(of index: Int) -> Int {
        rows.reduce(columns[index].title.displayWidth) { widest, row in
            max(widest, row[index].reduce(-Self.gap) { $0 + $1.text.displayWidth + Self.gap })
        }
    }

    private func minimumWidth(of index: Int, on terminal: Terminal) -> Int {
        let natural = naturalWidth(of: index)
        switch columns[index].overflow {
        case .wrapped: return min(Self.wrappedMinimum, natural)
        case .cut(let minimum):
            // A link still leads there when its text is cut; a plain address is of use only as a whole, or not at all.
            let isAddress = rows.contains { $0[index].contains { $0.link != nil && $0.text.hasPrefix("http") } }
            return terminal.hasLinks || !isAddress ? min(minimum, natural) : natural
        case .whole, .below: return natural
        }
    }

    // MARK: - Rows

    private func lines(of row: [[TableCell]], _ layout: Layout, on terminal: Terminal) -> [String] {
        var beside = layout.beside
        var texts = [""]
        if let last = beside.last, columns[last.index].overflow == .wrapped {
            beside.removeLast()
            texts = row[last.index].lines(width: last.width, on: terminal)
        }
        let cells = beside.map { row[$0.index].first ?? .empty }
        let places = places(of: beside)
        let lines = (texts.isEmpty ? [""] : texts).enumerated().map { index, text in
            Self.line(of: index == 0 ? cells : cells.map { _ in .empty }, in: places, then: text, on: terminal)
        }
        let below = layout.below.flatMap { row[$0] }.lines(width: terminal.room - Self.gap, on: terminal)
        return lines + below.map { Self.indent + $0 }
    }

    private static let indent = String(repeating: " ", count: gap)

    /// Each row's first cell with the others below it, beside their titles; a row without a first cell goes on with the
    /// row before it.
    private func stackedLines(on terminal: Terminal) -> [String] {
        guard let first = filledColumns.first else { return [] }
        var groups: [[[[TableCell]]]] = []
        for row in rows {
            if row[first].allSatisfy(\.text.isEmpty), !groups.isEmpty {
                groups[groups.count - 1].append(row)
            } else {
                groups.append([row])
            }
        }
        return groups.flatMap { group in
            var table = Table()
            for index in filledColumns where index != first {
                table.add(columns[index].title, values: group.flatMap { $0[index] })
            }
            return group[0][first].lines(width: terminal.room, on: terminal)
                + table.lines(on: terminal.narrowed(by: Self.gap)).map { Self.indent + $0 }
        }
    }
}

extension Table.Column {
    fileprivate var canBeLeftOut: Bool { if case .cut = overflow { true } else { false } }
}
