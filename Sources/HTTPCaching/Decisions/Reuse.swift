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

    /// Whether the stored response is used, and then whether it is stale; nil when it is not used.
    var servesStale: Bool? {
        switch self {
        case .use(let isStale): isStale
        case .useAndRevalidate: true
        case .validate, .fetch, .unavailable: nil
        }
    }

    /// Decides; `minimumLifetime` is how long the source's terms want responses used, in seconds; `now` in seconds since 1970.
    init(
        _ stored: StoredResponse?, for request: RequestDirectives, mode: CacheMode, minimumLifetime: Double?,
        now: Double
    ) {
        let decision = Self.decide(stored, request, mode, minimumLifetime, now)
        let mayAsk = mode != .offline && !request.isOnlyIfCached
        switch decision {
        case .validate, .fetch: self = mayAsk ? decision : .unavailable
        case .useAndRevalidate: self = mayAsk ? decision : .use(isStale: true)
        case .use, .unavailable: self = decision
        }
    }

    private static func decide(
        _ stored: StoredResponse?,
        _ request: RequestDirectives,
        _ mode: CacheMode,
        _ minimumLifetime: Double?,
        _ now: Double
    ) -> Reuse {
        guard let stored else { return .fetch }
        let age = stored.age.current(at: now)
        let lifetime = stored.freshness.lifetime
        let isSuccess = (200..<300).contains(stored.status)
        let isRequiredByTerms = isSuccess && stored.age.residentTime(at: now) < minimumLifetime ?? 0
        let directives = stored.directives
        let isFresh = isRequiredByTerms || (lifetime > age && !directives.isNoCache && !stored.isStoredByTerms)
        if mode == .offline { return .use(isStale: !isFresh) }
        if request.isNoStore { return .fetch }
        if mode == .refresh || request.isNoCache { return .validate }
        if isRequiredByTerms && !request.isReload { return .use(isStale: false) }
        if stored.isStoredByTerms { return .fetch }
        if directives.isNoCache { return .validate }
        if isFresh {
            // RFC 8246 §2: what is immutable does not change while it is fresh, reload or not.
            if request.isReload && directives.isImmutable { return .use(isStale: false) }
            return satisfies(request, age: age, lifetime: lifetime) ? .use(isStale: false) : .validate
        }
        return decideStale(directives, request, age: age, staleness: age - lifetime)
    }

    /// RFC 9111 §5.2.1.1 and §5.2.1.3.
    private static func satisfies(_ request: RequestDirectives, age: Double, lifetime: Double) -> Bool {
        if let maxAge = request.maxAge, age > Double(maxAge) { return false }
        if let minFresh = request.minFresh, lifetime - age < Double(minFresh) { return false }
        return true
    }

    /// RFC 9111 §4.2.4 and §5.2.1.2, RFC 5861 §3.
    private static func decideStale(
        _ directives: ResponseDirectives,
        _ request: RequestDirectives,
        age: Double,
        staleness: Double
    ) -> Reuse {
        if let maxAge = request.maxAge, age > Double(maxAge) { return .validate }
        guard request.minFresh == nil else { return .validate }
        if let maxStale = request.maxStale, staleness <= Double(maxStale), !StaleServing.isProhibited(directives) {
            return .use(isStale: true)
        }
        let mayServe = StaleServing.mayServeWhileRevalidating(directives, staleness: staleness)
        return mayServe ? .useAndRevalidate : .validate
    }
}

/// When a response may be used although it is no longer fresh (RFC 9111 §4.2.4, RFC 5861).
enum StaleServing {
    /// Whether it is prohibited whatever the request says: §5.2.2.2 and §5.2.2.4.
    static func isProhibited(_ directives: ResponseDirectives) -> Bool {
        directives.mustRevalidate || directives.isNoCache
    }

    /// RFC 5861 §3: at once, while the server is asked in the background.
    static func mayServeWhileRevalidating(_ directives: ResponseDirectives, staleness: Double) -> Bool {
        guard !isProhibited(directives), let window = directives.staleWhileRevalidate else { return false }
        return staleness <= Double(window)
    }

    /// What went wrong when the server was asked.
    enum Failure {
        /// No response at all, or a 502, 503 or 504 of a gateway.
        case unreachable
        /// The server answered with a server error.
        case failed
    }

    /// RFC 5861 §4, and §4.2.4 for a server that cannot be reached.
    ///
    /// `limit` is how stale a response may be, in seconds, where neither side says so.
    static func mayServe(
        after failure: Failure,
        _ response: ResponseDirectives,
        _ request: RequestDirectives,
        staleness: Double,
        limit: Double
    ) -> Bool {
        guard !isProhibited(response) else { return false }
        let windows = [response.staleIfError, request.staleIfError].compactMap(\.self)
        if let widest = windows.max() { return staleness <= Double(widest) }
        return failure == .unreachable && staleness <= limit
    }
}
