import HTTPTypes
import ProviderModel

/// A request on its way out: without secrets in URL or headers, with the credentials beside it.
public struct TransportRequest: Sendable {
    /// The method.
    public var method: HTTPRequest.Method
    /// Where to, without secrets.
    public var url: WebURL
    /// Header lines, without secrets.
    public var headers: HTTPFields
    /// The names of those that no other server may get, where a redirect leads there.
    package var ownHeaders: Set<HTTPField.Name> = []
    /// What is sent; empty for nothing.
    public var body: [UInt8]
    /// On whose behalf, and where it may go.
    public var scope: RequestScope
    /// What the provider declares about how often it may be asked; nil for requests that do not count.
    package var limits: Limits?
    /// What is added at the last moment, on the wire only.
    package var credentials: Credentials?
    /// How its URL is shown, where the sender had a secret in it; nil for as it is.
    package var masking: (@Sendable (String) -> String)?
    /// The most bytes a response may have, decompressed; nil for the transport's own limit.
    public var bodyLimit: Int?
    /// How long the whole exchange may take; nil for the transport's own limit.
    public var deadline: Duration?
    /// Where the body of a 2xx response goes instead of into the response.
    package var sink: (any BodySink)?
    /// Where waits for rate limits are added up, for those who measure the time that a request takes.
    package var queueTime: QueueTime?
    /// How long a successful response has to be kept and used instead of asking again, whatever it says itself.
    ///
    /// Some sources demand that in their terms. nil for what the response says.
    package var cacheAtLeast: Duration?
    /// How long a response may be kept and used at most, whatever it says itself; nil for what the response says.
    package var cacheAtMost: Duration?

    /// A request.
    package init(
        method: HTTPRequest.Method = .get,
        url: WebURL,
        headers: HTTPFields = [:],
        body: [UInt8] = [],
        scope: RequestScope,
        credentials: Credentials? = nil,
        bodyLimit: Int? = nil,
        deadline: Duration? = nil,
        sink: (any BodySink)? = nil,
        cacheAtLeast: Duration? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.scope = scope
        self.credentials = credentials
        self.bodyLimit = bodyLimit
        self.deadline = deadline
        self.sink = sink
        self.cacheAtLeast = cacheAtLeast
    }

    /// A request without a provider and without credentials.
    ///
    /// Header lines go out as they are; `bodyLimit` is in bytes after decompression, `deadline` for the whole exchange,
    /// each nil for the transport's own.
    @_disfavoredOverload
    public init(
        method: HTTPRequest.Method = .get,
        url: WebURL,
        headers: HTTPFields = [:],
        body: [UInt8] = [],
        scope: RequestScope = .anywhere,
        bodyLimit: Int? = nil,
        deadline: Duration? = nil
    ) {
        self.init(
            method: method,
            url: url,
            headers: headers,
            body: body,
            scope: scope,
            credentials: nil,
            bodyLimit: bodyLimit,
            deadline: deadline
        )
    }
}

extension TransportRequest: CustomStringConvertible {
    /// `GET https://pixabay.com/api/?q=coffee&key=***`: what goes out, with every secret masked.
    public var description: String {
        let masked = credentials?.masked ?? MaskedCredentials()
        let wholeURL = masked.query.isEmpty ? url.description : url.maskingQuery(masked.query)
        let shownURL = masking?(wholeURL) ?? wholeURL
        let head = "\(method.rawValue) \(shownURL)"
        let line = masked.headers.isEmpty ? head : "\(head) (\(masked.headers.joined(separator: "; ")))"
        return credentials?.redaction.redact(line) ?? line
    }
}
