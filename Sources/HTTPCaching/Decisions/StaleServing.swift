/// When a response may be used although it is no longer fresh (RFC 9111 §4.2.4, RFC 5861).
enum StaleServing {
    /// Whether it is prohibited whatever anybody wishes: §5.2.2.2 and §5.2.2.4.
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
        /// No answer at all, or a gateway's word that there is none.
        case unreachable
        /// The server answered that it failed.
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
