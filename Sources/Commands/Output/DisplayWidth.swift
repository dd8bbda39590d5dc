/// How many terminal cells text takes, grapheme by grapheme.
///
/// Unicode Standard Annex #11 (East Asian Width): wide and full-width take two cells, ambiguous one. An emoji takes two
/// however many scalars it is made of; in other clusters the scalars' cells add up, which is what terminals do.
enum DisplayWidth {
    /// The cells of a text.
    static func of(_ text: some StringProtocol) -> Int {
        if text.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    /// The cells of one grapheme.
    static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if scalars.dropFirst().isEmpty { return of(first) }
        if isEmoji(first, in: scalars) { return 2 }
        return scalars.reduce(0) { $0 + of($1) }
    }

    /// The cells of one scalar by itself.
    static func of(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0x20...0x7e: return 1
        case 0..<0x20, 0x7f..<0xa0: return 0
        case 0xa0..<0x300: return scalar.value == 0xad ? 0 : 1
        // Hangul medial vowels and final consonants join the initial before them; half a flag is one letter.
        case 0x1160...0x11ff, 0xd7b0...0xd7ff: return 0
        case 0x1f1e6...0x1f1ff: return 1
        default: break
        }
        if isZeroWidth(scalar) { return 0 }
        return scalar.properties.isEmojiPresentation || WideScalars.contains(scalar) ? 2 : 1
    }

    private static func isEmoji(_ first: Unicode.Scalar, in cluster: Character.UnicodeScalarView) -> Bool {
        if (0x1f1e6...0x1f1ff).contains(first.value) { return true }
        guard first.properties.isEmoji else { return false }
        if first.properties.isEmojiPresentation { return true }
        // The selector U+FE0F and skin tones turn a text symbol into a picture; digits are emoji only as keycaps.
        return cluster.contains { $0.value == 0xfe0f || $0.properties.isEmojiModifier }
    }

    private static func isZeroWidth(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .control, .lineSeparator, .paragraphSeparator: true
        case .format: !scalar.isPrependedMark
        default: scalar.value == 0x3164 ? false : scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}

extension Unicode.Scalar {
    /// Whether this is a format character that is seen: the Arabic number signs and their like.
    var isPrependedMark: Bool {
        switch value {
        case 0x600...0x605, 0x6dd, 0x70f, 0x890...0x891, 0x8e2, 0x110bd, 0x110cd: true
        default: false
        }
    }
}

/// The scalars that take two cells and are not emoji: East Asian Width W and F of Unicode 16.
///
/// From EastAsianWidth.txt; ranges run on over unassigned code points between two wide ones, and to the end of the
/// planes 2 and 3, which are wide by default. Emoji are left to `Unicode.Scalar.Properties`.
enum WideScalars {
    private static let ranges: [ClosedRange<UInt32>] = [
        0x1100...0x115f,  // Hangul initial consonants
        0x2329...0x232a,  // angle brackets
        0x2630...0x2637,  // trigrams
        0x268a...0x268f,  // monograms and digrams
        0x2e80...0x303e,  // CJK radicals, description characters, punctuation
        0x3041...0x3247,  // kana, bopomofo, Hangul compatibility letters, enclosed
        0x3250...0xa4c6,  // CJK ideographs, hexagrams, Yi
        0xa960...0xa97c,  // Hangul initial consonants, extended
        0xac00...0xd7a3,  // Hangul syllables
        0xf900...0xfaff,  // CJK compatibility ideographs
        0xfe10...0xfe19,  // vertical forms
        0xfe30...0xfe6b,  // CJK compatibility forms
        0xff01...0xff60,  // full-width letters
        0xffe0...0xffe6,  // full-width signs
        0x16fe0...0x18d08,  // Tangut, Khitan
        0x1aff0...0x1b2fb,  // kana extensions, Nushu
        0x1d300...0x1d376,  // Tai Xuan Jing symbols, counting rods
        0x1f200...0x1f265,  // enclosed ideographs
        0x20000...0x2fffd,
        0x30000...0x3fffd,
    ]

    /// Whether the scalar is one of them.
    static func contains(_ scalar: Unicode.Scalar) -> Bool {
        let value = scalar.value
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if value > ranges[middle].upperBound { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(value)
    }
}

extension String {
    /// The cells the text takes on a terminal.
    var displayWidth: Int { DisplayWidth.of(self) }

    /// The text, ended with "…" after a whole grapheme where it would take more than `width` cells.
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
