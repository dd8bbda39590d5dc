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
}
