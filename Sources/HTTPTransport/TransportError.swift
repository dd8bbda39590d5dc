import ProviderModel

/// Why a request has no response.
public struct TransportError: Error, CustomStringConvertible {
    /// The kind of a failure; ``isRetriable`` tells whether to send the request again.
    public enum Code: String, Sendable, CaseIterable {
        /// The URL is outside the hosts that the provider declares, or the user granted.
        case refusedHost
        /// The host is, or resolves to, an address that is not on the public internet.
        case privateAddress
        /// The server could not be reached, or closed the connection.
        case connection
        /// The time for the exchange ended.
        case timeout
        /// The TLS handshake failed, or the certificate is not valid.
        case tls
        /// The response is longer than the limit.
        case tooLarge
        /// The redirects did not end.
        case tooManyRedirects
        /// The request is not valid.
        case badRequest
        /// libcurl cannot be used, or the transport is closed.
        case unavailable
        /// The response violates HTTP.
        case invalidAnswer
        /// The sink did not take the body.
        case sink
        /// No access token could be fetched (OAuth 2).
        case authorization
        /// The user's secrets cannot be read or written.
        case secrets
        /// Only stored responses may be used, and there is none for this request.
        case notStored
    }

    /// The kind of the failure.
    public let code: Code
    /// The URL of the request, without secrets.
    public let url: WebURL?
    /// What was found and what was expected.
    public let message: String
    /// What helps.
    public let hint: Hint?
    /// The underlying error.
    public let cause: (any Error)?
    /// Whether the same request may succeed a moment later.
    public let isRetriable: Bool

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: the kind of the failure.
    ///   - url: the URL of the request, without secrets.
    ///   - message: what was found and what was expected.
    ///   - hint: what helps.
    ///   - cause: the underlying error.
    ///   - isRetriable: whether the same request may succeed a moment later.
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
