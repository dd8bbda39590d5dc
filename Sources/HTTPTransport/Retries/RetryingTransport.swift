import HTTPTypes
import ProviderModel
import Synchronization

/// Sends a request again after a failure that may be temporary, where repeating it is safe.
package struct RetryingTransport<C: Clock<Duration>>: Transport {
    private let base: any Transport
    private let policy: RetryPolicy
    private let clock: C
    private let now: @Sendable () -> Int
    private let random: @Sendable () -> Double
    private let onWait: @Sendable (WaitNotice) -> Void

    /// Wraps a transport; `now` is the time of day in seconds since 1970, `random` gives 0 to 1.
    package init(
        over base: any Transport,
        policy: RetryPolicy = RetryPolicy(),
        clock: C,
        now: @escaping @Sendable () -> Int,
        random: @escaping @Sendable () -> Double = { .random(in: 0...1) },
        onWait: @escaping @Sendable (WaitNotice) -> Void = { _ in }
    ) {
        self.base = base
        self.policy = policy
        self.clock = clock
        self.now = now
        self.random = random
        self.onWait = onWait
    }

    /// Returns the first response that needs no retry, or the last one.
    package func send(_ request: TransportRequest) async throws -> TransportResponse {
        let start = clock.now
        var policy = policy.policy(for: request.scope.provider)
        policy.budget = request.deadline.map { min($0, policy.budget) } ?? policy.budget
        let queueTime = QueueTime()
        var attempt = request
        attempt.queueTime = queueTime
        var count = 0
        while true {
            count += 1
            let result: Result<TransportResponse, any Error>
            let outcome: RetryDecision.Outcome
            do {
                let response = try await base.send(attempt)
                if request.finalStatuses.contains(response.status) { return response }
                // The same client is refused again.
                guard response.barrier != .challenge else { return response }
                let retryAfter = response.headers[.retryAfter].flatMap { RetryAfter.seconds($0, now: now()) }
                (result, outcome) = (.success(response), .answer(status: response.status, retryAfter: retryAfter))
            } catch {
                let isRetriable = (error as? TransportError)?.isRetriable ?? false
                (result, outcome) = (.failure(error), .failure(isRetriable: isRetriable))
            }
            let attempts = RetryDecision.Attempts(
                count: count,
                elapsed: start.duration(to: clock.now) - queueTime.total,
                jitter: random()
            )
            let decision = RetryDecision(for: request.method, after: outcome, attempts, under: policy)
            guard case .wait(let wait) = decision else { return try result.get() }
            if wait > WaitNotice.threshold {
                let reason = Self.reason(for: result, request.url)
                onWait(WaitNotice(provider: request.scope.provider, wait: wait, reason: reason))
            }
            try await clock.sleep(until: clock.now.advanced(by: wait), tolerance: nil)
            // All attempts share the time of one, without what they wait for rate limits.
            attempt.deadline = (request.deadline ?? policy.budget) - (start.duration(to: clock.now) - queueTime.total)
        }
    }

    private static func reason(for result: Result<TransportResponse, any Error>, _ url: WebURL) -> String {
        switch result {
        case .success(let response): "\(response.status) from \(url.origin)"
        case .failure(let error): "\(error)"
        }
    }
}

/// A request's wait for a rate limit or before another attempt, long enough to be reported.
package struct WaitNotice: Hashable, Sendable, CustomStringConvertible {
    /// Waits up to this length are not reported.
    package static let threshold = Duration.seconds(2)

    /// The provider whose request waits.
    package let provider: ProviderID
    /// The length of the wait.
    package let wait: Duration
    /// The cause: `limit of 100 requests in 60 s`, `429 from https://pixabay.com`, an error's message.
    package let reason: String

    /// A wait.
    package init(provider: ProviderID, wait: Duration, reason: String) {
        self.provider = provider
        self.wait = wait
        self.reason = reason
    }

    /// `pixabay: waiting 30 s (limit of 100 requests in 60 s)`.
    package var description: String { "\(provider): waiting \(wait.inWords) (\(reason))" }
}

/// The time that a request has waited for rate limits, which does not count against its deadline.
package final class QueueTime: Sendable {
    private let time = Mutex(Duration.zero)

    /// Creates a total of zero.
    package init() {}

    /// The total of all waits.
    package var total: Duration { time.withLock { $0 } }

    /// Adds a wait.
    package func add(_ wait: Duration) { time.withLock { $0 += wait } }
}
