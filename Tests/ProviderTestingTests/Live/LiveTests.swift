import Foundation
import HTTPTransport
import ProviderModel
import ProviderRuntime
import ProviderTestSupport
import ProviderTesting
import Testing

@Suite("Against a service")
struct LiveTests {
    private static let page1 =
        #"{"total":4,"hits":["# + ["a1", "a2", "a3"].map { MadeProvider.image($0) }.joined(separator: ",") + "]}"
    private static let page2 = #"{"total":4,"hits":[\#(MadeProvider.image("a4"))]}"#
    private static let answers = [
        "/search?q=coffee&page=1&size=3": page1, "/search?q=coffee&page=2&size=3": page2,
        "/images/a1": MadeProvider.image("a1"), "/search?q=zzzznothing&page=1&size=3": #"{"total":0,"hits":[]}"#,
    ]

    private func service(_ transport: any Transport) -> LiveService {
        LiveService(transport: transport, credentials: .none, today: CalendarDay("2026-11-21")!)
    }

    @Test func recordingMakesCassettesThatThenConform() async throws {
        let made = try MadeProvider(cassettes: [])
        let transport = FakeService(Self.answers)
        let suite = await ProviderRecording.suite(
            of: made.file, mode: .once, choosing: RecordingChoice(text: "coffee"), MadeProvider.settings,
            service(transport))
        #expect(suite.cases.map(\.outcome) == [.passed, .passed, .passed] && suite.isLive)
        let names = try Cassette.all(in: made.cassetteFolder).map { "\($0.name) \($0.entries.count)" }
        #expect(names == ["details 1", "empty 1", "search 2"])
        let calls = try CassetteLibrary(folder: made.cassetteFolder).recordings.map(\.call)
        #expect(calls.map(\.description) == ["details a1", "search \"zzzznothing\"", "search \"coffee\""])
        let report = await ProviderConformance.run(file: made.path, settings: MadeProvider.settings)
        #expect(report.failures == [])
    }

    @Test func recordingAgainChangesNothingButNewAnswers() async throws {
        let made = try MadeProvider(cassettes: [])
        for _ in 0..<2 {
            _ = await ProviderRecording.suite(
                of: made.file, mode: .all, choosing: RecordingChoice(text: "coffee"), MadeProvider.settings,
                service(FakeService(Self.answers)))
        }
        let first = try String(contentsOfFile: made.cassetteFolder + "/search.json", encoding: .utf8)
        let transport = FakeService(Self.answers)
        _ = await ProviderRecording.suite(of: made.file, mode: .all, MadeProvider.settings, service(transport))
        #expect(try String(contentsOfFile: made.cassetteFolder + "/search.json", encoding: .utf8) == first)
        #expect(transport.targets.count == 4)
    }

