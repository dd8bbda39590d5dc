import ProviderModel

/// A piece of harmless text, and how it looks: a cell of a table, or a part of a line.
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

    /// The cell, ended with "…" where it would take more than `width` cells of the terminal.
    func cut(to width: Int) -> TableCell { TableCell(text.cut(to: width), style, link: link) }

    /// The text as the terminal takes it.
    func rendered(on terminal: Terminal) -> String {
        let isolated = terminal.isTerminal ? TerminalText.isolated(text) : text
        return terminal.link(terminal.paint(isolated, style), to: link)
    }

    /// The text, cut and padded to `width` cells.
    func rendered(width: Int, alignment: Alignment = .left, on terminal: Terminal) -> String {
        let shown = cut(to: width)
        let padding = shown.text.padding(to: width)
        return alignment == .left ? shown.rendered(on: terminal) + padding : padding + shown.rendered(on: terminal)
    }
}

extension [TableCell] {
    /// The cells one after the other while they fit a line of `width` cells; a longer one is wrapped.
    func lines(separatedBy separator: String = "  ", width: Int, on terminal: Terminal) -> [String] {
        let gap = separator.displayWidth
        let painted = separator == "  " ? separator : terminal.paint(separator, .dim)
        var lines: [String] = []
        var used = 0
        for cell in self where !cell.text.isEmpty {
            let taken = cell.text.displayWidth
            if used > 0, used + gap + taken <= width {
                lines[lines.count - 1] += painted + cell.rendered(on: terminal)
                used += gap + taken
            } else {
                let wrapped = cell.text.wrapped(to: width)
                lines += wrapped.map { TableCell($0, cell.style, link: cell.link).rendered(on: terminal) }
                used = wrapped.last?.displayWidth ?? 0
            }
        }
        return lines
    }
}
