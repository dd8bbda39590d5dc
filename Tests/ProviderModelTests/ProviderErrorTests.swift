import Testing

@testable import ProviderModel

@Suite("An error names its place")
struct ProviderErrorTests {
    private static let location = SourceLocation(file: "pixabay.js", line: 41, column: 9)

    @Test(arguments: [
        (ProviderError(.auth, provider: "pixabay", message: "no key"), "pixabay: no key"),
        (
            ProviderError(.auth, provider: "pixabay", operation: .search, message: "no key"),
            "pixabay: search: no key"
        ),
        (ProviderError(.notFound, provider: "", message: "\"x\" is no reference"), "\"x\" is no reference"),
        (
            ProviderError(.result, provider: "pixabay", location: location, path: "id", message: "expected a string"),
            "pixabay.js:41:9: id: expected a string"
        ),
        (
            ProviderError(
                .script, provider: "safebooru", operation: .search, phase: "parse",
                location: SourceLocation(file: "gelbooru-theme.js", line: 7, column: 2), message: "not a function"),
            "safebooru: gelbooru-theme.js:7:2 search.parse: not a function"
        ),
        (
            ProviderError(
                .result, provider: "newsite", location: SourceLocation(file: "sites/newsite.js", line: 1),
                message: "no id"),
            "sites/newsite.js:1: no id"
        ),
        (
            ProviderError(
                .result, provider: "pixabay", operation: .search, phase: "parse", location: location,
                path: "items[3].media[0].url", message: "expected an absolute URL, found undefined"),
            "pixabay.js:41:9 search.parse: items[3].media[0].url: expected an absolute URL, found undefined"
        ),
    ])
    func descriptionSaysWhereAndWhat(_ error: ProviderError, _ description: String) {
        #expect(error.description == description)
    }

    @Test(arguments: [(0, 0, "a.js"), (4, 0, "a.js:4"), (4, 2, "a.js:4:2")])
    func locationLeavesOutWhatIsUnknown(line: Int, column: Int, _ description: String) {
        #expect(SourceLocation(file: "a.js", line: line, column: column).description == description)
    }

    @Test(arguments: [
        ("plain", "\"plain\""), ("a\nb\u{1b}[0m", "\"a\u{FFFD}b\u{FFFD}[0m\""),
        (String(repeating: "x", count: 90), "\"\(String(repeating: "x", count: 80))…\""),
    ])
    func quotedTextIsOneReadableLine(_ text: String, _ quoted: String) {
        #expect(text.quoted == quoted)
    }

    @Test(arguments: [
        ("a", true), ("art-institute-chicago", true), ("500px", true), ("", false), ("-a", false), ("A", false),
        ("a_b", false), ("a.b", false), ("../a", false), ("é", false), (String(repeating: "a", count: 64), true),
        (String(repeating: "a", count: 65), false),
    ])
    func providerNamesAreSafeAsFileNames(_ text: String, isName: Bool) {
        #expect((ProviderID(text) != nil) == isName)
    }
}
