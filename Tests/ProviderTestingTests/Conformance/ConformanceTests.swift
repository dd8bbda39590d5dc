import HTTPTypes
import ProviderModel
import ProviderRuntime
import ProviderTestSupport
import ProviderTesting
import Testing

@Suite("Conformance")
struct ConformanceTests {
    /// A provider broken in one way, the check that sees it, and part of what it says.
    struct Broken: Sendable, CustomTestStringConvertible {
        var how: String
        var old: String
        var new: String
        var check: String
        var message: String
        var outcome = TestReport.Outcome.failed
        var testDescription: String { how }
    }

    static let broken = [
        Broken(
            how: "asks another host", old: "url: '/search'", new: "url: 'https://evil.example/search'",
            check: "requests go only to declared hosts", message: "found a request to https://evil.example"),
        Broken(
            how: "keeps state", old: "query: { q: q.text,",
            new: "query: { n: (globalThis.n = (globalThis.n ?? 0) + 1), q: q.text,",
            check: "the same query gives the same requests", message: "two different requests"),
        Broken(
            how: "pastes the text into the URL", old: "{ url: '/search', query: { q: q.text,",
            new: "{ url: '/search?q=' + q.text, query: {",
            check: "hostile queries are encoded correctly",
            message: "changes the request: its query has \"q, b, page, size\""
        ),
        Broken(
            how: "throws on some texts", old: "q: q.text,", new: "q: decodeURIComponent(q.text),",
            check: "hostile queries are encoded correctly", message: "URI"),
        Broken(
            how: "cuts the text", old: "q: q.text,", new: "q: q.text.replace(/[^a-z ]/gi, ''),",
            check: "hostile queries are encoded correctly", message: "is incomplete in the request", outcome: .warning),
        Broken(
            how: "asks for more than it may", old: "size: q.limit", new: "size: q.limit * 4",
            check: "page sizes are within the limits",
            message: "found size = 200, expected at most limits.pageSize.max (50)"),
        Broken(
            how: "says that it looks around a point and does not", old: "search: {", new: "search: { near: true,",
            check: "a point is sent if near is declared",
            message: "search with a point: found the same request, expected another one"),
        Broken(
            how: "looks around a point without saying so", old: "query: { q: q.text,",
            new: "query: { lat: q.near?.lat, q: q.text,",
            check: "a point is sent if near is declared",
            message: "search with a point: found it in the request, expected near: true"),
        Broken(
            how: "says nothing of terms", old: "terms: { url: 'https://made.example/terms' },", new: "",
            check: "the manifest is complete", message: "is missing", outcome: .warning),
        Broken(
            how: "gives files elsewhere", old: "url: file,", new: "url: file.replace('cdn.', 'img.'),",
            check: "every file is on a media host", message: "found a file on https://img.made.example"),
        Broken(
            how: "gives one id twice", old: "id, type: 'image'", new: "id: id === 'a2' ? 'a1' : id, type: 'image'",
            check: "ids are unique and stable", message: "found the id \"a1\" at items[0] already"),
        Broken(
            how: "gives other ids in details", old: "parse: (res) => image(res.json)",
            new: "parse: (res) => ({ ...image(res.json), id: 'd-' + res.json.id })", check: "ids are unique and stable",
            message: "details of \"a1\": found the id \"d-a1\", expected the same"),
        Broken(
            how: "gives an odd size", old: "url: file, width, height", new: "url: file, width: 900000, height",
            check: "sizes are plausible", message: "found width 900000"),
        Broken(
            how: "gives what is no item", old: "url: file, width, height", new: "url: 'a.jpg'",
            check: "recorded responses are read",
            message: "search \"coffee\": items[0].media[0].url: expected an absolute URL"),
        Broken(
            how: "swaps width and height", old: "url: file, width, height",
            new: "url: file, width: height, height: width",
            check: "items agree with their responses",
            message: "found width 600 and height 800, the response has 800 × 600"),
        Broken(
            how: "takes the wrong zone", old: "created: parseDate(taken)",
            new: "created: parseDate(taken).replace('Z', '-02:00')", check: "items agree with their responses",
            message: "found times 2 hours after those of the response"),
        Broken(
            how: "leaves entities in titles", old: "title, created", new: "title: title + ' &amp; more', created",
            check: "items agree with their responses", message: "found \"&amp;\" in \"Cup a1 &amp; more\"",
            outcome: .warning),
        Broken(
            how: "puts the key into a URL", old: "url: file,", new: "url: file + '?key=abc',",
            check: "items agree with their responses", message: "found a key in a URL: ?key=, expected none"),
        Broken(
            how: "gives two shapes of one picture", old: "url: file, width, height }",
            new: "url: file, width, height }, { role: 'large', url: file, width: 610, height: 800 }",
            check: "items agree with their responses", message: "found 800 × 600 and 610 × 800 for one picture",
            outcome: .warning),
        Broken(
            how: "misspells a field", old: "title, created", new: "titel: title, created",
            check: "fields have the contract's names", message: "found the field \"titel\", expected \"title\"",
            outcome: .warning),
        Broken(
            how: "misspells a field of a file", old: "url: file, width, height", new: "url: file, widht: width, height",
            check: "fields have the contract's names", message: "found the field \"widht\", expected \"width\"",
            outcome: .warning),
        Broken(
            how: "begins with the second page", old: "page: q.page", new: "page: q.page + 1",
            check: "the second page has its own request",
            message: "found page=2 in the request of the first page, expected 0 or 1"),
        Broken(
            how: "asks for the first page again", old: "page: q.page", new: "page: 1",
            check: "the second page has its own request", message: "found the same request for the second page"),
        Broken(
            how: "gives a day that does not exist", old: "created: parseDate(taken)", new: "created: '2024-02-30'",
            check: "dates parse", message: "found \"2024-02-30\", expected a day that exists"),
        Broken(
            how: "reads a date that is one of two", old: "created: parseDate(taken)",
            new: "created: parseDate('03/04/2024')", check: "dates parse",
            message: "found \"03/04/2024\", whose day and month cannot be told apart", outcome: .warning),
        Broken(
            how: "puts a missing value into a text", old: "title, created",
            new: "title: `${title} by ${taken.author}`, created",
            check: "no field says undefined", message: "found \"Cup a1 by undefined\""),
        Broken(
            how: "hides refusals", old: "check: (res) => {",
            new: "check: (res) => { if (res.status === 429) fail('notFound', 'no');",
            check: "error responses become the right kind of error",
            message: "429 with JSON: found an error of kind notFound"),
        Broken(
            how: "reads JSON before the status", old: "if (res.ok && res.json && res.json.error)",
            new: "if (res.json.error.message)",
            check: "error responses become the right kind of error",
            message: "401 with HTML: found an error of kind changed"),
        Broken(
            how: "calls nothing found an error", old: "items: res.json.hits.map(image)",
            new: "items: res.json.hits.length ? res.json.hits.map(image) : fail('changed', 'odd')",
            check: "no results are an empty page", message: "found an error, expected an empty page"),
        Broken(
            how: "makes titles of anything", old: "title, created", new: "title: String(title), created",
            check: "changed responses end in a clear error or a correct result",
            message: "expected an error, or the field left out"),
        Broken(
            how: "loops on odd answers", old: "items: res.json.hits.map(image)",
            new: "items: ((hits) => { while (!Array.isArray(hits)); return hits; })(res.json.hits).map(image)",
            check: "changed responses end in a clear error or a correct result", message: "found timeout"),
        Broken(
            how: "takes a changed answer for none", old: "total: res.json.total, items: res.json.hits.map(image)",
            new: "items: (res.json.hits ?? []).map(image)",
            check: "changed responses end in a clear error or a correct result", message: "as if nothing matched",
            outcome: .warning),
        Broken(
            how: "ignores the page", old: "page: q.page,", new: "page: 1,", check: "pages are disjoint",
            message: "found 3 of the 3 items of page 2 on page 1 already"),
    ]

