import ImgScript
import ProviderModel

/// A result beside its picture: title, author, licence, size and reference, as lines of a terminal.
struct PreviewRow {
    /// The cells between a picture and the text beside it.
    private static let gap = 2
    /// The most lines of a title.
    private static let titleLines = 2

    let item: Item
    /// The place in the list, from 1.
    let number: Int
    /// The provider's colour.
    let style: TextStyle

    /// Whether text stands below pictures: beside them it would be cut to pieces.
    static func isStacked(on terminal: Terminal) -> Bool { terminal.width < 40 }

    /// The cells that pictures may take on a terminal.
    static func box(on terminal: Terminal) -> CellSize {
        let columns = isStacked(on: terminal) ? terminal.width : min(max(terminal.width / 5, 10), 24)
        return CellSize(columns: columns, rows: max(columns * 3 / 8, 4))
    }

    /// The text that stands beside a picture, no line of it wider than `width` cells.
    func text(width: Int, on terminal: Terminal) -> [String] {
        let head = "\(number)  "
        let title = TableCell(titleOf: item)
        var wrapped = title.text.wrapped(to: width - head.count).map { $0.cut(to: width - head.count) }
        if wrapped.count > Self.titleLines {
            wrapped = Array(wrapped.prefix(Self.titleLines))
            wrapped[Self.titleLines - 1] = (wrapped[Self.titleLines - 1] + "…").cut(to: width - head.count)
        }
        let lines = wrapped.enumerated().map { index, text in
            let start = index == 0 ? terminal.paint(head, .dim) : String(repeating: " ", count: head.count)
            return start + TableCell(text, title.style, link: title.link).rendered(on: terminal)
        }
        let facts = [
            TableCell(item.license?.shortName ?? ""), TableCell(item.shownSize, .dim),
            TableCell(item.type == .image ? "" : item.type.rawValue, .dim),
        ]
        let reference = TableCell(item.reference, style)
        // Without links an address is of use only as a whole.
        let page = item.page.map { TableCell("\($0)", .dim, link: $0) }
            .flatMap { terminal.hasLinks || $0.text.displayWidth <= width ? $0 : nil }
        return lines + [TableCell(item.author?.name ?? "")].rows(width, terminal)
            + facts.lines(separatedBy: " · ", width: width, on: terminal)
            + [reference].lines(width: width, on: terminal) + [page].compactMap(\.self).rows(width, terminal)
    }

    /// The whole row: the picture, or its placeholder, with the text beside it, and an empty line.
    func lines(_ picture: RenderedPicture?, in box: CellSize, on terminal: Terminal) -> String {
        let isStacked = Self.isStacked(on: terminal)
        let width = isStacked ? terminal.width : terminal.width - box.columns - Self.gap
        let text = text(width: width, on: terminal)
        let size = picture?.size ?? CellSize(columns: box.columns, rows: min(box.rows, max(text.count, 3)))
        let drawn: [String]
        var graphics: String?
        switch picture?.content {
        case .lines(let lines): drawn = lines
        case .graphics(let sequence):
            drawn = Array(repeating: String(repeating: " ", count: size.columns), count: size.rows)
            graphics = sequence
        case nil: drawn = Self.placeholder(size).map { terminal.paint($0, .dim) }
        }
        let lines = isStacked ? drawn + text : Self.joined(drawn, size.columns, text, box.columns + Self.gap)
        let row = (lines + [""]).map { $0 + "\n" }.joined()
        guard let graphics else { return row }
        // The lines are there first, so that nothing scrolls while the picture is drawn over them.
        return row + "\u{1b}7\u{1b}[\(lines.count + 1)A\r\(graphics)\u{1b}8"
    }

    /// A frame that says why it is empty, for a picture that cannot be shown.
    static func placeholder(_ size: CellSize, _ words: String = "no picture") -> [String] {
        guard size.columns >= 4, size.rows >= 3 else {
            return Array(repeating: String(repeating: "·", count: size.columns), count: size.rows)
        }
        let inner = size.columns - 2
        let middle = size.rows / 2
        let edge = String(repeating: "─", count: inner)
        let text = words.cut(to: inner)
        let left = (inner - text.displayWidth) / 2
        let right = inner - text.displayWidth - left
        return (0..<size.rows).map { row in
            switch row {
            case 0: "╭\(edge)╮"
            case size.rows - 1: "╰\(edge)╯"
            case middle:
                "│\(String(repeating: " ", count: left))\(text)\(String(repeating: " ", count: right))│"
            default: "│\(String(repeating: " ", count: inner))│"
            }
        }
    }

    /// Lines of a picture of so many cells with the lines of a text beside them, which begins after `start` cells.
    private static func joined(_ picture: [String], _ columns: Int, _ text: [String], _ start: Int) -> [String] {
        (0..<max(picture.count, text.count)).map { row in
            let (drawn, used) = row < picture.count ? (picture[row], columns) : ("", 0)
            guard row < text.count, !text[row].isEmpty else { return drawn }
            return drawn + String(repeating: " ", count: start - used) + text[row]
        }
    }
}

extension [TableCell] {
    /// Each cell on a line of its own, cut where it is longer.
    fileprivate func rows(_ width: Int, _ terminal: Terminal) -> [String] {
        filter { !$0.text.isEmpty }.map { $0.cut(to: width).rendered(on: terminal) }
    }
}

extension Item {
    /// What stands for the size: pixels, the number of files, or that it is a collection.
    var shownSize: String {
        if type == .collection { return "collection" }
        let files = files.count
        return files > 1 ? "\(files) files" : bestMedia?.dimensions ?? ""
    }
}
