extension String {
    /// The text broken into lines of `width` cells: at spaces, beside wide characters, else where it must; at least one
    /// line, which may be empty.
    ///
    /// A longer word with a slash, an address or a path, stands out instead: it can be copied whole.
    func wrapped(to width: Int) -> [String] {
        let width = Swift.max(width, 2)
        guard utf8.count > width else { return [self] }
        var lines: [String] = []
        var line = ""
        var room = width
        for piece in pieces {
            let visible = piece.last == " " ? piece.dropLast() : piece
            var rest = Substring(visible)
            if DisplayWidth.of(visible) > room, !line.isEmpty {
                lines.append(line.trimmed)
                (line, room) = ("", width)
            }
            while DisplayWidth.of(rest) > room, !rest.contains("/") {
                let head = rest.prefix(cells: width)
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
        if !line.isEmpty || lines.isEmpty { lines.append(line.trimmed) }
        return lines
    }

    /// The unbreakable pieces, each with the space after it.
    private var pieces: [Substring] {
        var pieces: [Substring] = []
        var start = startIndex
        var previous: Character?
        for index in indices {
            if let previous, index > start, Character.canBreak(between: previous, and: self[index]) {
                pieces.append(self[start..<index])
                start = index
            }
            previous = self[index]
        }
        if start < endIndex { pieces.append(self[start...]) }
        return pieces
    }

    private var trimmed: String { last == " " ? String(dropLast()) : self }
}

extension Substring {
    /// As much as `cells` cells hold, at least one grapheme.
    fileprivate func prefix(cells: Int) -> Substring {
        var room = cells
        let end = indices.first { index in
            room -= DisplayWidth.of(self[index])
            return room < 0
        }
        return self[..<Swift.max(end ?? endIndex, index(after: startIndex))]
    }
}

extension Character {
    fileprivate static func canBreak(between before: Character, and after: Character) -> Bool {
        if after == " " { return false }
        if before == " " { return true }
        if after.isClosingPunctuation || before.isOpeningPunctuation { return false }
        return before.isIdeographic || after.isIdeographic
    }

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
