/// The contents of a cache in numbers.
public struct CacheSummary: Hashable, Sendable {
    /// The responses of one host or provider.
    public struct Share: Hashable, Sendable {
        /// The host or provider.
        public let name: String
        /// The number of responses.
        public let entries: Int
        /// Their size in bytes.
        public let bytes: Int
    }

    /// The number of responses.
    public let entries: Int
    /// The number of values derived from responses.
    public let derivedValues: Int
    /// The size of everything in bytes.
    public let bytes: Int
    /// The maximum size in bytes.
    public let limit: Int
    /// The responses by host, the largest share first.
    public let hosts: [Share]
    /// The responses by the provider that requested them, the largest share first.
    public let providers: [Share]
    /// When the oldest response was received, in seconds since 1970; nil without responses.
    public let oldest: Double?
    /// When the newest response was received, in seconds since 1970; nil without responses.
    public let newest: Double?
}

/// A stored response without its body.
public struct CacheListing: Hashable, Sendable {
    /// The id of the stored response.
    public let id: Int64
    /// The URL, without credentials.
    public let url: String
    /// The provider that requested it.
    public let provider: String
    /// The HTTP status.
    public let status: Int
    /// How many bytes the body has.
    public let bytes: Int
    /// When it was received, in seconds since 1970.
    public let receivedAt: Double
    /// The end of its freshness in seconds since 1970; past for a stale response.
    public let freshUntil: Double
    /// When it was last used, in seconds since 1970, to the hour.
    public let usedAt: Double
    /// Whether it is only a part of the content (206).
    public let isPart: Bool
}

/// Selects stored responses.
public enum CacheFilter: Hashable, Sendable {
    /// Every response.
    case all
    /// The responses that a provider requested.
    case provider(String)
    /// The responses of a host.
    case host(String)
    /// The responses of one URL, of every provider.
    case url(String)

    /// The condition on a row, and its argument.
    var condition: (sql: String, argument: String?) {
        switch self {
        case .all: ("1", nil)
        case .provider(let name): ("provider = ?", name)
        case .host(let name): ("host = ?", name.lowercased())
        case .url(let url): ("url = ?", url)
        }
    }
}

/// What ``SQLiteCacheStorage/prune(now:)`` removed.
public struct PruneReport: Hashable, Sendable {
    /// Expired responses.
    public var expired = 0
    /// Responses and derived values beyond the limit.
    public var evicted = 0
    /// Files that belong to no response.
    public var orphans = 0
    /// The bytes freed.
    public var bytesFreed = 0
}

/// What ``SQLiteCacheStorage/verify()`` found and repaired.
public struct VerificationReport: Hashable, Sendable {
    /// The number of responses read.
    public var checked = 0
    /// What was damaged and is repaired, as sentences; empty for an intact cache.
    public var repairs: [String] = []

    /// Whether nothing was damaged.
    public var isClean: Bool { repairs.isEmpty }
}
