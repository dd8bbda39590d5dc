/// How a `CachingTransport` behaves.
public struct CachingSettings: Sendable {
    /// How what is stored is treated.
    public var mode: CacheMode
    /// How stale an answer may be, in time past its freshness, that is given when the server cannot be reached and has
    /// not said how stale is too stale; zero for never.
    public var staleWhenUnreachable: Duration

    /// The usual behaviour: as HTTP has it, and up to a week past its freshness an answer rather than none.
    public init(mode: CacheMode = .standard, staleWhenUnreachable: Duration = .seconds(7 * 86_400)) {
        self.mode = mode
        self.staleWhenUnreachable = staleWhenUnreachable
    }
}
