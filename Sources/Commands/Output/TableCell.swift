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
        return terminal.style.link(terminal.style.paint(isolated, style), to: link)
    }
}
