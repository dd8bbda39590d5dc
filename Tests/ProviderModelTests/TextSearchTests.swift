import ProviderModel
import Testing

@Suite struct TextSearchTests {
    @Test(
        arguments: [
            ("https://example.com", "://", 5), ("aab", "ab", 1), ("ab", "ab", 0), ("abc", "c", 2), ("ab", "abc", nil),
            ("", "a", nil),
            ("grüße", "ße", 4), ("aaab", "aab", 1), ("[object Objec", "[object Object]", nil),
        ] as [(String, String, Int?)])
    func textIsFoundWhereItFirstStands(_ text: String, _ sought: String, _ offset: Int?) {
        let place = text.place(of: sought)
        #expect(place.map { text.utf8.distance(from: text.startIndex, to: $0.lowerBound) } == offset)
        #expect(place.map { String(text[$0]) } == offset.map { _ in sought })
        #expect(text.holds(sought) == (offset != nil))
        #expect(text[...].holds(sought) == (offset != nil))
    }

    @Test(
        arguments: [
            ("yyyy-MM", "yyyy", "2024", "2024-MM"), ("aXbXX", "X", "", "ab"), ("aXbXX", "X", "XX", "aXXbXXXX"),
            ("none", "X", "Y", "none"), ("grüße", "ß", "ss", "grüsse"), ("", "X", "Y", ""), ("ab", "", "Y", "ab"),
        ])
    func textTakesThePlaceOfAnother(_ text: String, _ sought: String, _ replacement: String, _ expected: String) {
        #expect(text.substituting(replacement, for: sought) == expected)
    }
}