    /// The second call began with the cassette as it was before the first, whose answers were lost.
    @Test func callsOfOneCassetteAreAllRecorded() async throws {
        let entries = ["s1", "s2"].map { (id: String) in
            MadeProvider.entry("/sets/\(id)", #"{"hits":[]}"#, of: RecordedCall(.collection, item: id))
        }
        let made = try MadeProvider(
            changing: [
                (
                    "details: {",
                    """
                    collection: {
                      request: (item) => ({ url: `/sets/${item.id}` }),
                      parse: (res) => ({ items: res.json.hits.map(image), next: null }),
                    },
                    details: {
                    """
                )
            ], cassettes: MadeProvider.cassettes + [MadeProvider.cassette("collection", entries)])
        let sets = ["/sets/s1", "/sets/s2"].map { ($0, #"{"hits":[\#(MadeProvider.image("a9"))]}"#) }
        let transport = FakeService(Self.answers.merging(sets) { $1 })
        let suite = await ProviderRecording.suite(of: made.file, mode: .all, MadeProvider.settings, service(transport))
        #expect(suite.cases.allSatisfy { $0.outcome == .passed }, "\(suite.cases)")
        let recorded = try Cassette(contentsOf: made.cassetteFolder + "/collection.json").entries
        #expect(recorded.map(\.recorded) == [CalendarDay("2026-11-21"), CalendarDay("2026-11-21")])
        #expect(recorded.flatMap(\.calls).map(\.item) == ["s1", "s2"])
    }

    /// It searched for coffee without a word.
    @Test func withoutATextNothingIsSearchedFor() async throws {
        let made = try MadeProvider(cassettes: [])
        let transport = FakeService(Self.answers)
        let suite = await ProviderRecording.suite(of: made.file, mode: .once, MadeProvider.settings, service(transport))
        #expect(suite.cases.first?.outcome == .failed)
        #expect(
            suite.cases.first?.problems.first?.hint
                == .recordCall(Hint.CallToRecord(.search, text: "TEXT"), file: made.path))
        #expect(!transport.targets.contains { $0.contains("coffee") })
    }

    @Test func aNamedSearchIsRecordedWithTheDetailsOfItsImage() async throws {
        let made = try MadeProvider()
        let transport = FakeService([
            "/search?q=sea&page=1&size=3": #"{"total":1,"hits":[\#(MadeProvider.image("s1"))]}"#,
            "/images/s1": MadeProvider.image("s1"),
        ])
        let suite = await ProviderRecording.suite(
            of: made.file, mode: .once, choosing: RecordingChoice(text: "sea"), MadeProvider.settings,
            service(transport))
        #expect(suite.cases.prefix(2).map(\.outcome) == [.passed, .passed], "\(suite.cases)")
        #expect(transport.targets == ["/search?q=sea&page=1&size=3", "/images/s1"])
        let calls = try CassetteLibrary(folder: made.cassetteFolder).recordings.map(\.call.description)
        #expect(calls.contains("search \"sea\"") && calls.contains("search \"coffee\"") && calls.contains("details s1"))
    }

    /// The pages of the former size stayed beside the new ones.
    @Test func newResponsesOfACallReplaceItsFormerOnes() async throws {
        let made = try MadeProvider(changing: [("max: 50, default: 3", "max: 50, default: 4")])
        let page = Self.page1.replacing(#"]}"#, with: #",\#(MadeProvider.image("a4"))]}"#)
        let transport = FakeService(["/search?q=coffee&page=1&size=4": page])
        let call = RecordedCall(.search, text: "coffee", limit: 4)
        _ = await ProviderRecording.suite(
            of: made.file, mode: .once, choosing: RecordingChoice(call: call), MadeProvider.settings, service(transport)
        )
        let entries = try Cassette(contentsOf: made.cassetteFolder + "/search.json").entries
        #expect(entries.map(\.url.target) == ["/search?q=coffee&page=1&size=4"])
    }

    @Test func recordingWithoutItemsIsAWarning() async throws {
        let made = try MadeProvider()
        let transport = FakeService(["/search?q=sea&page=1&size=3": #"{"total":0,"hits":[]}"#])
        let call = RecordedCall(.search, text: "sea")
        let suite = await ProviderRecording.suite(
            of: made.file, mode: .once, choosing: RecordingChoice(call: call), MadeProvider.settings, service(transport)
        )
        #expect(suite.cases.first?.outcome == .warning)
        #expect(suite.cases.first?.problems.first?.message == "search \"sea\": recorded 0 items")
    }

    @Test(arguments: [
        FakeService([:]), FakeService(LiveTests.answers.mapValues { _ in "<html>come back later</html>" }),
    ])
    func failureDoesNotTakeThePlaceOfWhatWasRecorded(_ transport: FakeService) async throws {
        let made = try MadeProvider()
        let before = try Cassette.all(in: made.cassetteFolder).map(\.text)
        let suite = await ProviderRecording.suite(of: made.file, mode: .all, MadeProvider.settings, service(transport))
        #expect(suite.cases.contains { $0.outcome == .failed })
        #expect(try Cassette.all(in: made.cassetteFolder).map(\.text) == before)
    }

    @Test func failureLeavesNoCassetteOfErrors() async throws {
        let made = try MadeProvider(cassettes: [])
        let suite = await ProviderRecording.suite(
            of: made.file, mode: .once, choosing: RecordingChoice(text: "coffee"), MadeProvider.settings,
            service(FakeService([:])))
        #expect(suite.cases.allSatisfy { $0.note == "nothing was recorded" })
        #expect(try Cassette.all(in: made.cassetteFolder).isEmpty)
    }

    @Test func modeNoneLeavesTheServiceAlone() async throws {
        let made = try MadeProvider()
        let transport = FakeService(Self.answers)
        let suite = await ProviderRecording.suite(of: made.file, mode: .none, MadeProvider.settings, service(transport))
        #expect(transport.targets.isEmpty && suite.cases.allSatisfy { $0.outcome == .passed })
    }

    @Test func liveItemsAreHeldToTheSameChecks() async throws {
        let made = try MadeProvider()
        let good = await LiveConformance.suite(of: made.file, MadeProvider.settings, service(FakeService(Self.answers)))
        #expect(good.cases.filter { $0.outcome == .failed }.isEmpty && good.isLive)
        let moved = FakeService(Self.answers.mapValues { $0.replacingOccurrences(of: "cdn.", with: "new.") })
        let bad = await LiveConformance.suite(of: made.file, MadeProvider.settings, service(moved))
        #expect(bad.cases.filter { $0.outcome == .failed }.map(\.name) == ["every file is on a media host"])
    }

    /// The source counts pages from 0: its first page was never seen.
    @Test func pageBeforeTheFirstIsFound() async throws {
        let made = try MadeProvider()
        let zeroth = #"{"total":7,"hits":[\#(MadeProvider.image("z1"))]}"#
        let answers = Self.answers.merging([("/search?q=coffee&page=0&size=3", zeroth)]) { $1 }
        let name = "nothing comes before the first page"
        for (service, outcome) in [
            (FakeService(answers), TestReport.Outcome.failed), (FakeService(Self.answers), .passed),
        ] {
            let suite = await LiveConformance.suite(of: made.file, MadeProvider.settings, self.service(service))
            #expect(suite.cases.first { $0.name == name }?.outcome == outcome)
        }
    }

    @Test func driftSaysWhichFieldsSuffer() async throws {
        let made = try MadeProvider()
        let changed = FakeService(
            Self.answers.mapValues {
                $0.replacingOccurrences(of: "\"title\"", with: "\"name\"").replacingOccurrences(
                    of: "800", with: "\"800\"")
            })
        let suite = await ProviderDrift.suite(of: made.file, MadeProvider.settings, service(changed))
        let messages = suite.cases.flatMap(\.problems).map(\.message)
        #expect(messages.contains("$.hits[].title is gone (string); it breaks title"))
        #expect(messages.contains("$.hits[].width was number, is string; it breaks media[].width"))
        #expect(suite.cases.first?.outcome == .failed && suite.cases.first?.note == "new: $.hits[].name")
    }

    @Test func withoutDriftAllIsWell() async throws {
        let made = try MadeProvider()
        let suite = await ProviderDrift.suite(of: made.file, MadeProvider.settings, service(FakeService(Self.answers)))
        #expect(suite.cases.map(\.outcome) == [.passed, .passed])
    }
}
