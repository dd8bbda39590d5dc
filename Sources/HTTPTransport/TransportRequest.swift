import HTTPTypes
import ProviderModel

/// A request: URL and headers without secrets, and the credentials that are added when it is sent.
public struct TransportRequest: Sendable {
    /// The HTTP method.
    public var method: HTTPRequest.Method
    /// The URL, without secrets.
    public var url: WebURL
    /// Header lines, without secrets.
    public var headers: HTTPFields
    /// The names of the fields that a redirect to another server drops.
    package var ownHeaders: Set<HTTPField.Name> = []
    /// The `Cookie` line of cookies that redirects on the way to this request have set; nil for none.
    package var redirectCookies: String?
    /// What is sent; empty for nothing.
    public var body: [UInt8]
    /// The image that is sent beside the body's form, as one form of several parts (RFC 7578); nil for none.
    package var upload: ImageUpload?
    /// The provider that makes the request, and the hosts that it may reach.
    public var scope: RequestScope
    /// The rates that the provider declares; nil for requests that do not count.
    package var limits: Limits?
    /// The secrets that are added when the request is sent.
    package var credentials: Credentials?
    /// Masks secrets of the sender in the URL for display; nil where it has none.
    package var masking: (@Sendable (String) -> String)?
    /// The maximum length of a response in bytes, decompressed; nil for ``TransportSettings/bodyLimit``.
    public var bodyLimit: Int?
    /// The maximum time for the exchange; nil for ``TransportSettings/deadline``.
    public var deadline: Duration?
    /// The destination of the body of a 2xx response; nil for the response itself.
    package var sink: (any BodySink)?
    /// Adds up the time that the request waits for rate limits.
    package var queueTime: QueueTime?
    /// Statuses that are answers, as 500 is at a source that sends right pages with it: they are not asked for again.
    package var finalStatuses: [Int] = []
    /// How long a successful response is used without asking again, against its own directives; nil for its directives.
    ///
    /// The terms of some sources demand it.
    package var cacheAtLeast: Duration?
    /// How long a response may be stored and used at most, against its own directives; nil for its directives.
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

    /// Creates a request without a provider and without credentials.
    ///
    /// - Parameters:
    ///   - method: the HTTP method.
    ///   - url: the URL with its query.
    ///   - headers: header lines, sent as they are.
    ///   - body: the content; empty for none.
    ///   - scope: the hosts that the request and its redirects may reach.
    ///   - bodyLimit: the maximum length of the response in bytes, decompressed; nil for ``TransportSettings/bodyLimit``.
    ///   - deadline: the maximum time for the exchange; nil for ``TransportSettings/deadline``.
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

extension TransportRequest {
    /// A request that posts JSON to any server.
    package init(posting json: [UInt8], to url: WebURL) {
        self.init(
            method: .post, url: url, headers: [.contentType: "application/json"], body: json, scope: .anywhere,
            bodyLimit: 1 << 20)
    }
}

extension TransportRequest: CustomStringConvertible {
    /// `GET https://pixabay.com/api/?q=coffee&key=***`: method and URL with every secret masked.
    public var description: String {
        let masked = credentials?.masked ?? MaskedCredentials()
        let wholeURL = masked.query.isEmpty ? url.description : url.maskingQuery(masked.query)
        let shownURL = masking?(wholeURL) ?? wholeURL
        let head = "\(method.rawValue) \(shownURL)"
        let line = masked.headers.isEmpty ? head : "\(head) (\(masked.headers.joined(separator: "; ")))"
        return credentials?.redaction.redact(line) ?? line
    }
}

extension TransportRequest {
    /// Creates the request that a script describes, with its body encoded and `Accept` set.
    package init(
        _ request: ProviderRequest,
        of manifest: ProviderManifest,
        instance: WebURL? = nil,
        credentials: Credentials? = nil,
        image: SearchImage? = nil
    ) throws(TransportError) {
        let scope = RequestScope(provider: manifest.id, hosts: manifest.hosts, instance: instance)
        self.init(
            method: request.method.httpMethod,
            url: request.url,
            headers: try ScriptHeaders.fields(request.headers, for: request.url),
            scope: scope,
            credentials: request.usesCredentials ? credentials : nil,
            cacheAtLeast: manifest.terms.cacheAtLeast.map { .seconds($0) }
        )
        cacheAtMost = manifest.terms.cacheAtMost.map { .seconds($0) }
        limits = manifest.limits
        finalStatuses = request.allowedStatus
        if headers[.accept] == nil { headers[.accept] = request.format.mediaTypes }
        switch request.body {
        case .json(let json): setBody(json.description, type: "application/json")
        case .form(let pairs): setBody(FormEncoding.encode(pairs), type: "application/x-www-form-urlencoded")
        case .text(let text): setBody(text, type: "text/plain; charset=utf-8")
        case nil: break
        }
        guard let field = request.upload else { return }
        guard let image, !image.content.isEmpty else {
            throw TransportError(
                .badRequest, url: url,
                message: "the request uploads the image of `similar`, and there is no file",
                hint: "send q.image.url, or leave 'url' out of `image`")
        }
        upload = ImageUpload(field: field, image: image)
    }

