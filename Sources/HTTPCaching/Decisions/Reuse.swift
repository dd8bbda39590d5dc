import HTTPTypes

/// What is done about a request, given what is stored (RFC 9111 §4).
enum Reuse: Hashable, Sendable {
    /// The stored response is used as it is.
    case use(isStale: Bool)
    /// It is used although it is stale, and the server is asked in the background (RFC 5861 §3).
    case useAndRevalidate
    /// The server is asked whether it is still good.
    case validate
    /// The server is asked for a new one.
    case fetch
    /// Nothing may be used, and the server may not be asked.
    case unavailable

    /// Decides; `demanded` is how long the source's terms want answers used, in seconds; `now` in seconds since 1970.
    init(_ stored: StoredResponse?, for wish: RequestDirectives, mode: CacheMode, demanded: Double?, now: Double) {
        let decision = Self.decide(stored, wish, mode, demanded, now)
        let mayAsk = mode != .offline && !wish.isOnlyIfCached
        switch decision {
        case .validate, .fetch: self = mayAsk ? decision : .unavailable
        case .useAndRevalidate: self = mayAsk ? decision : .use(isStale: true)
        case .use, .unavailable: self = decision
        }
    }

    private static func decide(
        _ stored: StoredResponse?,
        _ wish: RequestDirectives,
        _ mode: CacheMode,
        _ demanded: Double?,
        _ now: Double
    ) -> Reuse {
        guard let stored else { return .fetch }
        let age = stored.age.current(at: now)
        let lifetime = stored.freshness.lifetime
        let isSuccess = (200..<300).contains(stored.status)
        let isDemanded = isSuccess && stored.age.residentTime(at: now) < demanded ?? 0
        let directives = stored.directives
        let isFresh = isDemanded || (lifetime > age && !directives.isNoCache && !stored.isKeptOnDemand)
        if mode == .offline { return .use(isStale: !isFresh) }
        if wish.isNoStore { return .fetch }
        if mode == .refresh || wish.isNoCache { return .validate }
        if isDemanded && !wish.isReload { return .use(isStale: false) }
        if stored.isKeptOnDemand { return .fetch }
        if directives.isNoCache { return .validate }
        if isFresh {
            // RFC 8246 §2: what is immutable does not change while it is fresh, reload or not.
            if wish.isReload && directives.isImmutable { return .use(isStale: false) }
            return satisfies(wish, age: age, lifetime: lifetime) ? .use(isStale: false) : .validate
        }
        return decideStale(directives, wish, age: age, staleness: age - lifetime)
    }

    /// RFC 9111 §5.2.1.1 and §5.2.1.3.
    private static func satisfies(_ wish: RequestDirectives, age: Double, lifetime: Double) -> Bool {
        if let maxAge = wish.maxAge, age > Double(maxAge) { return false }
        if let minFresh = wish.minFresh, lifetime - age < Double(minFresh) { return false }
        return true
    }

    /// RFC 9111 §4.2.4 and §5.2.1.2, RFC 5861 §3.
    private static func decideStale(
        _ directives: ResponseDirectives,
        _ wish: RequestDirectives,
        age: Double,
        staleness: Double
    ) -> Reuse {
        if let maxAge = wish.maxAge, age > Double(maxAge) { return .validate }
        guard wish.minFresh == nil else { return .validate }
        if let maxStale = wish.maxStale, staleness <= Double(maxStale), !StaleServing.isProhibited(directives) {
            return .use(isStale: true)
        }
        let mayServe = StaleServing.mayServeWhileRevalidating(directives, staleness: staleness)
        return mayServe ? .useAndRevalidate : .validate
    }
}
