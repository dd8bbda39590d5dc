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
        let suite = await ProviderRecording.suite(of: made.file, mode: .once, MadeProvider.settings, service(transport))
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
                of: made.file, mode: .all, MadeProvider.settings, service(FakeService(Self.answers)))
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
            of: made.file, mode: .once, MadeProvider.settings, service(FakeService([:])))
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
