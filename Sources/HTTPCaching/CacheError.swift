/// Why something asked of a cache, besides answering requests, was not done.
public struct CacheError: Error, CustomStringConvertible {
    /// What a caller may handle differently.
    public enum Code: String, Sendable, CaseIterable {
        /// The store cannot be opened, read or written.
        case unavailable
    }

    /// What a caller may handle differently.
    public let code: Code
    /// What was found, and what to do next.
    public let message: String
    /// What lies beneath.
    public let cause: (any Error)?

    /// An error.
    public init(_ code: Code, message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The message.
    public var description: String { message }
}
