import Testing

@testable import ProviderAuthoring

@Suite("A response is read by paths and selectors")
struct ResponseOutlineTests {
    private func lines(_ text: String) -> [String] {
        ResponseOutline(of: Array(text.utf8)).lines.map { line in
            (line.count > 1 ? "\(line.place) ×\(line.count)" : line.place)
                + (line.value.isEmpty ? "" : "  \(line.value)")
        }
    }

    @Test func jsonHasEveryPathOnce() {
        #expect(
            lines(
                #"{"total": 2, "items": [{"id": 1, "urls": {"full": "a"}}, {"id": 2, "tags": ["x", "y"]}], "of": []}"#)
                == [
                    "total  2", "items[].id ×2  1", "items[].urls.full  \"a\"", "items[].tags[] ×2  \"x\"", "of  []",
                ])
        #expect(lines("[1, 2]") == ["[] ×2  1"])
        #expect(lines("7") == ["$  7"])
    }

    @Test func pageHasItsSelectors() {
        let page = """
            <!doctype html><html><head><title>Foxes &amp; owls</title><script id=d>if (a<b) {"x": 1}</SCRIPT></head>
            <body><!-- <a href=no> --><div class="grid wide tall"><a class=card href='/p/1'><img data-src="/t/1.jpg" alt="Fox">
            <b>One</b></a><a class=card href='/p/2'><img data-src="/t/2.jpg" alt="Owl"><b>Two</b></a></div><p>end
            """
        #expect(
            lines(page) == [
                "head > title  Foxes & owls", #"head > script#d  if (a<b) {"x": 1}"#, "body > div.grid.wide",
                #"div.grid.wide > a.card ×2  href="/p/1""#,
                #"a.card > img ×2  data-src="/t/1.jpg"  alt="Fox""#, "a.card > b ×2  One", "body > p  end",
            ])
    }

    @Test func feedHasItsElements() {
        let feed = """
            <?xml version="1.0"?><rss><channel><item><title><![CDATA[A <b>fox</b>]]></title>
            <media:content url="https://a.example/1.jpg"/><guid>1</guid></item></channel></rss>
            """
        #expect(
            lines(feed) == [
                "item > title  A <b>fox</b>", #"item > media\:content  url="https://a.example/1.jpg""#,
                "item > guid  1",
            ])
    }

    /// What is damaged has an outline as well, and reading it ends.
    @Test(arguments: ["", "<", "<a", "<a b=", "<a b='", "</", "<!--", "<script>", "<p><![CDATA[", "{", "<a =x>"])
    func damagedTextIsRead(text: String) {
        #expect(lines(text).count <= 1)
    }
}