    private mutating func setBody(_ text: String, type: String) {
        body = Array(text.utf8)
        if headers[.contentType] == nil { headers[.contentType] = type }
    }
}

/// The encoding of HTML forms.
package enum FormEncoding {
    /// Returns the pairs as one text, names repeated as they come.
    package static func encode(_ pairs: [NamedValue]) -> String {
        pairs.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
    }

    /// Returns the pairs of a form, decoded, in order.
    package static func decode(_ text: String) -> [NamedValue] {
        text.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return NamedValue(
                PercentEncoding.decode(parts[0]), parts.count > 1 ? PercentEncoding.decode(parts[1]) : "")
        }
    }
}

extension ProviderRequest.Method {
    fileprivate var httpMethod: HTTPRequest.Method {
        switch self {
        case .get: .get
        case .post: .post
        case .put: .put
        case .delete: .delete
        case .head: .head
        }
    }
}

/// Validates the header lines that a script or an item gives.
package enum ScriptHeaders {
    /// Fields that the host sets itself, or that concern one connection (RFC 9110 §7.6.1).
    private static let reserved: Set<String> = [
        "host", "content-length", "cookie", "connection", "keep-alive", "proxy-authenticate", "proxy-authorization",
        "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "expect", "accept-encoding",
    ]

    /// Returns the lines as fields; a line that could change the request's meaning is an error.
    package static func fields(_ lines: [NamedValue], for url: WebURL) throws(TransportError) -> HTTPFields {
        var fields = HTTPFields()
        for line in lines {
            guard !reserved.contains(line.name.lowercased()) else {
                throw TransportError(
                    .badRequest,
                    url: url,
                    message: "the header \(line.name.quoted) is set by the host", hint: "leave it out"
                )
            }
            guard let name = HTTPField.Name(line.name), !line.value.utf8.contains(where: \.breaksLines) else {
                throw TransportError(
                    .badRequest,
                    url: url,
                    message: "invalid header line \(line.name.quoted) with value \(line.value.quoted) "
                        + "(expected a name of letters, digits and dashes, and a value without line breaks)"
                )
            }
            fields.append(HTTPField(name: name, value: name == .referer ? referer(line.value) : line.value))
        }
        return fields
    }

    /// A page's URL as browsers send it: a header line is ASCII.
    private static func referer(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7f }) else { return text }
        // What is no URL is the script's own matter.
        return (try? WebURL(text))?.withoutFragment ?? text
    }
}

extension TransportRequest {
    /// Adds header lines that a script gives for a file; a redirect to another server drops them.
    package mutating func addFileHeaders(_ lines: [NamedValue]) throws(TransportError) {
        let own = try ScriptHeaders.fields(lines, for: url)
        if own.contains(.accept) { headers[.accept] = nil }
        headers.append(contentsOf: own)
        ownHeaders.formUnion(own.map(\.name))
    }
}
