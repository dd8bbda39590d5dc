/// Text broken into lines of so many cells: at spaces, beside wide characters, else where it must.
struct TextWrapping {
    /// The cells of a line.
    let width: Int
    /// Whether a word that is longer than a line is broken; else it stands out, and can be copied whole.
    let breaksWords: Bool

    /// Lines of at most `width` cells.
    init(width: Int, breaksWords: Bool = true) {
        self.width = max(width, 2)
        self.breaksWords = breaksWords
    }

    /// The text's lines; at least one, which may be empty.
    func lines(of text: String) -> [String] {
        var lines: [String] = []
        var line = ""
        var room = width
        for piece in pieces(of: text) {
            let visible = piece.last == " " ? piece.dropLast() : piece
            var rest = Substring(visible)
            if DisplayWidth.of(visible) > room, !line.isEmpty {
                lines.append(trimmed(line))
                (line, room) = ("", width)
            }
            while breaksWords, DisplayWidth.of(rest) > room {
                let head = prefix(of: rest)
                lines.append(String(head))
                rest = rest[head.endIndex...]
            }
            line += rest
            room -= DisplayWidth.of(rest)
            if visible.endIndex < piece.endIndex {
                line += " "
                room -= 1
            }
        }
        if !line.isEmpty || lines.isEmpty { lines.append(trimmed(line)) }
        return lines
    }

    /// The text's unbreakable pieces, each with the space after it.
    private func pieces(of text: String) -> [Substring] {
        var pieces: [Substring] = []
        var start = text.startIndex
        var previous: Character?
        for index in text.indices {
            let character = text[index]
            if let before = previous, index > start, canBreak(between: before, and: character) {
                pieces.append(text[start..<index])
                start = index
            }
            previous = character
        }
        if start < text.endIndex { pieces.append(text[start...]) }
        return pieces
    }

    private func canBreak(between before: Character, and after: Character) -> Bool {
        if after == " " { return false }
        if before == " " { return true }
        if after.isClosingPunctuation || before.isOpeningPunctuation { return false }
        return before.isIdeographic || after.isIdeographic
    }

    /// As much as one line holds, at least one grapheme.
    private func prefix(of text: Substring) -> Substring {
        var room = width
        let end = text.indices.first { index in
            room -= DisplayWidth.of(text[index])
            return room < 0
        }
        return text[..<max(end ?? text.endIndex, text.index(after: text.startIndex))]
    }

    private func trimmed(_ line: String) -> String { line.last == " " ? String(line.dropLast()) : line }
}

extension Character {
    fileprivate var isIdeographic: Bool { unicodeScalars.first.map(WideScalars.contains) ?? false }

    fileprivate var isClosingPunctuation: Bool {
        switch unicodeScalars.first?.properties.generalCategory {
        case .closePunctuation, .finalPunctuation, .otherPunctuation: true
        default: false
        }
    }

    fileprivate var isOpeningPunctuation: Bool {
        switch unicodeScalars.first?.properties.generalCategory {
        case .openPunctuation, .initialPunctuation: true
        default: false
        }
    }
}
