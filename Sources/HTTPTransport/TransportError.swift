import ProviderModel

/// Why a request has no response.
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
        /// The response is larger than allowed.
        case tooLarge
        /// Redirects without end.
        case tooManyRedirects
        /// What was to be sent cannot be sent.
        case badRequest
        /// libcurl cannot be used, or the transport is closed.
        case unavailable
        /// The server violates HTTP.
        case invalidAnswer
        /// The sink did not take the body.
        case sink
        /// An access token could not be had.
        case authorization
        /// The user's secrets cannot be read or written.
        case secrets
        /// Only stored responses may be used, and there is none for this request.
        case notStored
    }

    /// What a caller may handle differently.
    public let code: Code
    /// Where the request was to go, without secrets.
    public let url: WebURL?
    /// What was found and what was expected.
    public let message: String
    /// What to do next.
    public let hint: Hint?
    /// What lies beneath.
    public let cause: (any Error)?
    /// Whether the same request may succeed a moment later.
    public let isRetriable: Bool

    /// An error.
    public init(
        _ code: Code,
        url: WebURL? = nil,
        message: String,
        hint: Hint? = nil,
        cause: (any Error)? = nil,
        isRetriable: Bool = false
    ) {
        self.code = code
        self.url = url
        self.message = message
        self.hint = hint
        self.cause = cause
        self.isRetriable = isRetriable
    }

    /// The message and the hint.
    public var description: String { [message, hint?.description].compactMap(\.self).joined(separator: "; ") }
}
