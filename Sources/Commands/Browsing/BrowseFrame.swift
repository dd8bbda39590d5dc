import ImgScript

/// A piece of the screen: text that fills its cells, or a picture over cells that are blank.
struct ScreenPiece: Hashable, Sendable {
    /// The first line and column, from 1.
    let line: Int
    let column: Int
    /// What is written there, escape sequences included.
    let text: String
    /// Whether it is a picture of pixels, which text of the same cells does not replace everywhere.
    var isGraphics = false
}

/// The screen at one moment, made of the state alone.
struct BrowseFrame {
    private let state: BrowseState
    private let layout: BrowseLayout
    private let terminal: Terminal
    /// The lines of text beside a large picture.
    let detailLines: [String]

    /// The pieces, none of which overlap but pictures over blank cells.
    private(set) var pieces: [ScreenPiece] = []
    /// Where the cursor stands while words are typed.
    private(set) var cursor: (line: Int, column: Int)?
    /// Whether it shows the same kind of thing in the same places as another; else the screen is cleared between them.
    var kind: String {
        if layout.isTooSmall { return "small" }
        if case .details = state.mode { return "details \(layout.size)" }
        return "grid \(layout.size) \(state.items.isEmpty)"
    }

    /// The screen for a state; `colors` says what text may look like.
    init(_ state: BrowseState, on colors: Terminal) {
        self.state = state
        layout = state.layout
        terminal = colors
        detailLines = Self.detailLines(of: state, on: colors)
        guard !layout.isTooSmall else {
            drawTooSmall()
            return
        }
        drawTitle()
        if case .details(let scroll) = state.mode { drawDetails(scroll) } else { drawGrid() }
        drawBottom()
    }

    private var width: Int { layout.size.columns }

    private mutating func draw(_ text: String, _ line: Int, _ column: Int = 1, width: Int) {
        pieces.append(ScreenPiece(line: line, column: column, text: text.fitted(to: width)))
    }

    private mutating func drawTooSmall() {
        let size = layout.size
        let lines = "terminal too small: \(size.columns)x\(size.rows), at least 20x8; q quits".wrapped(to: size.columns)
        for line in 1...max(size.rows, 1) {
            draw(line <= lines.count ? lines[line - 1] : "", line, width: size.columns)
        }
    }

    // MARK: - Title and bottom

    private mutating func drawTitle() {
        let subject = TerminalText.line(state.query ?? "feed")
        let left = terminal.paint("imgscript", .accent(0)) + "  "
        let right = position
        let room = width - 2 - 11 - right.displayWidth - 2
        let title = left + TableCell(subject, .bold).cut(to: max(room, 0)).rendered(on: terminal)
        let shown = room < 4 ? "" : title
        let start = max(width - 2 - right.displayWidth, 0)
        draw(" " + shown.fitted(to: start) + terminal.paint(right, .dim), 1, width: width)
    }

    /// `17 of 500 · 3 marked`.
    private var position: String {
        guard !state.items.isEmpty else { return "" }
        let known = state.items.count
        let total = state.total.map { max($0, known).grouped } ?? (state.hasEnded ? known.grouped : "\(known.grouped)+")
        let place = "\((state.selected + 1).grouped) of \(total)"
        return state.marked.isEmpty ? place : "\(state.marked.count.grouped) marked · \(place)"
    }

    private mutating func drawBottom() {
        let last = layout.size.rows
        if case .search(let text) = state.mode {
            let prompt = "search: "
            // The end is seen where the words are longer than the line.
            var shown = TerminalText.line(text) + (text.last == " " ? " " : "")
            while shown.displayWidth > width - prompt.count - 3, !shown.isEmpty { shown.removeFirst() }
            draw(
                " " + terminal.paint(prompt, .accent(0)) + shown, layout.hasMessageLine ? last - 1 : last, width: width)
            cursor = (layout.hasMessageLine ? last - 1 : last, 2 + prompt.count + shown.displayWidth)
            if layout.hasMessageLine { draw(keys([("enter", "search"), ("esc", "cancel")]), last, width: width) }
            return
        }
        let message = message
        if layout.hasMessageLine { draw(" " + message, last - 1, width: width) }
        draw(layout.hasMessageLine || message.isEmpty ? keys(shownKeys) : " " + message, last, width: width)
    }

