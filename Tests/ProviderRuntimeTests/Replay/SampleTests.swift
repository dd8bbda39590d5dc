import ProviderModel
import ProviderRuntime
import ProviderTestSupport
import Testing

/// What `--sample` answers to requests that were not recorded.
@Suite struct SampleTests {
    private let library = CassetteLibrary([
        MadeProvider.cassette("feed", [MadeProvider.entry("/photos?page=1&size=20", "feed")]),
        MadeProvider.cassette(
            "search",
            [
                MadeProvider.entry("/photos?q=coffee&page=1&size=20", "first"),
                MadeProvider.entry("/photos?q=coffee&page=2&size=20", "second"),
                MadeProvider.entry("/photos?q=coffee&page=1&size=20&color=red", "red"),
            ]),
        MadeProvider.cassette("empty", [MadeProvider.entry("/photos?q=nothing&page=1&size=20", "empty")]),
    ])

    @Test(arguments: [
        ("q=coffee&page=1&size=20", "first"), ("q=fox&page=1&size=20", "first"), ("q=fox&page=2&size=20", "second"),
        ("q=fox&page=1&size=5", "first"), ("page=1&size=20", "feed"), ("page=1&size=5", "feed"),
        ("q=fox&page=1&size=20&color=blue", "red"), ("q=nothing&page=1&size=20", "empty"),
        ("q=nothing&page=2&size=20", "second"),
    ])
    func mostSimilarRequestIsAnswered(query: String, expected: String) throws {
        let entry = try #require(library.sample(for: request("https://api.made.example/photos?\(query)")))
        #expect(String(decoding: entry.content, as: UTF8.self) == expected)
    }
}
