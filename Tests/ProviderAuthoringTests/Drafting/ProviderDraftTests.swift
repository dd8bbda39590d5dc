import Foundation
import ProviderModel
import ProviderTestSupport
import ProviderTesting
import TestSupport
import Testing

@testable import ProviderAuthoring

@Suite("Providers drafted from recorded answers")
struct ProviderDraftTests {
    @Test(arguments: InventedAnswer.all)
    func shapeGivesTheMapping(answer: InventedAnswer) throws {
        let lines = try answer.draft().findings.map { "\($0.subject): \($0.detail)" }
        #expect(answer.findings.filter { !lines.contains($0) } == [], "\(lines)")
    }

    @Test(arguments: InventedAnswer.all)
    func draftKeepsToTheContractAndPassesItsTestsAtOnce(answer: InventedAnswer) async throws {
        let folder = TemporaryFolder()
        let path = try write(answer.draft(), into: folder)
        let report = await ProviderConformance.run(file: path, settings: MadeProvider.settings)
        #expect(report.failures == [])
        var settings = TestSettings()
        settings.worker = BuiltWorker.path
        settings.deadline = .seconds(10)
        let expectations = await ProviderExpectations.run(file: "\(folder.path)/made.test.js", settings: settings)
        #expect(expectations.failures == [])
        #expect(expectations.count(of: .passed) == 2)
    }

