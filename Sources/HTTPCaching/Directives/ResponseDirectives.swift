import HTTPTypes

/// What a response says about being cached (RFC 9111 §5.2.2, RFC 5861, RFC 8246).
///
/// `s-maxage`, `proxy-revalidate` and the targeted fields of RFC 9213, such as `CDN-Cache-Control`, are for caches that
/// many people share and mean nothing to this one.
struct ResponseDirectives: Hashable, Sendable {
    /// §5.2.2.1.
    let maxAge: DeltaSeconds
    /// §5.2.2.2: once stale, never without asking the server.
    let mustRevalidate: Bool
    /// §5.2.2.3: only who knows the status code may keep it, and then `no-store` is not meant.
    let mustUnderstand: Bool
    /// §5.2.2.4, unqualified: never without asking the server.
    let isNoCache: Bool
    /// §5.2.2.4, qualified: header lines that may not be used without asking the server.
    let noCacheFields: [String]
    /// §5.2.2.5.
    let isNoStore: Bool
    /// §5.2.2.7; a cache of one person's own may keep it.
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