    private var message: String {
        if let notice = state.notice {
            let cell = TableCell(notice.text, notice.isError ? .bad : .plain).cut(to: width - 2)
            return cell.rendered(on: terminal)
        }
        let download = state.download
        guard download.isActive else { return "" }
        let failed = download.failed > 0 ? " · \(download.failed.grouped) failed" : ""
        let text =
            "downloading \(download.done.grouped) of \(download.expected.grouped)\(failed) · \(download.bytes.byteCount)"
        let bar = min(width - text.count - 4, 30)
        guard bar >= 6 else { return text.cut(to: width - 2) }
        let filled = download.done * bar / max(download.expected, 1)
        let full = terminal.paint(String(repeating: "━", count: filled), .accent(0))
        return full + terminal.paint(String(repeating: terminal.hasColors ? "━" : "·", count: bar - filled), .dim)
            + "  "
            + text
    }

    /// The keys, the most important first, which stay on a narrow screen.
    private var shownKeys: [(key: String, does: String)] {
        if case .details = state.mode {
            return [
                ("q", "quit"), ("esc", "back"), ("space", "mark"), ("d", "download"), ("o", "open"),
                ("←→", "previous, next"), ("↑↓", "scroll"),
            ]
        }
        return [
            ("q", "quit"), ("enter", "details"), ("space", "mark"), ("d", "download"), ("o", "open"), ("/", "search"),
            ("←↑↓→ hjkl", "move"),
        ]
    }

    private func keys(_ keys: [(key: String, does: String)]) -> String {
        var shown: [String] = []
        var room = width - 2
        for (key, does) in keys {
            let taken = key.displayWidth + does.displayWidth + 1 + (shown.isEmpty ? 0 : 2)
            guard taken <= room else { continue }
            room -= taken
            shown.append(terminal.paint(key, .accent(0)) + " " + terminal.paint(does, .dim))
        }
        return " " + shown.joined(separator: "  ")
    }

    // MARK: - Grid

    private mutating func drawGrid() {
        guard !state.items.isEmpty else { return drawEmpty() }
        for row in 0...layout.rows { drawFrameLine(row) }
        for row in 0..<layout.rows {
            for column in 0..<layout.columns {
                let index = (state.firstRow + row) * layout.columns + column
                drawCell(index, row, column)
            }
        }
    }

    private mutating func drawEmpty() {
        let words =
            !state.hasEnded
            ? "searching…"
            : state.isListing ? "no images; / searches for something else" : "/ asks for words to search for"
        let text = words.cut(to: width)
        let line = 2 + layout.area.rows / 2
        let left = String(repeating: " ", count: max((width - text.displayWidth) / 2, 0))
        draw(left + terminal.paint(text, .dim), line, width: width)
    }

    /// The row and column of cells that the selected one has on the screen.
    private var selectedCell: (row: Int, column: Int) {
        (state.selected / layout.columns - state.firstRow, state.selected % layout.columns)
    }

    /// The line above a row of cells, with the edge of the selected one's frame.
    private mutating func drawFrameLine(_ row: Int) {
        let selected = selectedCell
        let line = layout.origin(row: row, column: 0).line - 1
        guard selected.row == row || selected.row == row - 1 else { return draw("", line, width: width) }
        let ends = selected.row == row ? ("┏", "┓") : ("┗", "┛")
        let left = String(repeating: " ", count: layout.origin(row: row, column: selected.column).column - 2)
        let edge = ends.0 + String(repeating: "━", count: layout.inner) + ends.1
        draw(left + terminal.paint(edge, .accent(0)), line, width: width)
    }

