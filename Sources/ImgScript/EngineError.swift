public import ProviderModel
import ProviderRuntime
import Search

/// An error of the engine itself.
///
/// Errors of its parts are thrown as they are: `ProviderError` of a source and its script, `TransportError` of a request,
/// `DownloadError` of a file, `ResumeError` of a stored place.
public struct EngineError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of a failure.
    public enum Code: Hashable, Sendable {
        /// One of the providers that `all` stands for was not used, because it lacks something; the others continue.
        case skipped(SkipReason)
        /// The configuration sends no requests, and the call needs a response.
        case dryRun
        /// The server of an image file answered with this status code instead of 200.
        case status(Int)
        /// The file is no image: a web page, a known placeholder, or the item has no file.
        case notAnImage
        /// The image is incomplete or cannot be decoded.
        case damaged
    }

    /// What a skipped provider lacks.
    public enum SkipReason: Hashable, Sendable, CaseIterable {
        /// The operation of the listing.
        case operation
        /// Searches around a point.
        case near
        /// A key from the user.
        case key
        /// A server from the user.
        case instance
        /// A version that understands the source as it is now.
        case working
    }

    /// The kind of the failure.
    public let code: Code
    /// The provider concerned, where there is one.
    public let provider: ProviderID?
    /// The image file concerned, where there is one.
    public let url: WebURL?
    /// What was found and what was expected, in one sentence.
    public let message: String

    init(_ code: Code, provider: ProviderID? = nil, url: WebURL? = nil, message: String) {
        self.code = code
        self.provider = provider
        self.url = url
        self.message = message
    }

    /// The message, preceded by the provider: `pixabay: needs a key`.
    public var description: String { provider.map { "\($0): \(message)" } ?? message }

    static func skipped(_ provider: ProviderID, _ reason: SkipReason, _ operation: ProviderOperation) -> EngineError {
        let lack =
            switch reason {
            case .operation: "has no \(operation)"
            case .near: "has no search around a point"
            case .key: "needs a key"
            case .instance: "needs a server"
            case .working: "is known to be broken"
            }
        return EngineError(.skipped(reason), provider: provider, message: lack)
    }

    static func skipped(_ provider: ProviderID, _ fault: KnownBreak) -> EngineError {
        EngineError(.skipped(.working), provider: provider, message: "\(fault)")
    }
}

extension ScriptProvider {
    /// Throws ``EngineError/Code/skipped(_:)`` when the provider lacks what the listing needs.
    func checkApplicable(to listing: Listing, _ options: SearchOptions) throws {
        var reason: EngineError.SkipReason?
        let operation = manifest.description(of: listing.operation)
        if options.near != nil, operation?.takesPoint == false { reason = .near }
        if operation == nil { reason = .operation }
        if isWithoutInstance { reason = .instance }
        if try lacksKey { reason = .key }
        if let reason { throw EngineError.skipped(manifest.id, reason, listing.operation) }
    }
}
