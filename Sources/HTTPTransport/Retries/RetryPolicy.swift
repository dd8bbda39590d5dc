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

    /// The usual patience.
    package init() {}

    /// No second attempt.
    package static var never: RetryPolicy {
        var policy = RetryPolicy()
        policy.attempts = 1
        return policy
    }
}
