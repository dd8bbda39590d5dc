import HTTPTypes
import ProviderModel

/// A response.
public struct TransportResponse: Sendable {
    /// The HTTP status.
    public var status: Int
    /// The URL that answered, after redirects, without credentials.
    public var url: WebURL
    /// Header lines; lengths and encodings are those of the decoded body.
    public var headers: HTTPFields
    /// The content, decoded; empty where a sink took it.
    public var body: [UInt8]
    /// The protocol's version: `1.1`, `2`; empty when nothing was sent.
    public var version: String
    /// How it was obtained.
    public var origin: ResponseOrigin
    /// What shows later that this very response is still stored and fresh; nil when it is not stored.
    public var receipt: CacheReceipt?

    /// A response.
    public init(
        status: Int,
        url: WebURL,
        headers: HTTPFields = [:],
        body: [UInt8] = [],
        version: String = "",
        origin: ResponseOrigin = .network,
        receipt: CacheReceipt? = nil
    ) {
        self.status = status
        self.url = url
        self.headers = headers
        self.body = body
        self.version = version
        self.origin = origin
        self.receipt = receipt
    }
}

/// What comes before the body of a response.
public struct ResponseHead: Sendable {
    /// The HTTP status.
    public var status: Int
    /// Header lines.
    public var headers: HTTPFields
    /// The protocol's version: `1.1`, `2`; empty for a response from a store.
    public var version: String

    /// A head.
    public init(status: Int, headers: HTTPFields, version: String = "") {
        self.status = status
        self.headers = headers
        self.version = version
    }
}

/// How a response was obtained.
public enum ResponseOrigin: Hashable, Sendable {
    /// From the server.
    case network
    /// From a cache without a request: its age in seconds, and whether it is no longer fresh.
    case cache(age: Int, isStale: Bool)
    /// From a cache, after the server has validated it.
    case revalidated
}

/// Which stored response was used, and until when it may be used without asking again.
public struct CacheReceipt: Hashable, Sendable {
    /// The stored response's number.
    public let entry: Int64
    /// Which of its versions: any change of the stored response makes a new one.
    public let generation: Int64
    /// The end of its freshness, in seconds since 1970.
    public let freshUntil: Double

    /// A receipt.
    public init(entry: Int64, generation: Int64, freshUntil: Double) {
        self.entry = entry
        self.generation = generation
        self.freshUntil = freshUntil
    }
}
