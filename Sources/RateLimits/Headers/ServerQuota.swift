import ProviderModel

/// What a server says about one of its limits.
package struct ServerQuota: Hashable, Sendable {
    /// Which limit; empty when there is but one.
    package var scope: String
    /// Requests in one window.
    package var limit: Int?
    /// Requests left in this one.
    package var remaining: Int?
    /// When it ends.
    package var reset: Timestamp?
    /// How long it is.
    package var window: Duration?

    /// What a server says about a limit.
    package init(
        scope: String = "",
        limit: Int? = nil,
        remaining: Int? = nil,
        reset: Timestamp? = nil,
        window: Duration? = nil
    ) {
        self.scope = scope
        self.limit = limit
        self.remaining = remaining
        self.reset = reset
        self.window = window
    }

    /// What the ledger keeps of it; nil when it does not say how much remains.
    func quota(since ticket: ReservationID, now: Timestamp, rates: [Limits.Rate]) -> Quota? {
        guard let remaining else { return nil }
        let latest = now + RateLimitFeedback.longestPause
        let reset = reset ?? now + guessedTime(remaining: remaining, rates)
        return Quota(scope: scope, since: ticket, remaining: remaining, reset: min(reset, latest))
    }

    /// How long what remains has to last, where no reset is told: the whole window.
    ///
    /// When nothing remains, the share of one request: the window may end any time, and the answer to that one will tell.
    private func guessedTime(remaining: Int, _ rates: [Limits.Rate]) -> Duration {
        let declared = rates.first { $0.requests == limit } ?? rates.max { $0.seconds < $1.seconds }
        let window = window ?? declared?.window ?? .seconds(60)
        guard remaining == 0 else { return window }
        return max(RateLimitFeedback.shortestPause, window / max(1, limit ?? declared?.requests ?? 1))
    }
}
