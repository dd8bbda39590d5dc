/// How a `CachingTransport` behaves.
public struct CachingSettings: Sendable {
    /// How what is stored is treated.
    public var mode: CacheMode
    /// How stale a response may be, in time past its freshness, that is given when the server cannot be reached and has
    /// not said how stale is too stale; zero for never.
    public var staleWhenUnreachable: Duration

    /// The usual behaviour: as HTTP has it, and up to a week past its freshness a response rather than none.
    public init(mode: CacheMode = .default, staleWhenUnreachable: Duration = .seconds(7 * 86_400)) {
        self.mode = mode
        self.staleWhenUnreachable = staleWhenUnreachable
    }
}

/// How a `CachingTransport` treats what is stored.
public enum CacheMode: String, Sendable, CaseIterable {
    /// As HTTP has it.
    case `default`
    /// The server is always asked, with what is stored as a condition, and the store updated.
    case refresh
    /// Nothing is read from the store, nor written to it.
    case bypass
    /// Stored responses only, stale ones too; what is not stored is a `TransportError` with the code `notStored`.
    case offline
}
