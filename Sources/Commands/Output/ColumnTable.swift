import ProviderModel

/// A small table whose rows are all known: its columns are as wide as what they hold, or as the terminal allows.
struct ColumnTable {
    /// One column.
    struct Column: Hashable, Sendable {
        /// What stands above it.
        let title: String
        /// The side its cells keep to.
        let alignment: TableCell.Alignment
        /// The fewest cells it may be cut to when the terminal is narrow; nil for a column that is never cut.
        let minimum: Int?
        /// Whether a row says nothing without it: it may be cut, but is not left out.
        let isNeeded: Bool

        /// A column that is as wide as its longest cell.
        init(
            _ title: String, alignment: TableCell.Alignment = .left, cutTo minimum: Int? = nil, isNeeded: Bool = false
        ) {
            self.title = title
            self.alignment = alignment
            self.minimum = minimum
            self.isNeeded = isNeeded || minimum == nil
        }
    }

    private let columns: [Column]
    private var rows: [[TableCell]] = []

    /// A table without rows.
    init(columns: [Column]) { self.columns = columns }

    /// Adds a row with a cell for each column.
    mutating func add(_ cells: [TableCell]) {
        precondition(cells.count == columns.count, "a row needs a cell for each column")
        rows.append(cells)
    }

    /// Whether no line is longer than the terminal's, without anything cut.
    func fits(_ terminal: Terminal) -> Bool { lineWidth(filledColumns.map(naturalWidth)) <= terminal.width }

    /// The table's lines: a heading where any column has a title, then the rows; columns without content are left out,
    /// and on a terminal too narrow for all of them those at the end, or each row is a list where that is not enough.
    func lines(on terminal: Terminal) -> [String] {
        let fitted = fittedColumns(on: terminal)
        guard !terminal.isTerminal || lineWidth(fitted.map(\.width)) <= terminal.width else {
            return stackedLines(on: terminal)
        }
        let heading = fitted.map { TableCell(columns[$0.index].title, .dim) }
        let body = rows.map { row in fitted.map { row[$0.index] } }
        let hasHeading = heading.contains { !$0.text.isEmpty }
        return ((hasHeading ? [heading] : []) + body).map { cells in
            var row = TableRow()
            for (cell, column) in zip(cells, fitted) {
                row.add(cell, width: column.width, alignment: columns[column.index].alignment)
            }
            return row.line(on: terminal)
        }
    }

    /// The columns to show, as wide as their content; the widest are cut first where the line would be too long.
    private func fittedColumns(on terminal: Terminal) -> [(index: Int, width: Int)] {
        var shown = filledColumns
        guard terminal.isTerminal else { return shown.map { ($0, naturalWidth(of: $0)) } }
        while shown.count > 1, lineWidth(shown.map { minimumWidth(of: $0, on: terminal) }) > terminal.width,
            let last = shown.lastIndex(where: { !columns[$0].isNeeded })
        {
            shown.remove(at: last)
        }
        var widths = shown.map(naturalWidth)
        let minimums = shown.map { minimumWidth(of: $0, on: terminal) }
        for _ in 0..<max(0, lineWidth(widths) - terminal.width) {
            let candidates = widths.indices.filter { widths[$0] > minimums[$0] }
            guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[widest] -= 1
        }
        return Array(zip(shown, widths))
    }

    /// Each row's first cell with the others below it, beside their titles; a row without a first cell goes on with the
    /// row before it.
    private func stackedLines(on terminal: Terminal) -> [String] {
        guard let first = filledColumns.first else { return [] }
        var groups: [[[TableCell]]] = []
        for row in rows {
            if row[first].text.isEmpty, !groups.isEmpty {
                groups[groups.count - 1].append(row)
            } else {
                groups.append([row])
            }
        }
        let indent = String(repeating: " ", count: TableRow.gap)
        let inner = terminal.narrowed(by: TableRow.gap)
        return groups.flatMap { group in
            var table = KeyValueTable()
            for index in filledColumns where index != first {
                table.add(columns[index].title, values: group.map { $0[index] })
            }
            let title = group[0][first]
            let heading = TextWrapping(width: terminal.width).lines(of: title.text)
            return heading.map { TableCell($0, title.style, link: title.link).rendered(on: terminal) }
                + table.lines(on: inner).map { indent + $0 }
        }
    }

    private var filledColumns: [Int] {
        columns.indices.filter { index in rows.contains { !$0[index].text.isEmpty } }
    }

    private func lineWidth(_ widths: [Int]) -> Int { widths.reduce(0, +) + TableRow.gap * max(widths.count - 1, 0) }

    private func naturalWidth(of index: Int) -> Int {
        rows.reduce(columns[index].title.displayWidth) { max($0, $1[index].text.displayWidth) }
    }

    private func minimumWidth(of index: Int, on terminal: Terminal) -> Int {
        let natural = naturalWidth(of: index)
        return canCut(index, on: terminal) ? min(columns[index].minimum ?? natural, natural) : natural
    }

    /// An address may be cut where it is a link; else it is of use only as a whole, or not at all.
    private func canCut(_ index: Int, on terminal: Terminal) -> Bool {
        guard columns[index].minimum != nil else { return false }
        return terminal.hasLinks || !rows.contains { $0[index].link != nil && $0[index].text.hasPrefix("http") }
    }
}
