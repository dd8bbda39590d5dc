/// A request of a script, validated and resolved, without credentials.
public struct ProviderRequest: Hashable, Sendable {
    /// The methods a script may use.
    public enum Method: String, Sendable, CaseIterable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
        case head = "HEAD"

        /// Whether it only reads (RFC 9110 §9.2.1).
        public var isSafe: Bool { self == .get || self == .head }
    }

    /// The format of the response that the script reads.
    public enum Format: String, Sendable, CaseIterable {
        case json
        case html
        case xml
        case text

        /// The value of the `Accept` header.
        public var mediaTypes: String {
            switch self {
            case .json: "application/json, */*;q=0.5"
            case .html: "text/html, application/xhtml+xml, */*;q=0.5"
            case .xml: "application/xml, application/atom+xml, application/rss+xml, text/xml, */*;q=0.5"
            case .text: "text/plain, */*;q=0.5"
            }
        }
    }

    /// The content of a request.
    public enum Body: Hashable, Sendable {
        /// `application/json`.
        case json(JSONText)
        /// `application/x-www-form-urlencoded`.
        case form([NamedValue])
        /// Text as it is; its type is in the header lines.
        case text(String)
    }

    /// The URL with its query.
    public var url: WebURL
    /// The HTTP method.
    public var method = Method.get
    /// The header lines that the script added.
    public var headers: [NamedValue] = []
    /// The content; nil for none.
    public var body: Body?
    /// The field of a form in which the image of `similar` is uploaded, beside those of the body; nil for none.
    public var upload: String?
    /// The format of the response.
    public var format = Format.json
    /// Whether the host adds credentials.
    public var usesCredentials = true
    /// The status codes besides 2xx that are no errors to this script.
    public var allowedStatus: [Int] = []

    /// Creates a GET request that expects JSON.
    ///
    /// - Parameter url: the URL with its query.
    public init(url: WebURL) { self.url = url }
}

/// A response as a script gets it.
public struct ProviderResponse: Hashable, Sendable {
    /// The HTTP status code.
    public var status: Int
    /// The URL that answered, after redirects, without credentials.
    public var url: WebURL
    /// The header lines, in order.
    public var headers: [NamedValue]
    /// The content, decompressed.
    public var body: [UInt8]

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: the HTTP status code.
    ///   - url: the URL that answered, after redirects, without credentials.
    ///   - headers: the header lines, in order.
    ///   - body: the content, decompressed.
    public init(status: Int, url: WebURL, headers: [NamedValue] = [], body: [UInt8] = []) {
        self.status = status
        self.url = url
        self.headers = headers
        self.body = body
    }
}
