import HTTPTransport
import ProviderModel
import ProviderRuntime
import Synchronization

/// What a call came to: its result, what was asked for it and answered.
package struct CallCapture: Sendable {
    package var result: Result<ProviderCall.Result, any Error>
    var requests: [TransportRequest]
    var answers: [TransportResponse]
    var duration: Duration
}

/// The transport of a provider under test: answers one call at a time as set up, and captures every request.
///
/// The requests of one call may be concurrent.
package final class StubTransport: Transport {
    /// Answers the request with this number, from 0, of a call.
    typealias Answer = @Sendable (TransportRequest, Int) async throws -> TransportResponse

    private struct State {
        var answer: Answer?
        var requests: [TransportRequest] = []
        var answers: [Int: TransportResponse] = [:]
        /// The last request to each server that was ever asked.
        var servers: [String: TransportRequest] = [:]
    }

    private let state = Mutex(State())

    package func send(_ request: TransportRequest) async throws -> TransportResponse {
        let (answer, index) = state.withLock { state in
            state.requests.append(request)
            state.servers[request.url.origin] = request
            return (state.answer, state.requests.count - 1)
        }
        guard let answer else { throw ProbeEnd() }
        let response = try await answer(request, index)
        state.withLock { $0.answers[index] = response }
        return response
    }

    /// Makes a call of a provider that has this transport, with these answers.
    func capture(_ call: ProviderCall, of provider: ScriptProvider, answer: @escaping Answer) async -> CallCapture {
        state.withLock { state in
            state.answer = answer
            state.requests = []
            state.answers = [:]
        }
        let start = ContinuousClock.now
        let result: Result<ProviderCall.Result, any Error>
        do { result = .success(try await call.run(on: provider)) } catch { result = .failure(error) }
        let duration = ContinuousClock.now - start
        return state.withLock { state in
            state.answer = nil
            return CallCapture(
                result: result, requests: state.requests,
                answers: state.answers.sorted { $0.key < $1.key }.map(\.value), duration: duration)
        }
    }

    /// Does something of a provider that has this transport, with these answers.
    func answering<Result>(_ answer: @escaping Answer, _ work: () async throws -> Result) async rethrows -> Result {
        state.withLock { state in (state.answer, state.requests) = (answer, []) }
        defer { state.withLock { $0.answer = nil } }
        return try await work()
    }

    /// One request to each server that was ever asked.
    package var servers: [TransportRequest] {
        state.withLock { state in state.servers.sorted { $0.key < $1.key }.map(\.value) }
    }
}

/// The end of a call of which only the first requests are wanted.
package struct ProbeEnd: Error {
    /// Creates an error that ends a call.
    package init() {}
}
