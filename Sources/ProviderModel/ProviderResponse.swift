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
