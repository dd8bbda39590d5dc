import ProviderModel
import Testing

@testable import ProviderRuntime

@Suite("A page URL leads to its item")
struct PagePatternTests {
    @Test(arguments: [
        ("https://pixabay.com/photos/{slug}-{id}/", "https://pixabay.com/photos/a-b-c-12/", "12"),
        ("https://pixabay.com/photos/{slug}-{id}/", "https://pixabay.com/photos/a-12", "12"),
        ("https://pixabay.com/photos/{slug}-{id}/", "http://www.pixabay.com/photos/a-12/?x=1#y", "12"),
        ("https://pixabay.com/photos/{slug}-{id}/", "HTTPS://PIXABAY.com/photos/a-12/", "12"),
        ("https://www.example.com/{id}", "https://example.com/7", "7"),
        ("https://example.com/{id}", "https://www.example.com/7//", "7"),
        ("https://example.com/*/{id}", "https://example.com/de/7", "7"),
        ("https://example.com/view?id={id}", "https://example.com/view?id=7", "7"),
        ("https://example.com/view?id={id}", "https://example.com/view?id=7&from=feed#top", "7"),
        ("https://example.com/view?id={id}", "https://example.com/view?from=feed&id=7", "7"),
        ("https://example.com/{id}", "https://example.com/caf%C3%A9", "café"),
        ("https://example.com/{id}", "https://example.com/a+b", "a+b"),
        ("https://example.com/view?id={id}", "https://example.com/view?id=a+b", "a b"),
        ("https://example.com:8080/{id}", "https://example.com:8080/7", "7"),
        ("user:{id}", "user:someone", "someone"),
        ("user:{id}", "user:Some One", "Some One"),
        ("user:*{id}", "user:café", "é"),
    ])
    func namedPartIsFound(_ pattern: String, in text: String, is id: String) {
        #expect(PagePattern(pattern).names(in: .init(text))?["id"] == id)
    }

    @Test(arguments: [
        ("https://pixabay.com/photos/{slug}-{id}/", "https://pixabay.com/photos/"),
        ("https://pixabay.com/photos/{slug}-{id}/", "https://pixabay.com/photos/nodash/"),
        ("https://pixabay.com/photos/{slug}-{id}/", "https://pixabay.com/photos/a-12/more"),
        ("https://pixabay.com/photos/{slug}-{id}/", "https://pixabay.com.evil.example/photos/a-12"),
        ("https://pixabay.com/photos/{slug}-{id}/", "https://evil.example/pixabay.com/photos/a-12"),
        ("https://pixabay.com/photos/{slug}-{id}/", "pixabay.com/photos/a-12"),
        ("https://pixabay.com/photos/{slug}-{id}/", "ftp://pixabay.com/photos/a-12"),
        ("https://example.com/{id}", "https://example.com/"),
        ("https://example.com/{id}", "https://example.com:8080/7"),
        ("https://example.com/view?id={id}", "https://example.com/view"),
        ("https://example.com/view?id={id}", "https://example.com/view?id="),
        ("https://example.com/view?id={id}", "https://example.com/view?paid=7"),
        ("user:{id}", "user:"),
        ("user:{id}", "user:a/b"),
        ("https://example.com/a/{id}", "https://example.com/a/b%2fc/d"),
        ("https://example.com/view?id={id}", "https://example.com/view?id=a/b"),
        ("user:{id}", "https://example.com/user:a"),
    ])
    func otherTextDoesNotMatch(_ pattern: String, _ text: String) {
        #expect(PagePattern(pattern).names(in: .init(text))?["id"] == nil)
    }

    @Test func textThatAlmostMatchesManyTimesEndsSoon() {
        let pattern = PagePattern("https://example.com/*-*-*-*-*-*-*-*-{id}.html")
        let text = "https://example.com/" + String(repeating: "-a", count: 60) + ".htm"
        #expect(pattern.names(in: .init(text)) == nil)
    }

    @Test func timeOfMatchingIsBoundedByTheLengths() {
        let names = (0..<30).map { "{p\($0)}a" }.joined()
        let pattern = TextPattern(names + String(repeating: "*a", count: 25) + "z")
        let text = String(repeating: "a", count: 3_999)
        let start = ContinuousClock.now
        #expect(pattern.names(in: text) == nil)
        #expect(pattern.names(in: text + "z")?["p0"]?.count == text.count - 109)
        #expect(ContinuousClock.now - start < .seconds(2))
    }