    @Test func everyImageOfAnItemIsOne() throws {
        let several = InventedAnswer.all.filter { $0.testDescription.hasPrefix("several images") }
        for answer in several + InventedAnswer.all.filter({ $0.testDescription.hasPrefix("lists of lists") }) {
            let script = try answer.draft().script
            #expect(script.contains(".flatMap(images)"), "\(script)")
            #expect(script.contains("id: index ? `${item.id}/${index}` : item.id,"), "\(script)")
        }
        #expect(
            try several[0].draft().script.contains(
                "item.media.filter((/** @type {any} */ file) => file.type === 'image')"))
    }

    /// The request of the second page tells what the answer leaves open.
    @Test(arguments: [
        ("?q=x", "?q=x&seite=2", "paging: 'page'", "seite: q.page > 1 ? q.page : null"),
        ("?q=x&ab=0", "?q=x&ab=2", "paging: 'offset'", "ab: q.offset"),
        ("?q=x&ab=1", "?q=x&ab=3", "paging: 'offset'", "ab: q.offset + 1"),
        ("?q=x", "?q=x&blatt=1", "paging: 'page0'", "blatt: q.page || null"),
        ("?q=x", "?q=x&ab=k9", "next: res.json.rest ?? null", "ab: q.cursor"),
        ("?q=x", "?q=x&vor=u2", "next: res.json.items.at(-1)?.id ?? null", "vor: q.cursor"),
    ])
    func secondRequestShowsHowPagesFollow(first: String, second: String, way: String, sent: String) throws {
        let answer =
            #"{"rest":"k9","items":[{"id":"u1","title":"A","image":"https://i.a.example/1.jpg"},"#
            + #"{"id":"u2","title":"B","image":"https://i.a.example/2.jpg"}]}"#
        var exchange = ProviderDraft.Exchange(
            command: try CurlCommand(parsing: "https://api.a.example/search\(first)"), content: Array(answer.utf8))
        exchange.secondPage = try CurlCommand(parsing: "https://api.a.example/search\(second)")
        let draft = try ProviderDraft(exchange, id: ProviderID("made")!)
        #expect(draft.script.contains(way) && draft.script.contains(sent), "\(draft.script)")
        #expect(draft.notes.filter { $0.contains("guess") || $0.contains("paging") } == [])
    }

    @Test func secondRequestThatShowsNothingIsSaid() throws {
        let answer = #"{"items":[{"id":"u1","title":"A","image":"https://i.a.example/1.jpg"}]}"#
        func notes(_ second: String) throws -> [String] {
            var exchange = ProviderDraft.Exchange(
                command: try CurlCommand(parsing: "https://api.a.example/search?q=x"), content: Array(answer.utf8))
            exchange.secondPage = try CurlCommand(parsing: "https://api.a.example/search\(second)")
            return try ProviderDraft(exchange, id: ProviderID("made")!).notes
        }
        #expect(try notes("?q=x").contains("the request of the second page differs in no parameter: paging is 'none'"))
        #expect(try notes("?q=x&at=zz").contains { $0.hasPrefix("nothing in the first response is \"zz\"") })
    }

    @Test func whatIsLeftToDoIsSaid() throws {
        func notes(_ answer: String) throws -> String {
            try ProviderDraft(
                ProviderDraft.Exchange(
                    command: CurlCommand(parsing: "https://api.a.example/search?q=x"), content: Array(answer.utf8)),
                id: ProviderID("made")!
            ).notes.joined(separator: "\n")
        }
        let ids =
            #"{"response":{"numResults":"2","result":[{"uuid":"u1","title":"A","apiUri":"http://api.a.example/items/u1"},"#
            + #"{"uuid":"u2","title":"B","apiUri":"http://api.a.example/items/u2"}]}}"#
        #expect(try notes(ids).contains("apiUri leads to each item's details"))
        let gaps =
            #"{"results":[{"id":1,"title":"A","style":"https://i.a.example/{}/1.jpg"},{"id":2,"title":"B","style":"https://i.a.example/{}/2.jpg"}]}"#
        #expect(try notes(gaps).contains("style has URLs with gaps (\"https://i.a.example/{}/1.jpg\")"))
    }

    /// A call without its page was answered by nothing.
    @Test func recordedCallIsTheOneThatTheHostMakes() throws {
        let answer = try #require(InventedAnswer.all.first { $0.testDescription == "the second page of a listing" })
        let call = try #require(try answer.draft().cassette.entries[0].calls.first)
        #expect(call.page == 2 && call.limit == 2 && call.text == "elm")
    }

    @Test func draftsReadWhatFeedsAndPagesHide() throws {
        func script(_ name: String) throws -> String {
            try #require(InventedAnswer.all.first { $0.testDescription.hasPrefix(name) }).draft().script
        }
        let atom = try script("an Atom feed")
        #expect(atom.contains("title: plainText(text('title'))"), "\(atom)")
        #expect(atom.contains("license: license(entry.querySelector('link[rel=license]')?.href)"), "\(atom)")
        #expect(atom.contains("after: q.cursor"), "\(atom)")
        let graphQL = try script("GraphQL with a connection")
        #expect(graphQL.contains("after: q.cursor ?? undefined"), "\(graphQL)")
        #expect(graphQL.contains("hasNextPage ? ") && graphQL.contains("endCursor : null"), "\(graphQL)")
        #expect(try script("a web page that loads").contains("picture.getAttribute('data-src')"))
        let sizes = try script("a web page with pictures in several sizes")
        #expect(sizes.contains("largest(picture.getAttribute('data-srcset') ?? '', picture.baseURI)"), "\(sizes)")
        #expect(sizes.contains("mediaHosts: ['sizes.example', 'cdn.sizes.example']"), "\(sizes)")
        #expect(try script("JSON in a script").contains("res.html.querySelector('script[id=\"__NEXT_DATA__\"]')"))
    }

    @Test func keysAreInNoneOfTheFiles() throws {
        let draft = try InventedAnswer.all[0].draft()
        for text in [draft.script, draft.test, draft.cassette.text] { #expect(!text.contains("s3cret")) }
        #expect(draft.authentication?.secretNames == ["key"])
    }

    /// An answer does not say what its paths are relative to: the draft takes the server that gave it, and says so.
    @Test func pathsLeadFromWhereIsAsked() throws {
        let draft = try ProviderDraft(
            ProviderDraft.Exchange(
                command: CurlCommand(parsing: "http://media.example:8080/find?q=x"),
                content: Array(#"{"hits":[{"id":1,"file":"/files/1.png"},{"id":2,"file":"/files/2.png"}]}"#.utf8)),
            id: ProviderID("made")!)
        #expect(draft.script.contains("  mediaHosts: ['http://media.example:8080'],"), "\(draft.script)")
        #expect(
            draft.notes.contains(
                "file is a path, which is resolved against http://media.example:8080: check that this is "
                    + "the right server, or else change `site`"), "\(draft.notes)")
        #expect(draft.script.contains("const site = 'http://media.example:8080/';"), "\(draft.script)")
        #expect(draft.script.contains("url: item.file && new URL(item.file, site).href"), "\(draft.script)")
    }

    @Test(arguments: [
        ("image", ["/a/1.jpg", "/a/2.jpg"], true), ("image", ["a/1.jpg", "https://b.example/2.jpg"], true),
        ("image", ["/a/1", "/a/2"], true), ("image", ["//cdn.example/1.jpg"], false), ("id", ["/2021618/x"], false),
        ("title", ["cats/dogs"], false), ("file", ["1.jpg"], false), ("thumb", ["", "/t/1.png"], true),
    ])
    func fieldsOfPathsAreReported(name: String, values: [String], isOne: Bool) throws {
        let items = values.map { JSONValue.object([.init(name, .text($0))]) }
        let field = try #require(ItemFields(of: items, at: WebURL("https://a.example/api/?q=x")).all.first)
        #expect(field.isRelative == isOne)
        #expect(field.texts.allSatisfy { !isOne || $0.isEmpty || $0.hasPrefix("https://") }, "\(field.texts)")
    }

    @Test(arguments: [
        ("[]", "no list of images"), ("{\"results\":[]}", "no list of images"), ("", "is empty"),
        ("hello", "unsupported response format (expected JSON, RSS, Atom or HTML)"),
        ("<rsp stat=\"ok\"><photos/></rsp>", "expected RSS or Atom"),
        ("<html><p>Hi</p></html>", "no image inside a link"),
        ("{\"error\":{\"message\":\"no key\"}}", "no list of images"),
    ])
    func answerWithoutImagesIsSaidToBeOne(content: String, message: String) {
        let error = #expect(throws: DraftError.self) {
            try ProviderDraft(
                ProviderDraft.Exchange(
                    command: CurlCommand(parsing: "https://a.example/?q=x"), content: Array(content.utf8)),
                id: ProviderID("made")!)
        }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        ("webformatURL", ["webformat", "url"]), ("url_l", ["url", "l"]), ("largeImageURL", ["large", "image", "url"]),
        ("URLSmall", ["url", "small"]), ("artworkUrl100", ["artwork", "url", "100"]),
        ("page[number]", ["page", "number"]),
    ])
    func namesAreSplitIntoWords(name: String, words: [String]) { #expect(NameWords(name).words == words) }

    private func write(_ draft: ProviderDraft, into folder: TemporaryFolder) throws -> String {
        try draft.script.write(toFile: "\(folder.path)/made.js", atomically: true, encoding: .utf8)
        try draft.test.write(toFile: "\(folder.path)/made.test.js", atomically: true, encoding: .utf8)
        try draft.cassette.write(into: "\(folder.path)/cassettes/made")
        return "\(folder.path)/made.js"
    }
}
