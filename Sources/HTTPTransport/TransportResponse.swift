import HTTPTypes
import ProviderModel

/// An answer.
public struct TransportResponse: Sendable {
    /// The HTTP status.
    public var status: Int
    /// The URL that answered, after redirects, without credentials.
    public var url: WebURL
    /// Header lines; lengths and encodings are those of the decompressed body.
    public var headers: HTTPFields
    /// The content, decompressed; empty where a sink took it.
    public var body: [UInt8]
    /// The protocol's version as people write it: `1.1`, `2`; empty when nothing was sent.
    public var version: String
    /// How it was had.
    public var origin: ResponseOrigin
    /// What shows later that this very answer is still stored and fresh; nil when it is not stored.
    public var receipt: CacheReceipt?

    /// An answer.
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

/// What comes before the body of an answer.
public struct ResponseHead: Sendable {
    /// The HTTP status.
    public var status: Int
    /// Header lines.
    public var headers: HTTPFields

    /// A head.
    public init(status: Int, headers: HTTPFields) {
        self.status = status
        self.headers = headers
    }
}

/// How an answer was had.
public enum ResponseOrigin: Hashable, Sendable {
    /// From the server.
    case network
    /// From a cache without asking the server: its age in seconds, and whether it should no longer be used as fresh.
    case cache(age: Int, isStale: Bool)
    /// From a cache after the server said that it is still good.
    case revalidated
}

/// Which stored answer was given, and until when it may be used without asking again.
public struct CacheReceipt: Hashable, Sendable {
    /// The stored answer's number.
    public let entry: Int64
    /// Which of its versions: any change of the stored answer makes a new one.
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
