import HTTPTypes

/// What a request says about answers from a cache (RFC 9111 §5.2.1).
struct RequestDirectives: Hashable, Sendable {
    /// §5.2.1.1: the greatest age that is welcome.
    var maxAge: Int?
    /// §5.2.1.2: how much staleness is welcome; nil for none.
    var maxStale: Int?
    /// §5.2.1.3: how long the answer has to stay fresh still.
    var minFresh: Int?
    /// §5.2.1.4: nothing stored without asking the server.
    var isNoCache = false
    /// §5.2.1.5: nothing of this exchange may be kept.
    var isNoStore = false
    /// §5.2.1.7: only what is stored.
    var isOnlyIfCached = false
    /// RFC 5861 §4: how much staleness is welcome when the server fails.
    var staleIfError: Int?

    /// Wants nothing in particular.
    init() {}

    /// Reads a request's header lines.
    init(_ fields: HTTPFields) {
        guard fields[.cacheControl] != nil else {
            // RFC 9111 §5.4: how HTTP/1.0 said “no-cache”; of no meaning beside `Cache-Control`.
            let pragma = HTTPField.Name("pragma").map { fields[values: $0] } ?? []
            isNoCache = FieldList.members(of: pragma).contains { $0.lowercased() == "no-cache" }
            return
        }
        let control = CacheControl(fields)
        isNoCache = control.has("no-cache")
        isNoStore = control.has("no-store")
        isOnlyIfCached = control.has("only-if-cached")
        // An unreadable wish for freshness is taken for the strictest, one for staleness for none.
        maxAge = Self.strictly("max-age", in: control, strictest: 0)
        minFresh = Self.strictly("min-fresh", in: control, strictest: DeltaSeconds.most)
        if case .some(.none) = control.first("max-stale")?.argument {
            maxStale = DeltaSeconds.most  // §5.2.1.2: without a value, any age will do
        } else {
            maxStale = DeltaSeconds("max-stale", in: control).value
        }
        staleIfError = DeltaSeconds("stale-if-error", in: control).value
    }

    /// RFC 8246 §2: how a reload is said, which an immutable response need not heed while it is fresh.
    var isReload: Bool { maxAge == 0 && !isNoCache }

    private static func strictly(_ name: String, in control: CacheControl, strictest: Int) -> Int? {
        switch DeltaSeconds(name, in: control) {
        case .absent: nil
        case .invalid: strictest
        case .seconds(let seconds): seconds
        }
    }
}