    private func outcome(of check: String, in report: TestReport) -> TestReport.Case? {
        report.suites[0].cases.first { $0.name == check }
    }

    @Test func aGoodProviderConforms() async throws {
        let made = try MadeProvider()
        let report = await ProviderConformance.run(file: made.path, settings: MadeProvider.settings)
        #expect(report.failures == [])
        #expect(report.count(of: .skipped) == 0 && report.count(of: .warning) == 0, "\(report.suites[0].cases)")
        #expect(report.suites[0].cases.compactMap(\.memory).count == 1)
    }

    @Test(arguments: broken)
    func aBrokenProviderIsReportedWhatIsWrong(_ broken: Broken) async throws {
        let made = try MadeProvider(changing: [(broken.old, broken.new)])
        var settings = MadeProvider.settings
        if broken.how.contains("loops") { settings.deadline = .milliseconds(300) }
        if !broken.check.hasPrefix("changed") { settings.mutations = 4 }
        let report = await ProviderConformance.run(file: made.path, settings: settings)
        let found = try #require(outcome(of: broken.check, in: report))
        #expect(found.outcome == broken.outcome)
        #expect(found.problems.contains { $0.message.contains(broken.message) }, "\(found.problems.map(\.message))")
    }

    @Test func withoutCassettesChecksAreSkippedNotPassed() async throws {
        let made = try MadeProvider(cassettes: [])
        let report = await ProviderConformance.run(file: made.path, settings: MadeProvider.settings)
        #expect(report.failures == [])
        let skipped = report.suites[0].cases.filter { $0.outcome == .skipped }.map(\.name)
        #expect(skipped.contains("pages are disjoint") && skipped.contains("ids are unique and stable"))
        #expect(outcome(of: "hostile queries are encoded correctly", in: report)?.outcome == .passed)
    }

