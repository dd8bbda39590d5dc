extension String {
    /// The cells the text takes on a terminal.
    var displayWidth: Int { DisplayWidth.of(self) }

    /// The text, ended with “…” after a whole grapheme where it would take more than `width` cells.
    func cut(to width: Int) -> String {
        // No scalar takes more than two cells, so a short text needs no counting.
        guard unicodeScalars.count > width / 2, displayWidth > width else { return self }
        guard width > 0 else { return "" }
        var kept = ""
        var room = width - 1
        for character in self {
            let cells = DisplayWidth.of(character)
            guard cells <= room else { break }
            kept.append(character)
            room -= cells
        }
        while kept.last == " " { kept.removeLast() }
        return kept + "…"
    }

    /// As many spaces as bring the text to `width` cells.
    func padding(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - displayWidth))
    }
}

extension Int {
    /// The number with its thousands apart from five digits on: `1234`, `12,345`.
    var grouped: String {
        let digits = String(magnitude)
        guard digits.count > 4 else { return String(self) }
        var text = self < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return text
    }

    /// The number as a length of data: `812 bytes`, `24 kB`, `2.4 MB`.
    var byteCount: String {
        guard self >= 1_000 else { return self == 1 ? "1 byte" : "\(self) bytes" }
        var unit = 1_000
        var names = ["kB", "MB", "GB", "TB"][...]
        while names.count > 1, self >= unit * 1_000 - unit / 2 {
            unit *= 1_000
            names.removeFirst()
        }
        let tenths = (self / (unit / 10) * 10 + self % (unit / 10) * 10 / (unit / 10) + 5) / 10
        let shown = tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\((tenths + 5) / 10)"
        return "\(shown) \(names[names.startIndex])"
    }
}
