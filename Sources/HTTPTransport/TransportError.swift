import ProviderModel

/// Why a request has no answer.
public struct TransportError: Error, CustomStringConvertible {
    /// What a caller may handle differently.
    public enum Code: String, Sendable, CaseIterable {
        /// The URL is outside the places the provider declares.
        case refusedHost
        /// The host is, or resolves to, an address that is not on the public internet.
        case privateAddress
        /// The server could not be reached, or went away.
        case connection
        /// It took too long.
        case timeout
        /// The server's certificate or the handshake is no good.
        case tls
        /// The answer is larger than allowed.
        case tooLarge
        /// Redirects without end.
        case tooManyRedirects
        /// What was to be sent cannot be sent.
        case badRequest
        /// libcurl is not there.
        case unavailable
        /// The server does not speak HTTP as it should.
        case invalidAnswer
        /// The sink did not take the body.
        case sink
        /// An access token could not be had.
        case authorization
        /// The user's secrets cannot be read or written.
        case secrets
        /// Only stored answers may be given, and there is none for this request.
        case notStored
    }

    /// What a caller may handle differently.
    public let code: Code
    /// Where the request was to go, without secrets.
    public let url: WebURL?
    /// What was found, what was expected and what to do next.
    public let message: String
    /// What lies beneath.
    public let cause: (any Error)?
    /// Whether the same request may succeed a moment later.
    public let isRetriable: Bool

    /// An error.
    public init(
        _ code: Code,
        url: WebURL? = nil,
        message: String,
        cause: (any Error)? = nil,
        isRetriable: Bool = false
    ) {
        self.code = code
        self.url = url
        self.message = message
        self.cause = cause
        self.isRetriable = isRetriable
    }

    /// The message.
    public var description: String { message }
}
