import HTTPTransport
import ProviderModel
import Synchronization

/// Limits the number of a provider's requests at the same time to what it declares, in order of arrival.
///
/// It holds within this process. It belongs above rate limits, so that a request with a slot does not wait again, and below
/// retries, whose waits hold no permit.
package final class ConcurrencyLimitedTransport<C: Clock<Duration>>: Transport {
    private let base: any Transport
    private let limits: @Sendable (TransportRequest) -> Limits?
    private let clock: C
    private let semaphores = Mutex<[BucketKey: AsyncSemaphore]>([:])

    /// Wraps a transport; `limits` says what a request's provider declares, nil for requests that do not count.
    package init(over base: any Transport, limits: @escaping @Sendable (TransportRequest) -> Limits?, clock: C) {
        self.base = base
        self.limits = limits
        self.clock = clock
    }

    /// Sends the request once it has a permit.
    package func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard let count = limits(request)?.concurrent else { return try await base.send(request) }
        let semaphore = semaphores.withLock { semaphores in
            let semaphore = semaphores[BucketKey(request)] ?? AsyncSemaphore(count)
            semaphores[BucketKey(request)] = semaphore
            return semaphore
        }
        let start = clock.now
        try await semaphore.wait()
        defer { semaphore.signal() }
        request.queueTime?.add(start.duration(to: clock.now))
        return try await base.send(request)
    }
}

/// A semaphore that serves waiting tasks in order.
private final class AsyncSemaphore: Sendable {
    private struct State {
        var free: Int
        var lastNumber = 0
        var waiting: [(number: Int, continuation: CheckedContinuation<Void, any Error>)] = []
    }

    private let state: Mutex<State>

    init(_ count: Int) { state = Mutex(State(free: count)) }

    /// Waits for a permit; throws when the task is cancelled first.
    func wait() async throws {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Void, any Error>? = state.withLock { state in
                    // A caller cancelled from here on is found among the waiting.
                    guard !Task.isCancelled else { return .failure(CancellationError()) }
                    guard state.free == 0 else {
                        state.free -= 1
                        return .success(())
                    }
                    state.waiting.append((number, continuation))
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0).continuation }
            }
            waiter?.resume(throwing: CancellationError())
        }
    }

    /// Returns a permit, to the caller that has waited longest.
    func signal() {
        let next: CheckedContinuation<Void, any Error>? = state.withLock { state in
            if state.waiting.isEmpty {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume()
    }
}
