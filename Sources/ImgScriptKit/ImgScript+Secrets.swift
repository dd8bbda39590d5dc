import HTTPTransport
import ProviderModel

extension ImgScript {
    /// A secret that exists, without its value.
    public struct SecretEntry: Sendable {
        /// Whose secret.
        public let provider: ProviderID
        /// Its name: `key`, `user`.
        public let name: String
        /// The file or the variable it comes from.
        public let origin: String
    }

    /// Keeps a secret in the user's configuration folder, readable by the user alone.
    public func setSecret(_ name: String, of provider: ProviderID, to value: String) throws {
        try secrets.set(name, of: provider, to: value)
    }

    /// Removes all secrets of a provider; false when there were none.
    public func removeSecrets(of provider: ProviderID) throws -> Bool { try secrets.remove(of: provider) }

    /// The secrets there are, those in the environment included, for the providers given.
    public func listSecrets(of manifests: [ProviderManifest]) throws -> [SecretEntry] {
        let names = manifests.map { manifest in
            (provider: manifest.id, names: Array(Set(manifest.authentication.flatMap(\.secretNames))).sorted())
        }
        return try secrets.list(environmentOf: names).map { entry in
            let origin =
                switch entry.origin {
                case .environment(let variable): "$\(variable)"
                case .file: secrets.path
                }
            return SecretEntry(provider: entry.provider, name: entry.name, origin: origin)
        }
    }
}