    @Test(arguments: [
        ("module.exports = {", "the file loads", "SyntaxError"),
        ("throw new Error('no');", "the file loads", "no"),
    ])
    func aFileThatDoesNotLoadIsOneFailure(_ script: String, _ name: String, _ message: String) async throws {
        let made = try MadeProvider(changing: [
            ("module.exports = {", script + (script.hasSuffix("{") ? " {" : " module.exports = {"))
        ])
        let report = await ProviderConformance.run(file: made.path, settings: MadeProvider.settings)
        #expect(report.suites[0].cases.map(\.name) == [name])
        #expect(report.failures.first?.contains(message) == true)
    }

    @Test(arguments: [
        ("contract: 1", "contract: 2", "made.js:3:3: contract: expected 1"),
        ("max: 50", "max: 0", "made.js:6:33: limits.pageSize.max: expected"),
    ])
    func aMemberThatIsWrongIsShownWhereItStands(_ old: String, _ new: String, _ message: String) async throws {
        let made = try MadeProvider(changing: [(old, new)])
        let report = await ProviderConformance.run(file: made.path, settings: MadeProvider.settings)
        #expect(report.failures.first?.contains(message) == true, "\(report.failures)")
    }

    @Test(arguments: [
        (
            "url: '/search'", "url: 'https://other.example/search'",
            "made.js:12:38: hosts: found a request to https://other.example"
        ),
        (
            "title, created", "title: '?api_key=0123456789abcdef', created",
            "found the value of a pair that holds a secret in the file"
        ),
        (
            "items: res.json.hits.map(image) })", "items: res.json.hits.map(image), next: 'on' })",
            "found a next page after all 4 items that total counts"
        ),
    ])
    func whatIsWrongBesideTheItemsIsReportedInOneSentence(_ old: String, _ new: String, _ message: String) async throws
    {
        let made = try MadeProvider(changing: [(old, new)])
        let report = await ProviderConformance.run(file: made.path, settings: MadeProvider.settings)
        #expect(report.failures.contains { $0.contains(message) }, "\(report.failures)")
    }

    @Test func answersAreFoundWhateverSizeOfPageTheyWereRecordedWith() async throws {
        let made = try MadeProvider(changing: [("max: 50, default: 3", "max: 80, default: 40")])
        let report = await ProviderConformance.run(file: made.path, settings: MadeProvider.settings)
        #expect(outcome(of: "pages are disjoint", in: report)?.note == "search \"coffee\": 3 + 1")
    }

