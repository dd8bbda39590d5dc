import Synchronization

/// How long a request has waited for its turn under a rate limit, which is nobody's failure.
package final class TurnWait: Sendable {
    private let time = Mutex(Duration.zero)

    /// No wait yet.
    package init() {}

    /// All waits so far.
    package var total: Duration { time.withLock { $0 } }

    /// Notes a wait.
    package func add(_ wait: Duration) { time.withLock { $0 += wait } }
}
