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
