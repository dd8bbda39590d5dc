import Testing

@testable import ScriptEngine

/// The module that providers of feeds share, held against entries as feeds have them.
struct FeedThemeTests {
    @Test(arguments: [
        ("<title>Föx &amp; hound</title>", "Föx & hound"), ("<title type='html'>&lt;b&gt;Fox&lt;/b&gt;</title>", "Fox"),
        ("<title type='application/octet-stream'>\n Rm94IDxiPmRhd248L2I+ \n</title>", "Fox dawn"),
        ("<title mode='base64'>Rm94</title>", "Fox"),
        ("<m:title xmlns:m='http://search.yahoo.com/mrss/'>Fox</m:title>", "Fox"),
        ("<title>Own</title><m:title xmlns:m='http://search.yahoo.com/mrss/'>Fox</m:title>", "Own"),
    ])
    func titleIsReadHoweverItIsWritten(_ markup: String, _ title: String) throws {
        let feed = "<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>1</id>\(markup)</entry></feed>"
        #expect(try FeedReader().first(of: Array(feed.utf8))?["title"] == title)
    }

    @Test func namesMayHaveAPrefix() throws {
        let feed = """
            <d:RDF xmlns:d="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:r="http://purl.org/rss/1.0/">\
            <r:item><r:title>Fox</r:title><r:link>https://a.example/fox</r:link></r:item></d:RDF>
            """
        let found = try FeedReader().first(of: Array(feed.utf8))
        #expect(found?["title"] == "Fox" && found?["page"] == "https://a.example/fox")
    }
}
