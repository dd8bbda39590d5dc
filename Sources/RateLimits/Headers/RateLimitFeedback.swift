import HTTPTransport
import HTTPTypes
import ProviderModel

/// What one answer says about the server's limits.
package struct RateLimitFeedback: Hashable, Sendable {
    /// More limits than anybody has; what comes after is left out.
    static let scopeLimit = 16
    /// The longest pause that is believed: asking once a day harms nobody.
    static let longestPause = Duration.seconds(86_400)
    /// The shortest pause after a refusal.
    static let shortestPause = Duration.seconds(1)

    /// Whether the request was refused because there were too many.
    package var isRefusal = false
    /// When the server wants to be asked again.
    package var retryAfter: Duration?
    /// The limits it told of.
    package var quotas: [ServerQuota] = []

    /// Whether there is nothing to take in.
    var isEmpty: Bool { !isRefusal && quotas.isEmpty }

    /// Reads an answer.
    package init(_ response: TransportResponse, limits: Limits, now: Timestamp) {
        let clock = ServerClock(response.headers[.date], now: now)
        retryAfter = response.headers[.retryAfter].flatMap(clock.retryAfter)
        // A shared cache hands out the limits of whoever asked before (RFC 9111 §5.1).
        let isSecondHand = response.headers[.age].flatMap { Int($0) }.map { $0 > 0 } ?? false
        if !isSecondHand { quotas = RateHeaders.quotas(in: response.headers, limits: limits, clock: clock) }
        isRefusal =
            switch response.status {
            case 429: true
            case 403: retryAfter != nil || quotas.contains { $0.remaining == 0 }
            case 503: retryAfter != nil
            default: false
            }
    }

    init(isRefusal: Bool = false, retryAfter: Duration? = nil, quotas: [ServerQuota] = []) {
        self.isRefusal = isRefusal
        self.retryAfter = retryAfter
        self.quotas = quotas
    }

    /// The pause a refusal asks for, within reason; nil when it does not say.
    func wait(at now: Timestamp) -> Duration? {
        let resets = quotas.filter { $0.remaining ?? 0 == 0 }.compactMap(\.reset)
        guard let wait = retryAfter ?? resets.max().map({ $0 - now }) else { return nil }
        return min(max(wait, Self.shortestPause), Self.longestPause)
    }
}
