import ProviderModel

/// The source of providers' secrets: a vault, a database, an environment.
///
/// ```swift
/// struct VaultSecrets: SecretSource {
///     let values: [String: String]  // "pixabay key": "…"
///
///     func secrets(named names: [String], of owner: SecretOwner) -> [String: String] {
///         names.reduce(into: [:]) { $0[$1] = values["\(owner) \($1)"] }
///     }
/// }
/// ```
public protocol SecretSource: Sendable {
    /// Looks up the secrets that a provider declares; called on any thread, at least once per operation.
    ///
    /// - Parameters:
    ///   - names: the names in the provider's manifest, such as `key` or `client_id`.
    ///   - owner: the provider, and the server where it is not the default one.
    /// - Returns: the values by name, without those that do not exist.
    /// - Throws: any error; the operation fails with it.
    func secrets(named names: [String], of owner: SecretOwner) throws -> [String: String]

    /// Stores a secret that the source of images has renewed, such as the tokens of a login.
    ///
    /// Without an implementation, what is renewed holds for the engine.
    ///
    /// - Parameters:
    ///   - value: the secret.
    ///   - name: its name, such as `login`.
    ///   - owner: the provider, and the server where it is not the default one.
    /// - Throws: any error; the operation fails with it.
    func store(_ value: String, as name: String, of owner: SecretOwner) throws
}

extension SecretSource {
    /// Stores nothing.
    public func store(_ value: String, as name: String, of owner: SecretOwner) throws {}
}

/// The owner of secrets: a provider on its default server, or on another server that the user names.
///
/// Each server has its own secrets, so that none is sent to another.
public struct SecretOwner: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The provider.
    public let provider: ProviderID
    /// Host and port of the server; nil for the default one, and for a source that has only one.
    public let server: String?

    /// Creates the owner of a provider's secrets on its default server.
    ///
    /// - Parameter provider: the provider.
    public init(_ provider: ProviderID) {
        self.provider = provider
        server = nil
    }

    /// Creates the owner of secrets on a server; the default server is not named.
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
