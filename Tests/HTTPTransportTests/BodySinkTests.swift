import HTTPTypes
import ProviderModel
import Synchronization
import TestSupport
import Testing

@testable import HTTPTransport

@Suite struct BodySinkTests {
    @Test func bodyOfASuccessGoesToTheSink() async throws {
        let server = try LoopbackServer { _ in .answer(text: "picture") }
        let sink = CollectingSink()
        var request = server.request()
        request.sink = sink
        let response = try await CurlTransport(settings: .loopback()).send(request)
        #expect(response.body.isEmpty)
        #expect(sink.text == "picture")
        #expect(sink.statuses == [200])
    }

    @Test func bodyOfAnErrorStaysInTheResponse() async throws {
        let server = try LoopbackServer { $0.path == "/" ? .redirect(to: "/gone") : .answer(404, text: "no picture") }
        let sink = CollectingSink()
        var request = server.request()
        request.sink = sink
        let response = try await RedirectingTransport(over: CurlTransport(settings: .loopback())).send(request)
        #expect(response.text == "no picture")
        #expect(sink.statuses.isEmpty)
    }

    @Test func pausedBodyComesAgainAfterResume() async throws {
        let server = try LoopbackServer { _ in .answer(text: "picture") }
        let sink = CollectingSink(pausing: true)
        let transport = CurlTransport(settings: try .loopback())
        var request = server.request()
        request.sink = sink
        async let response = transport.send(request)
        await sink.paused.opened()
        sink.resume()
        #expect(try await response.status == 200)
        #expect(sink.text == "picture")
    }

    @Test func refusalOfTheSinkIsTheError() async throws {
        let server = try LoopbackServer { _ in .answer(text: "picture") }
        var request = server.request()
        request.sink = CollectingSink(limit: 3)
        let transport = CurlTransport(settings: try .loopback())
        let error = await TransportError.of { [request] in _ = try await transport.send(request) }
        #expect(error?.code == .sink)
        #expect(error?.message == "the disk is full")
    }

    @Test func limitHoldsForASinkToo() async throws {
        let server = try LoopbackServer { _ in .answer(text: "picture") }
        var request = server.request()
        request.sink = CollectingSink()
        request.bodyLimit = 6
        let transport = CurlTransport(settings: try .loopback())
        let error = await TransportError.of { [request] in _ = try await transport.send(request) }
        #expect(error?.code == .tooLarge)
    }
}

/// Keeps what it gets; can pause at the first chunk and refuse after a limit.
private final class CollectingSink: BodySink {
    private struct State {
        var bytes: [UInt8] = []
        var statuses: [Int] = []
        var isPausing: Bool
        var resume: (@Sendable () -> Void)?
    }

    let paused = Gate()
    private let limit: Int
    private let state: Mutex<State>

    init(pausing: Bool = false, limit: Int = .max) {
        self.limit = limit
        state = Mutex(State(isPausing: pausing))
    }

    var text: String { state.withLock { String(decoding: $0.bytes, as: UTF8.self) } }

    var statuses: [Int] { state.withLock { $0.statuses } }

    func resume() {
        let resume = state.withLock { state in
            state.isPausing = false
            return state.resume
        }
        resume?()
    }

    func begin(_ head: ResponseHead, resume: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.statuses.append(head.status)
            state.resume = resume
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(TransportError) -> BodyDemand {
        let chunk = Array(bytes)
        let isPausing = state.withLock { state in
            if !state.isPausing { state.bytes += chunk }
            return state.isPausing
        }
        if isPausing { paused.open() }
        guard bytes.count <= limit else { throw TransportError(.sink, message: "the disk is full") }
        return isPausing ? .pause : .more
    }
}
