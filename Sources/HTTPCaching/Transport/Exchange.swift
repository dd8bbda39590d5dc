import HTTPTransport
import HTTPTypes

/// A request within the cache, with the facts that several decisions need.
struct Exchange: Sendable {
    let request: TransportRequest
    let directives: RequestDirectives
    let key: CacheKey
    let url: String
    let hash: KeyedHash
    let mode: CacheMode
    /// When it came, in seconds since 1970.
    let startedAt: Double

    init(_ request: TransportRequest, hash: KeyedHash, mode: CacheMode, now: Double) {
        self.request = request
        self.hash = hash
        self.mode = mode
        startedAt = now
        directives = RequestDirectives(request.headers)
        key = CacheKey(request, hash: hash)
        url = CacheKey.text(request.url)
    }

    /// How long the source's terms want a successful response used, in seconds.
    var minimumLifetime: Double? { request.cacheAtLeast.map { $0 / .seconds(1) } }

    /// How long the source's terms let a response be kept and used, in seconds; nil where they say nothing.
    var maximumLifetime: Double? { request.cacheAtMost.map { $0 / .seconds(1) } }

    /// When a response stops being fresh, by its own word and the source's terms, in seconds since 1970.
    func freshUntil(of stored: StoredResponse) -> Double {
        min(stored.freshUntil(atLeast: minimumLifetime), keepUntil(of: stored) ?? .infinity)
    }

    /// When a response has to be gone, in seconds since 1970; nil where the source's terms say nothing.
    func keepUntil(of stored: StoredResponse) -> Double? { maximumLifetime.map { stored.receivedAt + $0 } }

    /// The one range the request wants; nil when it wants everything, or something this cache cannot cut out.
    var range: ByteRange? { request.method == .get ? request.headers[.range].flatMap { ByteRange($0) } : nil }

    /// Whether only the server can evaluate the request: several ranges, `If-Match` or `If-Unmodified-Since` (RFC 9111 §4.3.2).
    var isForServerOnly: Bool {
        let fields = request.headers
        if fields[.ifMatch] != nil || fields[.ifUnmodifiedSince] != nil { return true }
        return request.method == .get && fields[.range] != nil && range == nil
    }

    /// Whether the caller holds a version of its own.
    var hasConditions: Bool { request.headers[.ifNoneMatch] != nil || request.headers[.ifModifiedSince] != nil }

    /// Whether the same request of another caller may wait for this one's response.
    var isShareable: Bool {
        request.method == .get && request.headers[.range] == nil && !hasConditions && !directives.isNoStore
            && !isForServerOnly && request.body.isEmpty
    }

    /// What this exchange selects by, for a response with this `Vary`.
    func selection(for fields: HTTPFields) -> VarySelection {
        VarySelection(Vary(fields), request: request.headers, hash: hash)
    }

    /// Whether a stored response was selected by the same lines (RFC 9111 §4.1).
    func selects(_ stored: StoredResponse) -> Bool {
        stored.selection.matches(request.headers, response: stored.fields, hash: hash)
    }

    /// What is asked before a response is kept.
    func question(status: Int, fields: HTTPFields, isRequiredByTerms: Bool? = nil) -> Storability.Question {
        Storability.Question(
            method: request.method,
            requestFields: request.headers,
            status: status,
            fields: fields,
            isRequiredByTerms: isRequiredByTerms ?? (minimumLifetime ?? 0 > 0)
        )
    }
}

extension Exchange {
    /// The question about a response that is stored as the response to GET, without ranges and conditions.
    func storedQuestion(status: Int, fields: HTTPFields, isRequiredByTerms: Bool? = nil) -> Storability.Question {
        var lines = request.headers
        for name in [.range, .ifMatch, .ifUnmodifiedSince] as [HTTPField.Name] { lines[name] = nil }
        return Storability.Question(
            method: .get,
            requestFields: lines,
            status: status == 206 ? 200 : status,
            fields: fields,
            isRequiredByTerms: isRequiredByTerms ?? (minimumLifetime ?? 0 > 0)
        )
    }
}

/// A response that has just come, and when.
struct ReceivedResponse: Sendable {
    var answer: TransportResponse
    /// In seconds since 1970 (RFC 9111 §4.2.3, request_time).
    let requestedAt: Double
    /// In seconds since 1970 (RFC 9111 §4.2.3, response_time).
    let receivedAt: Double
    /// What recorded the body on its way into the caller's sink; nil when the response holds it.
    let recording: RecordingSink?
}