    @Test func requestThatNoRecordedOneIsLikeIsShownBesideTheNearest() async throws {
        let made = try MadeProvider(changing: [("page: q.page,", "page: q.page, lang: 'en',")])
        let report = await ProviderConformance.run(file: made.path, settings: MadeProvider.settings)
        let message = outcome(of: "recorded responses are read", in: report)?.problems.first?.message ?? ""
        #expect(message.contains("search.json entries[0] differs:") && message.contains("`lang`: not recorded"))
    }

    /// Half of the images' licences would be lost without a word.
    @Test func licenseThatNoItemHasIsFound() async throws {
        let image = MadeProvider.image("a1", extra: #","license":"by-sa""#)
        let entry = MadeProvider.entry(
            "/search?q=coffee&page=1&size=3", #"{"total":1,"hits":[\#(image)]}"#, of: MadeProvider.coffee)
        let made = try MadeProvider(cassettes: [MadeProvider.cassette("search", [entry])])
        let report = await ProviderConformance.run(file: made.path, settings: MadeProvider.settings)
        let found = outcome(of: "items agree with their responses", in: report)
        #expect(
            found?.problems.map(\.message) == [
                "search \"coffee\": the response has license: \"by-sa\", and no item has a license"
            ])
    }

    /// A source answers a parameter that it does not know with the first page.
    @Test func cursorWithAnotherNameThanTheResponsesLinkIsFound() async throws {
        let next = #""next":"https://api.made.example/search?q=coffee&size=3&cursor=x7""#
        let entry = MadeProvider.entry(
            "/search?q=coffee&size=3", #"{"hits":[\#(MadeProvider.image("a1"))],\#(next)}"#, of: MadeProvider.coffee)
        for (name, expected) in [("after", TestReport.Outcome.failed), ("cursor", .passed)] {
            let made = try MadeProvider(
                changing: [
                    ("page: q.page", "\(name): q.cursor"), ("auth:", "paging: 'cursor', auth:"),
                    ("total: res.json.total,", "next: new URL(res.json.next).searchParams.get('cursor'),"),
                ], cassettes: [MadeProvider.cassette("search", [entry])])
            let report = await ProviderConformance.run(file: made.path, settings: MadeProvider.settings)
            let found = outcome(of: "the second page has its own request", in: report)
            #expect(found?.outcome == expected, "\(found?.problems ?? [])")
        }
    }

    /// The response has no size; the picture has.
    @Test func sizeIsComparedWithTheRecordedPicture() async throws {
        let gif = Array("GIF89a".utf8) + [0x20, 0x03, 0x58, 0x02, 0, 0, 0]
        let file = Cassette.Entry(url: try WebURL("https://cdn.made.example/a1.jpg"), content: gif)
        let made = try MadeProvider(
            changing: [("url: file, width, height", "url: file, width: 600, height: 800")],
            cassettes: MadeProvider.cassettes + [MadeProvider.cassette("files", [file])])
        let report = await ProviderConformance.run(file: made.path, settings: MadeProvider.settings)
        let found = outcome(of: "items agree with their responses", in: report)
        #expect(found?.problems.first?.message.contains("the recorded file is 800 × 600") == true)
    }

    @Test func listingWhoseTotalIsKnownNeedsNoRecordedEnd() async throws {
        let hits = ["a1", "a2", "a3"].map { MadeProvider.image($0) }.joined(separator: ",")
        let first = MadeProvider.entry(
            "/search?q=coffee&page=1&size=3", #"{"total":400,"hits":[\#(hits)]}"#, of: MadeProvider.coffee)
        let made = try MadeProvider(cassettes: [MadeProvider.cassette("search", [first])])
        let report = await ProviderConformance.run(file: made.path, settings: MadeProvider.settings)
        #expect(outcome(of: "listings end", in: report)?.outcome == .passed)
    }

    /// Compared with every entry, and played more than once, each call would take as long as the cassette is.
    @Test(.timeLimit(.minutes(1))) func aThousandRecordedSearchesAreCheckedInSeconds() async throws {
        let entries = (0..<1_000).map { number in
            MadeProvider.entry(
                "/search?q=word\(number)&page=1&size=3", #"{"total":1,"hits":[\#(MadeProvider.image("i\(number)"))]}"#,
                of: RecordedCall(.search, text: "word\(number)", limit: 3))
        }
        let made = try MadeProvider(cassettes: [MadeProvider.cassette("search", entries)])
        let report = await ProviderConformance.run(file: made.path, settings: MadeProvider.settings)
        #expect(report.failures == [])
        #expect(outcome(of: "listings end", in: report)?.note == "1000 listings, 1000 pages")
    }

    @Test(arguments: [("dates", 1), ("made", ProviderConformance.checkCount), ("no such", 0)])
    func aFilterChoosesChecksByNameOrProvider(_ filter: String, _ count: Int) async throws {
        var settings = MadeProvider.settings
        settings.filter = filter
        let made = try MadeProvider()
        let report = await ProviderConformance.run(file: made.path, settings: settings)
        #expect(report.suites[0].cases.count == count)
        #expect(report.failures == [])
    }

    @Test func aRunMayStopAtItsFirstFailure() async throws {
        var settings = MadeProvider.settings
        settings.stopsAtFailure = true
        let made = try MadeProvider(changing: [("size: q.limit", "size: q.limit * 4")])
        let report = await ProviderConformance.run(file: made.path, settings: settings)
        #expect(report.suites[0].cases.last?.outcome == .failed)
        #expect(report.suites[0].cases.count < ProviderConformance.checkCount)
    }

    @Test func withoutCassettesAHintSaysHowToRecord() async throws {
        let made = try MadeProvider(cassettes: [])
        let report = await ProviderConformance.run(file: made.path, settings: MadeProvider.settings)
        let found = outcome(of: "recorded responses are read", in: report)
        #expect(found?.outcome == .skipped)
        #expect(found?.hint == .record(.first, file: made.path))
    }

    @Test func aPathWithoutProviderFails() async {
        let report = await ProviderConformance.run(file: "/nonexistent", settings: MadeProvider.settings)
        #expect(report.failures.first?.contains("no such file or folder") == true)
    }

    @Test func theSameSeedGivesTheSameReport() async throws {
        let made = try MadeProvider(changing: [("title, created", "title: String(title), created")])
        var notes: [[String?]] = []
        for _ in 0..<2 {
            let report = await ProviderConformance.run(file: made.path, settings: MadeProvider.settings)
            notes.append(
                report.suites[0].cases.filter { $0.name.hasPrefix("changed") }.flatMap { $0.problems.map(\.message) })
        }
        #expect(notes[0] == notes[1] && !notes[0].isEmpty)
    }

    /// What imgscript records has none; a cassette may also be written by hand, or by another program.
    @Test func aCookieInACassetteIsFound() async throws {
        let entry = Cassette.Entry(
            url: try WebURL("https://api.made.example/images/a1"),
            headers: [.contentType: "application/json", .setCookie: "sid=8f2c; Path=/"],
            content: Array(MadeProvider.image("a1").utf8))
        let made = try MadeProvider(cassettes: [MadeProvider.cassette("details", [entry])])
        let report = await ProviderConformance.run(file: made.path, settings: MadeProvider.settings)
        let found = outcome(of: "no secret in any output", in: report)
        #expect(
            found?.problems.first?.message == "details.json entries[0]: found a set-cookie header line, expected none",
            "\(found?.problems ?? [])")
    }

    @Test func aSecretInACassetteIsFound() async throws {
        let leaky = MadeProvider.cassette(
            "details",
            [
                MadeProvider.entry(
                    "/images/a1", MadeProvider.image("a1", extra: #","u":"https://a.example/?x=1&api_key=abc""#))
            ])
        let made = try MadeProvider(cassettes: [leaky])
        let report = await ProviderConformance.run(file: made.path, settings: MadeProvider.settings)
        let found = outcome(of: "no secret in any output", in: report)
        #expect(found?.problems.first?.message.contains("details.json entries[0]: found the value of a pair") == true)
    }
}
