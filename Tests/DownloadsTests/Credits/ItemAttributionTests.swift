import ProviderModel
import Testing

@testable import Downloads

@Suite struct ItemAttributionTests {
    private var item: Item {
        get throws {
            var item = Item(provider: try #require(ProviderID("loop")), id: "7")
            item.title = "<b>Fox</b> & \u{202E}hound"
            item.author = Author(name: "Ann \"A\"", url: try WebURL("https://people.example/ann?a=1&b=2"))
            item.license = License(id: "cc-by-4.0", url: try WebURL("https://creativecommons.org/licenses/by/4.0/"))
            item.page = try WebURL("https://loop.example/7")
            return item
        }
    }

    private func attribution(_ item: Item, terms: (inout Terms) -> Void = { _ in }) -> ItemAttribution {
        var manifest = ProviderManifest(id: item.provider, name: "Loop", version: "1.0.0")
        terms(&manifest.terms)
        return AttributionWriter(DownloadSource(manifest)).attribution(of: item)
    }

    @Test func htmlHasLinksAndNoMarkupOfStrangers() throws {
        #expect(
            attribution(try item).html
                == "“&lt;b&gt;Fox&lt;/b&gt; &amp; hound” by "
                + "<a href=\"https://people.example/ann?a=1&amp;b=2\">Ann &quot;A&quot;</a>, "
                + "<a href=\"https://creativecommons.org/licenses/by/4.0/\">CC BY 4.0</a>, "
                + "<a href=\"https://loop.example/7\">Loop</a>")
    }

    @Test func textIsTheLineThatTheSourceAsksFor() throws {
        #expect(attribution(try item) { $0.attribution = "By {author.name} on Loop" }.text == "By Ann \"A\" on Loop")
        var bare = Item(provider: try item.provider, id: "8")
        bare.page = try WebURL("https://loop.example/8")
        #expect(attribution(bare).text == "via Loop")
        #expect(attribution(bare).markdown == "[Loop](<https://loop.example/8>)")
    }
}
