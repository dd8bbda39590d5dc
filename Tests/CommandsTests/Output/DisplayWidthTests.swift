import Testing

@testable import Commands

struct DisplayWidthTests {
    @Test(arguments: [
        ("", 0), ("coffee", 6), ("é", 1), ("e\u{301}", 1), ("咖啡", 4), ("ｶﾌｪ", 3), ("Ｃ", 2), ("한국", 4),
        ("\u{1100}\u{1161}", 2),
        ("☕", 2), ("☕️", 2), ("❤", 1), ("❤️", 2), ("👩‍👩‍👧‍👦", 2), ("👍🏽", 2), ("🇵🇹", 2), ("🇵", 1), ("1️⃣", 2), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2),
        ("قهوة", 4), ("שָׁלוֹם", 4), ("…", 1), ("×", 1), ("α", 1), ("\u{200b}", 0), ("\u{2068}a\u{2069}", 1), ("𠮷", 2),
        ("ก็", 1),
        ("□", 1), ("〜", 2), ("½", 1),
    ])
    func cellsAreCountedByGrapheme(text: String, width: Int) {
        #expect(text.displayWidth == width)
    }

    @Test(arguments: [
        ("coffee", 6, "coffee"), ("coffee", 5, "coff…"), ("coffee", 1, "…"), ("coffee", 0, ""), ("咖啡館", 6, "咖啡館"),
        ("咖啡館", 5, "咖啡…"), ("咖啡館", 4, "咖…"), ("a 咖", 3, "a…"), ("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 3, "👩‍👩‍👧‍👦…"),
        ("cafe\u{301} noir", 5, "cafe\u{301}…"),
    ])
    func textIsCutBetweenGraphemes(text: String, width: Int, expected: String) {
        #expect(text.cut(to: width) == expected)
    }

    @Test(arguments: [(0, "0"), (999, "999"), (1_234, "1234"), (12_345, "12,345"), (-1_234_567, "-1,234,567")])
    func longNumbersAreGrouped(number: Int, expected: String) {
        #expect(number.grouped == expected)
    }

    @Test(arguments: [
        (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_000, "1.0 kB"), (24_000, "24 kB"), (2_431_000, "2.4 MB"),
        (999_949, "1.0 MB"), (999_400, "999 kB"), (12_500_000_000, "13 GB"), (9_960, "10 kB"),
    ])
    func lengthsAreRounded(bytes: Int, expected: String) {
        #expect(bytes.byteCount == expected)
    }
}
