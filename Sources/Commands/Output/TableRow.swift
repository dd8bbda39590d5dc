/// One line of a table: cells side by side, each in its column.
struct TableRow {
    /// A cell and the column it stands in.
    struct Place {
        let cell: TableCell
        /// The column's width; nil for a last column of any length.
        let width: Int?
        let alignment: TableCell.Alignment
    }

    /// The cells between two columns.
    static let gap = 2

    private var places: [Place] = []

    /// A row without cells.
    init() {}

    /// Adds a cell to the right.
    mutating func add(_ cell: TableCell, width: Int?, alignment: TableCell.Alignment = .left) {
        places.append(Place(cell: cell, width: width, alignment: alignment))
    }

    /// The line, without spaces at its end: they would be copied, and would wrap in a window made smaller.
    func line(on terminal: Terminal) -> String {
        guard let last = places.lastIndex(where: { !$0.cell.text.isEmpty }) else { return "" }
        return places[...last].enumerated().map { index, place in
            guard let width = place.width, index < last || place.alignment == .right else {
                return place.cell.rendered(cutTo: place.width, on: terminal)
            }
            return place.cell.rendered(width: width, alignment: place.alignment, on: terminal)
        }.joined(separator: String(repeating: " ", count: Self.gap))
    }
}
