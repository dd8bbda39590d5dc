/// What a cache holds, in short.
public struct CacheSummary: Hashable, Sendable {
    /// A part of what is stored.
    public struct Share: Hashable, Sendable {
        /// The host or provider.
        public let name: String
        /// How many responses.
        public let entries: Int
        /// How many bytes they take.
        public let bytes: Int
    }

    /// How many responses are stored.
    public let entries: Int
    /// How many values derived from responses are stored.
    public let derivedValues: Int
    /// How many bytes everything together takes.
    public let bytes: Int
    /// How many bytes it may take.
    public let limit: Int
    /// By host, the largest first.
    public let hosts: [Share]
    /// By the provider that asked, the largest first.
    public let providers: [Share]
    /// When the oldest response came, in seconds since 1970; nil when there is none.
    public let oldest: Double?
    /// When the newest response came, in seconds since 1970; nil when there is none.
    public let newest: Double?
}

/// A stored response, as a listing shows it.
public struct CacheListing: Hashable, Sendable {
    /// Its number.
    public let id: Int64
    /// The URL, without credentials.
    public let url: String
    /// The provider that asked.
    public let provider: String
    /// The HTTP status.
    public let status: Int
    /// How many bytes the body has.
    public let bytes: Int
    /// When it came, in seconds since 1970.
    public let receivedAt: Double
    /// Until when it may be used without asking, in seconds since 1970; in the past for a stale one.
    public let freshUntil: Double
    /// When it was last used, in seconds since 1970, to the hour.
    public let usedAt: Double
    /// Whether it is only a part of the content.
    public let isPart: Bool
}

/// Which stored responses are meant.
public enum CacheFilter: Hashable, Sendable {
    /// All.
    case all
    /// Those a provider asked for.
    case provider(String)
    /// Those of a host.
    case host(String)
    /// Those of one URL, whoever asked.
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

/// What `prune` removed.
public struct PruneReport: Hashable, Sendable {
    /// Answers past their freshness.
    public var expired = 0
    /// Answers and derived values beyond the limit.
    public var evicted = 0
    /// Files that belong to no response.
    public var orphans = 0
    /// How many bytes less everything takes.
    public var bytesFreed = 0
}

/// What `verify` found, and what it did about it.
public struct VerificationReport: Hashable, Sendable {
    /// How many responses were read.
    public var checked = 0
    /// What was wrong and is repaired, as sentences; empty for a cache in order.
    public var repairs: [String] = []

    /// Whether there was nothing to repair.
    public var isClean: Bool { repairs.isEmpty }
}
