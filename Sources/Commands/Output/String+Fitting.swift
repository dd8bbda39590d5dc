extension String {
    /// Text with escape sequences, brought to exactly so many cells: cut after a whole grapheme, or followed by spaces.
    ///
    /// Sequences behind the cut stay, since they end styles and links.
    func fitted(to width: Int) -> String {
        var fitted = ""
        var room = width
        var isCut = false
        var rest = self[...]
        while let character = rest.first {
            if character == "\u{1b}" {
                let sequence = rest.escapeSequence
                fitted += sequence
                rest = rest[sequence.endIndex...]
                continue
            }
            rest.removeFirst()
            let cells = DisplayWidth.of(character)
            isCut = isCut || cells > room
            guard !isCut else { continue }
            fitted.append(character)
            room -= cells
        }
        return fitted + String(repeating: " ", count: Swift.max(room, 0))
    }
}

extension Substring {
    /// The escape sequence at the beginning: `ESC [ … letter`, or `ESC ] … ESC \`.
    fileprivate var escapeSequence: Substring {
        let body = dropFirst()
        switch body.first {
        case "[":
            let end = body.dropFirst().firstIndex { $0.isASCII && $0.isLetter }
            return end.map { self[...$0] } ?? self
        case "]":
            let end = body.firstRange(of: "\u{1b}\\")?.upperBound
            return end.map { self[..<$0] } ?? self
        default: return prefix(2)
        }
    }
}
