/// A request as a script asked for it, checked and resolved, still without credentials.
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

    /// What kind of answer the script reads.
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

    /// What is sent.
    public enum Body: Hashable, Sendable {
        /// `application/json`.
        case json(JSONText)
        /// `application/x-www-form-urlencoded`.
        case form([NamedValue])
        /// Text as it is; its type is among the headers.
        case text(String)
    }

    /// Where to, query included.
    public var url: WebURL
    /// The method.
    public var method = Method.get
    /// Header lines the script added.
    public var headers: [NamedValue] = []
    /// What is sent.
    public var body: Body?
    /// What kind of answer is read.
    public var format = Format.json
    /// Whether the host adds credentials.
    public var usesCredentials = true
    /// Statuses that are answers, not errors, to this script.
    public var allowedStatus: [Int] = []

    /// A GET of `url`.
    public init(url: WebURL) { self.url = url }
}

/// An answer as it goes to a script.
public struct ProviderResponse: Hashable, Sendable {
    /// The HTTP status.
    public var status: Int
    /// The URL that answered, after redirects, without credentials.
    public var url: WebURL
    /// Header lines, in order.
    public var headers: [NamedValue]
    /// The content as it came, decompressed.
    public var body: [UInt8]

    /// An answer.
    public init(status: Int, url: WebURL, headers: [NamedValue] = [], body: [UInt8] = []) {
        self.status = status
        self.url = url
        self.headers = headers
        self.body = body
    }
}
