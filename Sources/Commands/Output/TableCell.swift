import ProviderModel

/// One cell of a table: harmless text, and how it looks.
struct TableCell: Hashable, Sendable {
    /// The side that is padded.
    enum Alignment: Hashable, Sendable {
        case left
        case right
    }

    /// The text on one line.
    let text: String
    /// How it looks.
    let style: TextStyle
    /// Where it leads.
    let link: WebURL?

    /// A cell with text from anywhere.
    init(_ text: String, _ style: TextStyle = .plain, link: WebURL? = nil) {
        self.text = TerminalText.line(text)
        self.style = style
        self.link = link
    }

    /// A cell with nothing in it.
    static let empty = TableCell("")

    /// The cell, cut and padded to `width` cells.
    func rendered(width: Int, alignment: Alignment = .left, on terminal: Terminal) -> String {
        let shown = text.cut(to: width)
        let padding = shown.padding(to: width)
        let painted = decorated(shown, on: terminal)
        return alignment == .left ? painted + padding : padding + painted
    }

    /// The cell as long as it is, or cut where `width` says so: the last of its line.
    func rendered(cutTo width: Int? = nil, on terminal: Terminal) -> String {
        decorated(width.map { text.cut(to: $0) } ?? text, on: terminal)
    }

    private func decorated(_ shown: String, on terminal: Terminal) -> String {
        let isolated = terminal.isTerminal ? TerminalText.isolated(shown) : shown
        return terminal.link(terminal.paint(isolated, style), to: link)
    }
}

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
