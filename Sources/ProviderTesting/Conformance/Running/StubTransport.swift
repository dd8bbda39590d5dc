import HTTPTransport
import ProviderModel
import Synchronization

/// The only wire a provider under test has: whatever is set up for one call answers, and everything asked is written down.
///
/// Calls come one at a time; the requests of one call may come side by side.
package final class StubTransport: Transport {
    /// Answers the request with this number, from 0, of a call.
    typealias Answer = @Sendable (TransportRequest, Int) async throws -> TransportResponse

    /// What a call came to.
    struct CallCapture<Value: Sendable>: Sendable {
        var result: Result<Value, any Error>
        var requests: [TransportRequest]
        var answers: [TransportResponse]
        var duration: Duration
    }

    private struct State {
        var answer: Answer?
        var requests: [TransportRequest] = []
        var answers: [Int: TransportResponse] = [:]
        /// Every request of every call, each once.
        var places: [String: TransportRequest] = [:]
    }

    private let state = Mutex(State())

    package func send(_ request: TransportRequest) async throws -> TransportResponse {
        let (answer, index) = state.withLock { state in
            state.requests.append(request)
            state.places[request.url.origin] = request
            return (state.answer, state.requests.count - 1)
        }
        guard let answer else { throw ProbeEnd() }
        let response = try await answer(request, index)
        state.withLock { $0.answers[index] = response }
        return response
    }

    /// Runs a call with these answers.
    func perform<Value: Sendable>(_ answer: @escaping Answer, _ work: () async throws -> Value) async -> CallCapture<
        Value
    > {
        state.withLock { state in
            state.answer = answer
            state.requests = []
            state.answers = [:]
        }
        let start = ContinuousClock.now
        let result: Result<Value, any Error>
        do { result = .success(try await work()) } catch { result = .failure(error) }
        let duration = ContinuousClock.now - start
        return state.withLock { state in
            state.answer = nil
            return CallCapture(
                result: result, requests: state.requests,
                answers: state.answers.sorted { $0.key < $1.key }.map(\.value), duration: duration)
        }
    }

    /// One request to each server that was ever asked.
    package var servers: [TransportRequest] {
        state.withLock { state in state.places.sorted { $0.key < $1.key }.map(\.value) }
    }
}

/// The end of a call of which only the first requests are wanted.
package struct ProbeEnd: Error {
    package init() {}
}
