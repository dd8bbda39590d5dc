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
