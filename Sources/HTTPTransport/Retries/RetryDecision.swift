import HTTPTypes

/// How often and how long a request may be tried again.
package struct RetryPolicy: Hashable, Sendable {
    /// How often a request is sent at most, the first time included.
    package var attempts = 4
    /// The longest time from the first sending to the end of the last, for requests that name no time of their own.
    package var budget = Duration.seconds(60)
    /// The first wait, before jitter; each further one is twice as long.
    package var firstWait = Duration.milliseconds(500)
    /// The longest wait of our own choosing.
    package var longestWait = Duration.seconds(20)

    /// The default policy.
    package init() {}

    /// No second attempt.
    package static var never: RetryPolicy {
        var policy = RetryPolicy()
        policy.attempts = 1
        return policy
    }
}

/// Whether a request is sent again, and when: a pure function of what has happened.
package enum RetryDecision: Hashable, Sendable {
    /// What there is goes to the caller.
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

    /// The state of a request's attempts.
    package struct Attempts: Sendable {
        /// How often it was sent.
        package var count: Int
        /// The time since it was sent first, without waits for rate limits.
        package var elapsed: Duration
        /// A random number from 0 to 1 that keeps clients from coming back all at once.
        package var jitter: Double

        package init(count: Int, elapsed: Duration, jitter: Double) {
            self.count = count
            self.elapsed = elapsed
            self.jitter = jitter
        }
    }

    /// Decides.
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
        // A date of the past, or "0" for ever, is no leave to ask without pause.
        let wait = max(outcome.wait ?? .zero, Self.backoff(attempts, policy))
        // Asking again sooner than the server allows would be worse than giving its response to the user.
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
        case .answer(let status, _): [408, 425, 429, 500, 502, 503, 504].contains(status)
        case .failure(let isRetriable): isRetriable
        }
    }

    /// What the server asked for.
    fileprivate var wait: Duration? {
        guard case .answer(_, let seconds?) = self else { return nil }
        return .seconds(min(seconds, 1 << 40))
    }
}
