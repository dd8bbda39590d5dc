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
