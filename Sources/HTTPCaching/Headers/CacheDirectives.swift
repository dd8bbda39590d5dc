import HTTPTypes

/// The cache directives of a response (RFC 9111 §5.2.2, RFC 5861, RFC 8246).
///
/// `s-maxage`, `proxy-revalidate` and the targeted fields of RFC 9213, such as `CDN-Cache-Control`, are for shared caches
/// and ignored here.
struct ResponseDirectives: Hashable, Sendable {
    /// §5.2.2.1.
    let maxAge: DeltaSeconds
    /// §5.2.2.2: once stale, never without asking the server.
    let mustRevalidate: Bool
    /// §5.2.2.3: stored only where the status code is understood, and then despite `no-store`.
    let mustUnderstand: Bool
    /// §5.2.2.4, unqualified: never without asking the server.
    let isNoCache: Bool
    /// §5.2.2.4, qualified: header lines that may not be used without asking the server.
    let noCacheFields: [String]
    /// §5.2.2.5.
    let isNoStore: Bool
    /// §5.2.2.7; a private cache may keep it.
    let isPrivate: Bool
    /// §5.2.2.9: may be kept whatever the status says.
    let isPublic: Bool
    /// RFC 8246: a reload needs no asking while it is fresh.
    let isImmutable: Bool
    /// RFC 5861 §3.
    let staleWhileRevalidate: Int?
    /// RFC 5861 §4.
    let staleIfError: Int?

    /// Reads a response's header lines.
    init(_ fields: HTTPFields) {
        let control = CacheControl(fields)
        maxAge = DeltaSeconds("max-age", in: control)
        mustRevalidate = control.has("must-revalidate")
        mustUnderstand = control.has("must-understand")
        let listed = control.fieldNames(of: "no-cache")
        isNoCache = control.has("no-cache") && listed == nil
        noCacheFields = listed ?? []
        isNoStore = control.has("no-store")
        isPrivate = control.has("private")
        isPublic = control.has("public")
        isImmutable = control.has("immutable")
        staleWhileRevalidate = DeltaSeconds("stale-while-revalidate", in: control).value
        staleIfError = DeltaSeconds("stale-if-error", in: control).value
    }
}

/// The cache directives of a request (RFC 9111 §5.2.1).
struct RequestDirectives: Hashable, Sendable {
    /// §5.2.1.1: the maximum age in seconds.
    var maxAge: Int?
    /// §5.2.1.2: the maximum staleness in seconds; nil for none.
    var maxStale: Int?
    /// §5.2.1.3: the minimum remaining freshness in seconds.
    var minFresh: Int?
    /// §5.2.1.4: nothing stored without asking the server.
    var isNoCache = false
    /// §5.2.1.5: nothing of this exchange may be kept.
    var isNoStore = false
    /// §5.2.1.7: only what is stored.
    var isOnlyIfCached = false
    /// RFC 5861 §4: the maximum staleness in seconds when the server fails.
    var staleIfError: Int?

    /// Creates directives that demand nothing.
    init() {}

    /// Reads a request's header lines.
    init(_ fields: HTTPFields) {
        guard fields[.cacheControl] != nil else {
            // RFC 9111 §5.4: how HTTP/1.0 said "no-cache"; of no meaning beside `Cache-Control`.
            let pragma = HTTPField.Name("pragma").map { fields[values: $0] } ?? []
            isNoCache = FieldList.members(of: pragma).contains { $0.lowercased() == "no-cache" }
            return
        }
        let control = CacheControl(fields)
        isNoCache = control.has("no-cache")
        isNoStore = control.has("no-store")
        isOnlyIfCached = control.has("only-if-cached")
        // An unreadable directive that asks for freshness is taken for the strictest; one that allows staleness, for none.
        maxAge = Self.strictly("max-age", in: control, strictest: 0)
        minFresh = Self.strictly("min-fresh", in: control, strictest: DeltaSeconds.most)
        if case .some(.none) = control.first("max-stale")?.argument {
            maxStale = DeltaSeconds.most  // §5.2.1.2: without a value, any age will do
        } else {
            maxStale = DeltaSeconds("max-stale", in: control).value
        }
        staleIfError = DeltaSeconds("stale-if-error", in: control).value
    }

    /// RFC 8246 §2: a reload, which an immutable response may be used for while it is fresh.
    var isReload: Bool { maxAge == 0 && !isNoCache }

    private static func strictly(_ name: String, in control: CacheControl, strictest: Int) -> Int? {
        switch DeltaSeconds(name, in: control) {
        case .absent: nil
        case .invalid: strictest
        case .seconds(let seconds): seconds
        }
    }
}
