import HTTPTransport
import HTTPTypes
import ProviderModel

/// The rate limits that a response reports.
package struct RateLimitFeedback: Hashable, Sendable {
    /// The maximum number of limits in one response.
    static let scopeLimit = 16
    /// The longest pause that is accepted, one day.
    static let longestPause = Duration.seconds(86_400)
    /// The shortest pause after a refusal.
    static let shortestPause = Duration.seconds(1)

    /// Whether the request was refused because of a rate limit.
    package var isRefusal = false
    /// The value of `Retry-After`.
    package var retryAfter: Duration?
    /// The limits it named.
    package var quotas: [ServerQuota] = []

    /// Reads a response; nil when it reports no limits.
    package init?(_ response: TransportResponse, limits: Limits, at now: Timestamp) {
        let clock = ServerClock(response.headers[.date], now: now)
        retryAfter = response.headers[.retryAfter].flatMap(clock.retryAfter)
        // A shared cache repeats the limits of an earlier client (RFC 9111 §5.1).
        let isFromSharedCache = response.headers[.age].flatMap { Int($0) }.map { $0 > 0 } ?? false
        if !isFromSharedCache { quotas = RateLimitHeaders.quotas(in: response.headers, limits: limits, clock: clock) }
        isRefusal =
            switch response.status {
            case 421, 429: true
            case 403: retryAfter != nil || quotas.contains { $0.remaining == 0 }
            case 503: retryAfter != nil
            default: false
            }
        if !isRefusal, quotas.isEmpty, retryAfter == nil { return nil }
    }

    init(isRefusal: Bool = false, retryAfter: Duration? = nil, quotas: [ServerQuota] = []) {
        self.isRefusal = isRefusal
        self.retryAfter = retryAfter
        self.quotas = quotas
    }

    /// The pause after a refusal, within bounds; nil when the response does not give one.
    func wait(at now: Timestamp) -> Duration? {
        let resets = quotas.filter { $0.remaining ?? 0 == 0 }.compactMap(\.reset)
        guard let wait = retryAfter ?? resets.max().map({ $0 - now }) else { return nil }
        return min(max(wait, Self.shortestPause), Self.longestPause)
    }
}

/// One of a server's limits.
package struct ServerQuota: Hashable, Sendable {
    /// The name of the limit; empty when there is one only.
    package var scope: String
    /// The number of requests in one window.
    package var limit: Int?
    /// The number of requests left in the current window.
    package var remaining: Int?
    /// The end of the current window.
    package var reset: Timestamp?
    /// The length of a window.
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

    /// The quota that a window stores; nil without a remaining number.
    func kept(since id: ReservationID, now: Timestamp, rates: [Limits.Rate]) -> SlidingWindow.Quota? {
        guard let remaining else { return nil }
        let latest = now + RateLimitFeedback.longestPause
        let reset = reset ?? now + guessedTime(remaining: remaining, rates)
        return SlidingWindow.Quota(
            scope: scope, since: id.number, remaining: remaining, reset: min(reset, latest).milliseconds)
    }

    /// The estimated time until the reset where none is given: the whole window.
    ///
    /// When nothing remains, the share of one request: the window may end at any time, and the next response will tell.
    private func guessedTime(remaining: Int, _ rates: [Limits.Rate]) -> Duration {
        let declared = rates.first { $0.requests == limit } ?? rates.max { $0.seconds < $1.seconds }
        let window = window ?? declared?.window ?? .seconds(60)
        guard remaining == 0 else { return window }
        return max(RateLimitFeedback.shortestPause, window / max(1, limit ?? declared?.requests ?? 1))
    }
}