    private static let pages = [
        ("pixabay", "https://pixabay.com/photos/coffee-beans-roast-99100000/", "image 99100000"),
        ("pixabay", "https://pixabay.com/de/illustrations/tasse-kaffee-99100001/", "image 99100001"),
        ("pixabay", "https://pixabay.com/vectors/cup-7", "image 7"),
        ("unsplash", "https://unsplash.com/photos/flat-white-nlHhMUj9CtX?utm_source=x", "image flat-white-nlHhMUj9CtX"),
        ("unsplash", "https://unsplash.com/@odalysfernwick", "collection user:odalysfernwick"),
        ("unsplash", "https://unsplash.com/collections/7310042/cups-and-rain", "collection collection:7310042"),
        ("unsplash", "https://unsplash.com/collections/7310042", "collection collection:7310042"),
        ("unsplash", "user:odalysfernwick", "collection user:odalysfernwick"),
        ("unsplash", "collection:7310042", "collection collection:7310042"),
        ("flickr", "https://www.flickr.com/photos/boprovbild/99702469154/", "image 99702469154"),
        ("flickr", "https://www.flickr.com/photos/boprovbild/99702469154/in/photostream/", "image 99702469154"),
        ("flickr", "https://flickr.com/photos/909081462@N06/99702469154", "image 99702469154"),
        ("flickr", "https://www.flickr.com/photos/boprovbild/", "collection user:boprovbild"),
        ("flickr", "https://www.flickr.com/people/boprovbild/", "collection user:boprovbild"),
        ("flickr", "https://www.flickr.com/photos/boprovbild/albums/721", "collection album:boprovbild/721"),
        ("flickr", "https://www.flickr.com/photos/boprovbild/albums/721/", "collection album:boprovbild/721"),
        ("flickr", "user:909081462@N06", "collection user:909081462@N06"),
        ("flickr", "album:boprovbild/721", "collection album:boprovbild/721"),
        ("itunes", "https://music.apple.com/us/album/coffee-for-nobody/9900002003", "image 9900002003"),
        ("itunes", "https://music.apple.com/us/artist/someone/9900000103", "collection 9900000103"),
        ("itunes", "https://apps.apple.com/us/app/pour-over-timer/id9900003007", "image 9900003007"),
        ("itunes", "https://podcasts.apple.com/us/podcast/cups/id9900004001", "image 9900004001"),
        ("itunes", "https://books.apple.com/us/book/a-cup/id9900005001", "image 9900005001"),
        ("itunes", "https://itunes.apple.com/us/movie/coffee/id1063466898?uo=4", "image 1063466898"),
        (
            "openverse", "https://openverse.org/image/3ca58220-77ac-4b66-ad83-bfc487f25d32?q=coffee",
            "image 3ca58220-77ac-4b66-ad83-bfc487f25d32"
        ),
        ("openverse", "https://openverse.org/de/image/3ca58220", "image 3ca58220"),
        ("openverse", "related:3ca58220", "collection related:3ca58220"),
    ]

    @Test(arguments: pages)
    func shippedProviderKnowsItsPages(_ provider: String, _ page: String, item: String) async throws {
        let source = try await TestProvider.shipped(provider, over: ScriptedTransport(""))
        let found = try #require(source.item(matching: page))
        #expect("\(found.type) \(found.id)" == item)
        #expect(found.page?.description == (page.contains("://") ? page : nil))
        #expect(found.provider.description == provider)
    }

    @Test(arguments: ["flickr", "itunes", "openverse", "pixabay", "unsplash"])
    func shippedProviderLeavesOtherPagesAlone(_ provider: String) async throws {
        let source = try await TestProvider.shipped(provider, over: ScriptedTransport(""))
        for text in ["coffee", "https://example.com/photos/a-1/", "https://", "", "12345", "@user"] {
            #expect(source.item(matching: text) == nil, "\(text)")
        }
        let others = Self.pages.filter { $0.0 != provider && $0.1.contains("://") }
        for page in others { #expect(source.item(matching: page.1) == nil, "\(page.1)") }
    }
}
