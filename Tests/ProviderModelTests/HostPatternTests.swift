import ProviderModel
import Testing

@Suite("A host pattern covers what it says")
struct HostPatternTests {
    @Test(arguments: [
        ("example.com", "https://example.com/a", true), ("example.com", "https://EXAMPLE.com/", true),
        ("example.com", "http://example.com/", false), ("example.com", "https://a.example.com/", false),
        ("example.com", "https://example.com.evil/", false), ("example.com", "https://example.com:8443/", false),
        ("https://example.com", "https://example.com/", true), ("https://example.com", "http://example.com/", false),
        ("http://example.com", "http://example.com/", true), ("http://example.com", "https://example.com/", true),
        ("*.example.com", "https://a.example.com/", true), ("*.example.com", "https://a.b.example.com/", true),
        ("*.example.com", "https://example.com/", false), ("*.example.com", "https://notexample.com/", false),
        ("*.Example.COM", "https://a.example.com/", true), ("example.com:8443", "https://example.com:8443/", true),
        ("example.com:8443", "https://example.com/", false), ("*", "https://anything.example/", true),
        ("*", "https://anything.example:8443/", true), ("*", "http://anything.example/", false),
        ("localhost", "http://localhost:8080/", true), ("127.0.0.1", "http://127.0.0.1:9/", true),
        ("localhost:8080", "http://localhost:8081/", false), ("{instance}", "https://example.com/", false),
    ])
    func urlIsCoveredOrNot(_ pattern: String, _ url: String, covered: Bool) throws {
        #expect(try #require(HostPattern(pattern)).matches(WebURL(url)) == covered)
    }

    @Test(arguments: [
        ("https://chosen.example", true), ("https://chosen.example:444", false), ("http://chosen.example", false),
        ("https://a.chosen.example", false),
    ])
    func instanceIsTheChosenServerAlone(_ url: String, covered: Bool) throws {
        let pattern = try #require(HostPattern("{instance}"))
        #expect(try pattern.matches(WebURL(url), instance: WebURL("https://chosen.example/")) == covered)
    }

    @Test(arguments: [
        "", "*.", "a.*.com", "*example.com", "example.com/path", "user@example.com", "exa mple.com", "**", "ftp://a",
    ])
    func otherTextIsNoPattern(_ text: String) {
        #expect(HostPattern(text) == nil)
    }
}
