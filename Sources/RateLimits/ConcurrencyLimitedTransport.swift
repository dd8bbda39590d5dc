import HTTPTransport
import ProviderModel
import Synchronization

/// Keeps every provider's requests to as many at once as it declares, in the order in which they come.
///
/// It holds within this process. It belongs above rate limits, so that whoever has a turn need not wait again, and below
/// retries, whose pauses keep nobody waiting.
package final class ConcurrencyLimitedTransport<C: Clock<Duration>>: Transport {
    private let base: any Transport
    private let limits: @Sendable (TransportRequest) -> Limits?
    private let clock: C
    private let places = Mutex<[BucketKey: AsyncSemaphore]>([:])

    /// Wraps a transport; `limits` says what a request's provider declares, nil for requests that do not count.
    package init(over base: any Transport, limits: @escaping @Sendable (TransportRequest) -> Limits?, clock: C) {
        self.base = base
        self.limits = limits
        self.clock = clock
    }

    /// Returns the answer once there was a place for the request.
    package func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard let count = limits(request)?.concurrent else { return try await base.send(request) }
        let places = places(of: BucketKey(request), count)
        let asked = clock.now
        try await places.take()
        defer { places.giveBack() }
        request.queueTime?.add(asked.duration(to: clock.now))
        return try await base.send(request)
    }

    private func places(of key: BucketKey, _ count: Int) -> AsyncSemaphore {
        places.withLock { places in
            if let known = places[key] { return known }
            let new = AsyncSemaphore(count)
            places[key] = new
            return new
        }
    }
}

/// So many places for requests, and a line of those that wait for one.
private final class AsyncSemaphore: Sendable {
    private struct State {
        var free: Int
        var lastNumber = 0
        var line: [(number: Int, continuation: CheckedContinuation<Void, any Error>)] = []
    }

    private let state: Mutex<State>

    init(_ count: Int) { state = Mutex(State(free: count)) }

    /// Takes a place as soon as there is one; throws when the task is cancelled first.
    func take() async throws {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let answer: Result<Void, any Error>? = state.withLock { state in
                    // Whoever is cancelled from here on is found in the line.
                    guard !Task.isCancelled else { return .failure(CancellationError()) }
                    guard state.free == 0 else {
                        state.free -= 1
                        return .success(())
                    }
                    state.line.append((number, continuation))
                    return nil
                }
                if let answer { continuation.resume(with: answer) }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                state.line.firstIndex { $0.number == number }.map { state.line.remove(at: $0).continuation }
            }
            waiting?.resume(throwing: CancellationError())
        }
    }

    /// Gives a place back, to whoever has waited longest.
    func giveBack() {
        let next: CheckedContinuation<Void, any Error>? = state.withLock { state in
            if state.line.isEmpty {
                state.free += 1
                return nil
            }
            return state.line.removeFirst().continuation
        }
        next?.resume()
    }
}
