import HTTPTypes
import ProviderModel

/// An HTTP response.
public struct TransportResponse: Sendable {
    /// The HTTP status.
    public var status: Int
    /// The URL that answered, after redirects, without credentials.
    public var url: WebURL
    /// The header lines; lengths and encodings are those of the decoded body.
    public var headers: HTTPFields
    /// The content, decoded; empty where a sink took it.
    public var body: [UInt8]
    /// The protocol's version: `1.1`, `2`; empty when nothing was sent.
    public var version: String
    /// How it was obtained.
    public var origin: ResponseOrigin
    /// Identifies the stored response, to check later that it is unchanged and fresh; nil when it is not stored.
    public var receipt: CacheReceipt?

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: the HTTP status code.
    ///   - url: the URL that answered, after redirects, without credentials.
    ///   - headers: the header lines of the decoded body.
    ///   - body: the content, decoded.
    ///   - version: the protocol's version, such as `1.1` or `2`; empty for a response that is not from the network.
    ///   - origin: how the response was obtained.
    ///   - receipt: identifies the stored response; nil when it is not stored.
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

extension TransportResponse {
    /// What refused the request in front of the source, where a page for people may be what was asked for.
    package var barrier: Barrier? {
        guard status >= 400 else { return nil }
        return Barrier(
            status: status, headers: headers.lazy.map { ($0.name.rawName, $0.value) }, body: body, expectsPage: true)
    }
}

/// Status and header lines of a response.
public struct ResponseHead: Sendable {
    /// The HTTP status.
    public var status: Int
    /// The header lines.
    public var headers: HTTPFields
    /// The protocol's version: `1.1`, `2`; empty for a response from a store.
    public var version: String

    /// Creates a head.
    ///
    /// - Parameters:
    ///   - status: the HTTP status code.
    ///   - headers: the header lines.
    ///   - version: the protocol's version, such as `1.1` or `2`; empty for a response that is not from the network.
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
    /// From a cache without a request, with its age in seconds, and whether it is stale.
    case cache(age: Int, isStale: Bool)
    /// From a cache, after the server has validated it.
    case revalidated
}

/// Identifies a stored response, its version, and the end of its freshness.
public struct CacheReceipt: Hashable, Sendable {
    /// The id of the stored response.
    public let entry: Int64
    /// The version of the stored response; every change makes a new one.
    public let generation: Int64
    /// The end of its freshness, in seconds since 1970.
    public let freshUntil: Double

    /// Creates a receipt.
    ///
    /// - Parameters:
    ///   - entry: the id of the stored response.
    ///   - generation: its version in the store.
    ///   - freshUntil: the end of its freshness, in seconds since 1970.
    public init(entry: Int64, generation: Int64, freshUntil: Double) {
        self.entry = entry
        self.generation = generation
        self.freshUntil = freshUntil
    }
}
