import HTTPTypes
import ProviderModel

/// The limits for sending a request again.
package struct RetryPolicy: Hashable, Sendable {
    /// The maximum number of attempts, the first included.
    package var attempts = 4
    /// The number of attempts for single providers, instead of ``attempts``.
    package var attemptsByProvider: [ProviderID: Int] = [:]
    /// The maximum time from the first attempt to the end of the last, for requests without a deadline.
    package var budget = Duration.seconds(60)
    /// The first wait, before jitter; each further one is twice as long.
    package var firstWait = Duration.milliseconds(500)
    /// The longest wait that the server has not asked for.
    package var longestWait = Duration.seconds(20)

    /// The default policy.
    package init() {}

    /// The policy for a provider's requests.
    package func policy(for provider: ProviderID) -> RetryPolicy {
        var policy = self
        policy.attempts = attemptsByProvider[provider] ?? attempts
        return policy
    }
}

/// Whether a request is sent again, and when: a pure function of what has happened.
package enum RetryDecision: Hashable, Sendable {
    /// The outcome is final.
    case stop
    /// The request is sent again after this time.
    case wait(Duration)

    /// How an attempt ended.
    package enum Outcome: Sendable {
        /// With a response and its `Retry-After`, in seconds.
        case answer(status: Int, retryAfter: Int?)
        /// Without a response.
        case failure(isRetriable: Bool)
    }

    /// The attempts of one request so far.
    package struct Attempts: Sendable {
        /// The number of attempts.
        package var count: Int
        /// The time since it was sent first, without waits for rate limits.
        package var elapsed: Duration
        /// A random number from 0 to 1, so that clients do not retry at the same time.
        package var jitter: Double

        /// Creates the state after `count` attempts.
        package init(count: Int, elapsed: Duration, jitter: Double) {
            self.count = count
            self.elapsed = elapsed
            self.jitter = jitter
        }
    }

    /// Decides whether to send the request again.
    package init(
        for method: HTTPRequest.Method,
        after outcome: Outcome,
        _ attempts: Attempts,
        under policy: RetryPolicy
    ) {
        guard Self.idempotentMethods.contains(method), attempts.count < policy.attempts, outcome.isTemporary else {
            self = .stop
            return
        }
        // A `Retry-After` of 0 or in the past does not shorten the backoff.
        let wait = max(outcome.wait ?? .zero, Self.backoff(attempts, policy))
        // A retry earlier than the server allows would be refused again: its response is final.
        self = attempts.elapsed + wait < policy.budget ? .wait(wait) : .stop
    }

    /// RFC 9110 §9.2.2.
    private static let idempotentMethods: [HTTPRequest.Method] = [.get, .head, .put, .delete, .options]

    /// Between half and all of the doubled wait.
    private static func backoff(_ attempts: Attempts, _ policy: RetryPolicy) -> Duration {
        let doubled = policy.firstWait * (1 << min(attempts.count - 1, 16))
        return min(doubled, policy.longestWait) * (0.5 + 0.5 * min(max(attempts.jitter, 0), 1))
    }
}

extension RetryDecision.Outcome {
    fileprivate var isTemporary: Bool {
        switch self {
        case .answer(let status, _): [408, 421, 425, 429, 500, 502, 503, 504].contains(status)
        case .failure(let isRetriable): isRetriable
        }
    }

    /// What the server asked for.
    fileprivate var wait: Duration? {
        guard case .answer(_, let seconds?) = self else { return nil }
        return .seconds(min(seconds, 1 << 40))
    }
}
