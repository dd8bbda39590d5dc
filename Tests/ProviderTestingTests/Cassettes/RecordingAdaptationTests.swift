import ProviderModel
import ProviderRuntime
import ProviderTestSupport
import ProviderTesting
import Testing

@Suite("Recordings after an edit")
struct RecordingAdaptationTests {
    private func read(_ made: MadeProvider) async throws -> TestReport.Case {
        let report = await ProviderConformance.run(file: made.path, settings: MadeProvider.settings)
        return try #require(report.suites[0].cases.first { $0.name == "recorded responses are read" })
    }

    /// A warning let the run pass, with most checks skipped.
    @Test func recordedCallWithoutAResponseFailsWithTheCommandsThatHelp() async throws {
        let made = try MadeProvider(changing: [("size: q.limit", "size: q.limit, safe: 1")])
        let found = try await read(made)
        #expect(found.outcome == .failed)
        let problem = try #require(found.problems.first { $0.message.hasPrefix("search \"coffee\"") })
        #expect(problem.message.contains("`safe`: not recorded, requested \"1\""))
        let record = Hint.recordCall(Hint.CallToRecord(.search, text: "coffee"), file: made.path)
        #expect(problem.hint == .several([.adaptRecordings(file: made.path), record]))
    }

    @Test(arguments: [
        ("another name of the text", "{ q: q.text,", "{ query: q.text,"),
        ("another name of the page", "page: q.page", "p: q.page"),
        ("another path", "url: '/search'", "url: '/find'"),
        ("another text", "q: q.text,", "q: `${q.text} photo`,"),
    ])
    func requestThatNeedsAnotherResponseIsNotAdapted(_ what: String, _ old: String, _ new: String) async throws {
        let made = try MadeProvider(changing: [(old, new)])
        let problem = try #require(
            try await read(made).problems.first { $0.message.hasPrefix("search \"coffee\"") })
        #expect(problem.hint == .recordCall(Hint.CallToRecord(.search, text: "coffee"), file: made.path), "\(what)")
        let before = try Cassette.all(in: made.cassetteFolder).map(\.text)
        let suite = await RecordingAdaptation.suite(of: made.file, MadeProvider.settings)
        #expect(suite.cases.map(\.outcome) == [.failed])
        #expect(try Cassette.all(in: made.cassetteFolder).map(\.text) == before)
    }

    @Test(arguments: [
        ("size: q.limit", "size: q.limit, safe: 1"), ("max: 50, default: 3", "max: 2, default: 2"),
    ])
    func adaptedRecordingsAnswerAllPagesAgain(_ old: String, _ new: String) async throws {
        let made = try MadeProvider(changing: [(old, new)])
        let suite = await RecordingAdaptation.suite(of: made.file, MadeProvider.settings)
        #expect(suite.cases.map(\.outcome) == [.passed], "\(suite.cases)")
        let report = await ProviderConformance.run(file: made.path, settings: MadeProvider.settings)
        #expect(report.failures == [])
        let pages = report.suites[0].cases.first { $0.name == "pages are disjoint" }
        #expect(pages?.note == "search \"coffee\": 3 + 1")
    }

    @Test func responseThatAnotherCallNeedsIsKept() async throws {
        let wide = RecordedCall(.search, text: "coffee", limit: 5)
        var cassettes = MadeProvider.cassettes
        cassettes[0].entries[0].calls.append(wide)
        let made = try MadeProvider(cassettes: cassettes)
        _ = await RecordingAdaptation.suite(of: made.file, MadeProvider.settings)
        let targets = try Cassette(contentsOf: made.cassetteFolder + "/search.json").entries.map(\.url.target)
        #expect(
            targets == [
                "/search?q=coffee&page=1&size=3", "/search?q=coffee&page=2&size=3", "/search?q=coffee&page=1&size=5",
                "/search?q=coffee&page=2&size=5",
            ])
        let report = await ProviderConformance.run(file: made.path, settings: MadeProvider.settings)
        #expect(report.failures == [])
    }

    @Test func endThatIsNotRecordedOnPurposeIsNoWarning() async throws {
        let hits = ["a1", "a2", "a3"].map { MadeProvider.image($0) }.joined(separator: ",")
        for (pages, outcome) in [(nil, TestReport.Outcome.warning), (1, .passed)] {
            var call = MadeProvider.coffee
            call.pages = pages
            let entry = MadeProvider.entry("/search?q=coffee&page=1&size=3", #"{"hits":[\#(hits)]}"#, of: call)
            let made = try MadeProvider(cassettes: [MadeProvider.cassette("search", [entry])])
            let report = await ProviderConformance.run(file: made.path, settings: MadeProvider.settings)
            #expect(report.suites[0].cases.first { $0.name == "listings end" }?.outcome == outcome)
        }
    }
}
