import Foundation
import HTTPTypes
import ProviderModel
import ProviderRuntime
import TestSupport
import Testing

@Suite("Cassette files")
struct CassetteFileTests {
    private static let shipped = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../providers/cassettes").standardizedFileURL.path

    private func read(_ text: String) throws -> Cassette {
        let folder = TemporaryFolder()
        try text.write(toFile: folder.path + "/made.json", atomically: true, encoding: .utf8)
        return try Cassette(contentsOf: folder.path + "/made.json")
    }

    @Test func linkAtItsPlaceIsRefusedAndNotFollowed() throws {
        let folder = TemporaryFolder()
        let path = "\(folder.path)/search.json"
        try #require(symlink("\(folder.path)/target", path) == 0)
        let cassette = Cassette(name: "search", provider: ProviderID("made")!)
        let error = #expect(throws: ProviderError.self) { try cassette.write(into: folder.path) }
        #expect(error?.message.hasPrefix("\(path) is a symbolic link, which is not followed") == true)
        #expect(FolderListing.names(in: folder.path) == ["search.json"])
    }

    private func entry(response: String, request: String = #""url":"https://a.example/""#) -> String {
        #"{"cassette":1,"entries":[{"request":{\#(request)},"response":{\#(response)}}]}"#
    }

    @Test(arguments: [
        (#""json":{"b":1,"a":[1.0]}"#, #"{"b":1,"a":[1.0]}"#), (#""text":"one\ntwo""#, "one\ntwo"),
        (#""text":["one","two",""]"#, "one\ntwo\n"), (#""base64":"AAEC""#, "\u{0}\u{1}\u{2}"), (#""status":204"#, ""),
    ])
    func bodiesAreReadInEveryForm(_ stored: String, _ body: String) throws {
        #expect(try read(entry(response: stored)).entries[0].content == Array(body.utf8))
    }

    @Test(arguments: [
        ("[]", "expected an object with \"cassette\""), (#"{"cassette":2,"entries":[]}"#, "cassette is 2, expected 1"),
        (
            #"{"cassette":1,"entries":[{"request":{"url":"a"},"response":{}}]}"#,
            "is not a cassette: entries[0].request.url: expected an absolute"
        ),
        (
            #"{"cassette":1,"entries":[{"request":{"url":"https://a.example/"},"response":{"status":"x"}}]}"#,
            "response.status"
        ),
        (
            #"{"cassette":1,"entries":[{"recorded":"x","request":{"url":"https://a.example/"},"response":{}}]}"#,
            "recorded"
        ),
        ("{", "is not valid JSON"), ("{\n  \"cassette\" 1", "at line 2, column 14"),
        (
            #"{"cassette":1,"entries":[{"call":{"operation":"find"},"request":{"url":"https://a.example/"},"response":{}}]}"#,
            "entries[0].call.operation: expected one of search, feed, details, collection, similar, download, found \"find\""
        ),
        (
            #"{"cassette":1,"entries":[{"call":{"operation":"details"},"request":{"url":"https://a.example/"},"response":{}}]}"#,
            "entries[0].call.item: expected the id of an item, found nothing"
        ),
    ])
    func whatIsNoCassetteSaysWhere(_ text: String, _ reason: String) {
        let error = #expect(throws: ProviderError.self) { try read(text) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test func whatCannotBeReadSaysWhy() throws {
        let folder = TemporaryFolder()
        let error = #expect(throws: ProviderError.self) { try Cassette(contentsOf: folder.path) }
        #expect(error?.description == "could not read \(folder.path): Is a directory")
    }

    @Test func whatIsWrittenReadsBackTheSame() throws {
        let url = try WebURL("https://api.made.example/search?q=a%20b")
        let bodies = [
            #"{"z":1.50,"a":[1,"é"]}"#, "<html>\n<p>one</p>\n</html>\n", "plain", "", #"{"a":1,"a":2}"#, "\u{0}\u{7f}",
        ]
        let entries = bodies.map { body in
            Cassette.Entry(
                method: "POST", url: url, body: Array("q=a%20b&page=1".utf8), status: 201,
                headers: [.contentType: "text/plain", HTTPField.Name("link")!: "<https://a.example/>; rel=\"next\""],
                content: Array(body.utf8), recorded: CalendarDay("2026-01-31"))
        }
        let folder = TemporaryFolder()
        let written = Cassette(name: "made", provider: ProviderID("made")!, entries: entries)
        try written.write(into: folder.path + "/deep/er")
        let read = try Cassette(contentsOf: folder.path + "/deep/er/made.json")
        for (old, new) in zip(entries, read.entries) {
            #expect(new.content == old.content)
            #expect(new.body == old.body)
            #expect(new.headers == old.headers)
            #expect(new.status == 201)
            #expect(new.url == url)
            #expect(new.recorded == CalendarDay("2026-01-31"))
        }
        #expect(read.text == written.text)
    }

    @Test func callsAreWrittenAndReadBack() throws {
        var search = RecordedCall(.search, text: "a b", limit: 5)
        search.parameters = [NamedValue("order", "latest")]
        search.near = ProviderQuery.Point(latitude: 52.5, longitude: -13.25)
        let calls = [
            search, RecordedCall(.feed), RecordedCall(.collection, limit: 2, item: "user:anna"),
            RecordedCall(.details, item: "1"), RecordedCall(.download, item: "1", media: 0),
            RecordedCall(.download, item: "1", media: 2),
        ]
        let entries = try calls.map {
            Cassette.Entry(calls: [$0], url: try WebURL("https://a.example/"), content: [])
        }
        let folder = TemporaryFolder()
        try Cassette(name: "made", provider: ProviderID("made")!, entries: entries).write(into: folder.path)
        let read = try CassetteLibrary(folder: folder.path)
        #expect(read.recordings.map(\.call) == calls)
        #expect(read.cassettes[0].text.contains(#""call": {"#))
    }

    @Test func htmlIsWrittenLineByLineAndJSONInItsOwnOrder() throws {
        let html = Cassette.Entry(url: try WebURL("https://a.example/"), content: Array("<ul>\n<li>\n</ul>".utf8))
        let json = Cassette.Entry(url: try WebURL("https://a.example/"), content: Array(#"{"b":1,"a":2}"#.utf8))
        let text = Cassette(name: "made", provider: ProviderID("made")!, entries: [html, json]).text
        #expect(text.contains("\"<ul>\",\n          \"<li>\",\n          \"</ul>\""))
        #expect(text.contains("\"b\": 1,\n          \"a\": 2"))
    }

    @Test func shippedCassettesAreWrittenAsTheyStand() throws {
        let folder = Self.shipped + "/pixabay"
        for cassette in try Cassette.all(in: folder) {
            let text = try String(contentsOfFile: "\(folder)/\(cassette.name).json", encoding: .utf8)
            #expect(cassette.text == text, "\(cassette.name)")
        }
    }

    @Test func aFolderThatIsNotThereHasNoCassettes() throws {
        #expect(try Cassette.all(in: "/nonexistent").isEmpty)
    }
}
