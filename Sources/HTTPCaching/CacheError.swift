/// Why a cache cannot be administered; requests never fail because of the cache.
public struct CacheError: Error, CustomStringConvertible {
    /// The kind of a failure.
    public enum Code: String, Sendable, CaseIterable {
        /// The store cannot be opened, read or written.
        case unavailable
    }

    /// The kind of the failure.
    public let code: Code
    /// What was found.
    public let message: String
    /// The underlying error.
    public let cause: (any Error)?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: the kind of the failure.
    ///   - message: what was found.
    ///   - cause: the underlying error.
    public init(_ code: Code, message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The ``message``.
    public var description: String { message }
}