    private mutating func drawCell(_ index: Int, _ row: Int, _ column: Int) {
        let (line, start) = layout.origin(row: row, column: column)
        let height = layout.picture.rows + layout.captions
        let isSelected = selectedCell == (row, column)
        let isBeforeSelected = selectedCell == (row, column + 1)
        for offset in 0..<height {
            let edge = isSelected ? terminal.paint("┃", .accent(0)) : ""
            if column == 0 { draw(edge, line + offset, start - 1, width: 1) }
            let right = isSelected || isBeforeSelected ? terminal.paint("┃", .accent(0)) : ""
            draw(right, line + offset, start + layout.inner, width: 1)
        }
        guard state.items.indices.contains(index) else {
            for offset in 0..<height { draw("", line + offset, start, width: layout.inner) }
            return
        }
        draw(state.picture(of: index), in: layout.picture, line, start)
        for (offset, text) in captions(of: index, isSelected).enumerated() {
            draw(text, line + layout.picture.rows + offset, start, width: layout.inner)
        }
    }

    /// A picture in the middle of its place, or what stands for it.
    private mutating func draw(_ key: PictureKey, in box: CellSize, _ line: Int, _ column: Int) {
        guard let found = state.pictures[key] else {
            let words = PreviewRow.placeholder(box, "loading…")
            for row in 0..<box.rows { draw(terminal.paint(words[row], .dim), line + row, column, width: box.columns) }
            return
        }
        guard let picture = found else {
            let words = PreviewRow.placeholder(box)
            for row in 0..<box.rows { draw(terminal.paint(words[row], .dim), line + row, column, width: box.columns) }
            return
        }
        let top = (box.rows - picture.size.rows) / 2
        let left = (box.columns - picture.size.columns) / 2
        let indent = String(repeating: " ", count: left)
        for row in 0..<box.rows {
            var text = ""
            if case .lines(let lines) = picture.content, lines.indices.contains(row - top) {
                text = indent + lines[row - top]
            }
            draw(text, line + row, column, width: box.columns)
        }
        guard case .graphics(let sequence) = picture.content else { return }
        pieces.append(ScreenPiece(line: line + top, column: column + left, text: sequence, isGraphics: true))
    }

    private func captions(of index: Int, _ isSelected: Bool) -> [String] {
        let item = state.items[index]
        let marks = marks(of: index)
        let room = layout.inner - marks.displayWidth
        let title = TableCell(titleOf: item)
        let shown = TableCell(title.text, title.style == .bold && !isSelected ? .plain : title.style)
        let first = terminal.paint(marks, .accent(0)) + shown.cut(to: room).rendered(on: terminal)
        let facts = [item.author?.name ?? "", item.license?.shortName ?? ""].map { TerminalText.line($0) }
        let text = facts.filter { !$0.isEmpty }.joined(separator: " · ")
        let second = TableCell(text.isEmpty ? item.reference : text, .dim).cut(to: layout.inner)
        return Array([first, second.rendered(on: terminal)].prefix(layout.captions))
    }

    private func marks(of index: Int) -> String {
        (state.marked.contains(index) ? "✓ " : "") + (state.saved.contains(state.items[index].reference) ? "↓ " : "")
    }

    // MARK: - Details

    private static func detailLines(of state: BrowseState, on terminal: Terminal) -> [String] {
        guard case .details = state.mode, let item = state.current else { return [] }
        let known = state.details[item.reference] ?? ImageDetails(item: item)
        let width = state.layout.details.text.columns
        let lines = ItemDetails(known.item, attribution: known.attribution).lines(on: terminal.resized(to: width))
        return lines.map { $0.fitted(to: width) }
    }

    private mutating func drawDetails(_ scroll: Int) {
        let (box, isBeside, text) = layout.details
        draw(state.largePicture(of: state.selected), in: box, 3, 2)
        let column = isBeside ? box.columns + 4 : 2
        let first = isBeside ? 3 : box.rows + 4
        for row in 0..<text.rows {
            let line = scroll + row < detailLines.count ? detailLines[scroll + row] : ""
            draw(line, first + row, column, width: text.columns)
        }
        let marks = marks(of: state.selected)
        draw(
            terminal.paint(
                marks.isEmpty ? "" : " " + marks + (state.marked.contains(state.selected) ? "marked" : ""), .accent(0)),
            2, width: width)
    }
}
