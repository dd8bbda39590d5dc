import ProviderModel
import Testing

@Suite("One component is percent-encoded")
struct PercentEncodingTests {
    @Test(arguments: [
        ("", ""), ("aZ09-._~", "aZ09-._~"), ("a b", "a%20b"), ("a+b&c=d/e?f#g", "a%2Bb%26c%3Dd%2Fe%3Ff%23g"),
        ("é", "%C3%A9"), ("😀", "%F0%9F%98%80"), ("100%", "100%25"), ("\n", "%0A"),
    ])
    func encodedTextComesBack(_ text: String, _ encoded: String) {
        #expect(PercentEncoding.encode(text) == encoded)
        #expect(PercentEncoding.decode(encoded) == text)
    }

    @Test(arguments: [
        ("a+b", "a b"), ("%c3%a9", "é"), ("%", "%"), ("%4", "%4"), ("%zz", "%zz"), ("%%41", "%A"), ("%4%41", "%4A"),
        ("%ff", "\u{FFFD}"),
    ])
    func brokenSequencesStay(_ text: String, _ decoded: String) {
        #expect(PercentEncoding.decode(text) == decoded)
    }
}
