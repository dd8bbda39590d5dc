/// Brings a screen from one frame to the next with as little as has changed.
struct ScreenWriter {
    fileprivate struct Place: Hashable {
        let line: Int
        let column: Int
        let isGraphics: Bool
    }

    private let isKitty: Bool
    private var kind: String?
    private var shown: [Place: String] = [:]

    /// A writer for a screen of which nothing is known.
    init(isKitty: Bool) { self.isKitty = isKitty }

    /// Has the next frame written as a whole.
    mutating func forget() { kind = nil }

    /// What to write for a frame.
    mutating func update(to frame: BrowseFrame) -> String {
        var next: [Place: String] = [:]
        for piece in frame.pieces { next[Place(piece)] = piece.text }
        // Text does not replace a picture of pixels everywhere: then all is drawn anew.
        let losesPicture = shown.contains { $0.key.isGraphics && next[$0.key] != $0.value }
        let isWhole = kind != frame.kind || losesPicture
        // Shown at once where the terminal can hold its output (mode 2026), and ignored elsewhere.
        var text = "\u{1b}[?2026h\u{1b}[?25l"
        if isWhole {
            text += "\u{1b}[0m\u{1b}[2J" + (isKitty ? "\u{1b}_Ga=d,d=A,q=2\u{1b}\\" : "")
            shown = [:]
        }
        let changed = frame.pieces.filter { shown[Place($0)] != $0.text }
        for piece in changed where !piece.isGraphics { text += Self.drawn(piece) }
        for piece in changed where piece.isGraphics { text += Self.drawn(piece) }
        if let cursor = frame.cursor { text += "\u{1b}[\(cursor.line);\(cursor.column)H\u{1b}[?25h" }
        shown = next
        kind = frame.kind
        return text + "\u{1b}[?2026l"
    }

    private static func drawn(_ piece: ScreenPiece) -> String {
        "\u{1b}[\(piece.line);\(piece.column)H\(piece.text)\u{1b}[0m"
    }
}

extension ScreenWriter.Place {
    fileprivate init(_ piece: ScreenPiece) {
        self.init(line: piece.line, column: piece.column, isGraphics: piece.isGraphics)
    }
}
