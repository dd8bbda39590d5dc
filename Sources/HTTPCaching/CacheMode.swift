/// How a `CachingTransport` treats what is stored.
public enum CacheMode: String, Sendable, CaseIterable {
    /// As HTTP has it.
    case standard
    /// The server is always asked, with what is stored as a condition, and the store updated.
    case refresh
    /// Nothing is read from the store, nor written to it.
    case bypass
    /// Stored answers only, stale ones too; what is not stored is a `TransportError` with the code `notStored`.
    case offline
}
