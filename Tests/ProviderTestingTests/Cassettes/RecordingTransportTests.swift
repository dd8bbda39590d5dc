import HTTPTransport
import HTTPTypes
import ProviderModel
import ProviderRuntime
import ProviderTestSupport
import ProviderTesting
import Testing

@Suite("Recording")
struct RecordingTransportTests {
    private let today = CalendarDay("2026-11-21")!
    private let service = FakeService(["/a": #"{"new":"a"}"#, "/b": #"{"new":"b"}"#])
    private let old = MadeProvider.cassette(
        "search", [MadeProvider.entry("/a", #"{"old":"a"}"#), MadeProvider.entry("/c", #"{"old":"c"}"#)])

    private func recording(_ mode: RecordingMode, into cassette: Cassette? = nil) -> RecordingTransport {
        RecordingTransport(over: service, into: cassette ?? old, mode: mode, today: today)
    }

    private func body(_ path: String, _ recording: RecordingTransport) async throws -> String {
        String(decoding: try await recording.send(request("https://api.made.example" + path)).body, as: UTF8.self)
    }

    @Test func onceReplaysWhatExistsAndNothingElse() async throws {
        let recording = recording(.once)
        #expect(try await body("/a", recording) == #"{"old":"a"}"#)
        await #expect(throws: UnmatchedRequest.self) { try await body("/b", recording) }
        #expect(service.targets.isEmpty && !recording.hasChanged)
    }

    @Test func onceRecordsWhereThereIsNothingYet() async throws {
        let recording = recording(.once, into: MadeProvider.cassette("search", []))
        #expect(try await body("/a", recording) == #"{"new":"a"}"#)
        #expect(recording.cassette.entries.map(\.recorded) == [today])
    }

    @Test func newAsksOnlyForWhatIsNotThere() async throws {
        let recording = recording(.new)
        #expect(try await body("/a", recording) == #"{"old":"a"}"#)
        #expect(try await body("/b", recording) == #"{"new":"b"}"#)
        #expect(service.targets == ["/b"])
        #expect(recording.cassette.entries.map(\.url.path) == ["/a", "/c", "/b"])
    }

    @Test func allReplacesInPlace() async throws {
        let recording = recording(.all)
        #expect(try await body("/a", recording) == #"{"new":"a"}"#)
        let entries = recording.cassette.entries
        #expect(entries.map(\.url.path) == ["/a", "/c"])
        #expect(String(decoding: entries[0].content, as: UTF8.self) == #"{"new":"a"}"#)
    }

    @Test func noneNeverAsks() async throws {
        let recording = recording(.none, into: MadeProvider.cassette("search", []))
        await #expect(throws: UnmatchedRequest.self) { try await body("/a", recording) }
        #expect(service.targets.isEmpty)
    }

    @Test func recordingAgainGivesTheSameFile() async throws {
        let first = recording(.all)
        _ = try await body("/a", first)
        _ = try await body("/b", first)
        let second = recording(.all, into: first.cassette)
        _ = try await body("/a", second)
        _ = try await body("/b", second)
        #expect(second.cassette.text == first.cassette.text)
    }

    @Test func aRequestThatFailsLeavesNoEntry() async throws {
        struct Broken: Transport {
            func send(_ request: TransportRequest) async throws -> TransportResponse {
                throw TransportError(.connection, message: "gone")
            }
        }
        let recording = RecordingTransport(over: Broken(), into: old, mode: .new, today: today)
        await #expect(throws: TransportError.self) { try await body("/b", recording) }
        #expect(recording.cassette.entries.count == 2 && !recording.hasChanged)
    }

    @Test func theKeyThatWasSentIsMaskedWhereTheServiceRepeatsIt() async throws {
        let way = AuthenticationMethod(placement: .query([NamedValue("key", "{key}")]))
        let credentials = Credentials(provider: ProviderID("made")!, ways: [way], secrets: ["key": "sesame-open-9"])
        let echo = FakeService(["/a": #"{"next":"https://api.made.example/a?key=sesame-open-9&p=2"}"#])
        let recording = RecordingTransport(
            over: echo, into: MadeProvider.cassette("search", []), mode: .all, today: today)
        _ = try await recording.send(request("https://api.made.example/a", credentials: credentials))
        #expect(!recording.cassette.text.contains("sesame"))
        #expect(recording.cassette.text.contains("key=***&p=2"))
    }

    /// Its own answer has the token under whatever name, before the script has said which of it is one.
    @Test func whatTheLoginGaveIsMaskedInItsAnswerToo() async throws {
        let way = AuthenticationMethod(placement: .header([NamedValue("Authorization", "Bearer {session.pass}")]))
        var credentials = Credentials(provider: ProviderID("made")!, ways: [way], secrets: [:])
        let echo = FakeService([
            "/login": #"{"pass":"sesame-open-9","ttl":60}"#, "/a": #"{"pass":"sesame-open-9"}"#,
        ])
        let recording = RecordingTransport(
            over: echo, into: MadeProvider.cassette("search", []), mode: .all, today: today)
        _ = try await recording.send(request("https://api.made.example/login", credentials: credentials))
        credentials?.session = SessionValues(["pass": "sesame-open-9"])
        _ = try await recording.send(request("https://api.made.example/a", credentials: credentials))
        #expect(!recording.cassette.text.contains("sesame"), "\(recording.cassette.text)")
        #expect(
            recording.cassette.entries.map { String(decoding: $0.content, as: UTF8.self) }.first?.contains("***")
                == true)
    }
}
