import HTTPTypes
import ProviderModel

/// A request on its way out: without secrets in URL or headers, with the credentials beside it.
package struct TransportRequest: Sendable {
    /// The method.
    package var method: HTTPRequest.Method
    /// Where to, without secrets.
    package var url: WebURL
    /// Header lines, without secrets.
    package var headers: HTTPFields
    /// What is sent; empty for nothing.
    package var body: [UInt8]
    /// On whose behalf, and where it may go.
    package var scope: RequestScope
    /// What is added at the last moment, on the wire only.
    package var credentials: Credentials?
    /// The most bytes an answer may have, decompressed; nil for the transport's own limit.
    package var bodyLimit: Int?
    /// How long the whole exchange may take; nil for the transport's own limit.
    package var deadline: Duration?
    /// Where the body of a 2xx answer goes instead of into the response.
    package var sink: (any BodySink)?

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
        sink: (any BodySink)? = nil
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
    }
}

extension TransportRequest: CustomStringConvertible {
    /// `GET https://pixabay.com/api/?q=coffee&key=***`: what goes out, with every secret masked.
    package var description: String {
        let masked = credentials?.masked ?? MaskedCredentials()
        let shownURL = masked.query.isEmpty ? url.description : url.maskingQuery(masked.query)
        let head = "\(method.rawValue) \(shownURL)"
        let line = masked.headers.isEmpty ? head : "\(head) (\(masked.headers.joined(separator: "; ")))"
        return credentials?.redaction.redact(line) ?? line
    }
}
