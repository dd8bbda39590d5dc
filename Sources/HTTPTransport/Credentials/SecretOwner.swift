import ProviderModel

/// Whose secrets: a provider's, on its usual server or on one of many that the user names.
///
/// A key for one server is no other's business, so each has its own.
public struct SecretOwner: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The provider.
    public let provider: ProviderID
    /// Host and port of the server; nil for the usual one, and for a source that has only one.
    public let server: String?

    /// A provider's secrets on its usual server.
    public init(_ provider: ProviderID) {
        self.provider = provider
        server = nil
    }

    /// A provider's secrets on a server, which is none worth naming when it is the usual one.
    package init(_ provider: ProviderID, on server: WebURL?, usual: WebURL?) {
        self.provider = provider
        self.server = server.flatMap { $0.origin == usual?.origin ? nil : $0.authority }
    }

    /// Reads `danbooru` or `danbooru@booru.example:8443`; nil when it is neither.
    package init?(_ text: String) {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard let provider = ProviderID(String(parts[0])), parts.count == 1 || !parts[1].isEmpty else { return nil }
        self.provider = provider
        server = parts.count == 1 ? nil : String(parts[1])
    }

    /// `danbooru`, `danbooru@booru.example:8443`.
    public var description: String { [provider.description, server].compactMap(\.self).joined(separator: "@") }

    /// By provider, then by server.
    public static func < (left: SecretOwner, right: SecretOwner) -> Bool { left.description < right.description }

    /// The variable a secret can be given by: `IMGSCRIPT_PIXABAY_KEY`, `IMGSCRIPT_DANBOORU_BOORU_EXAMPLE_KEY`.
    package func variable(_ name: String) -> String {
        let text = "imgscript_\(description)_\(name)".uppercased()
        return String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }
}
