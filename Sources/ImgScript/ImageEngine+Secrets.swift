public import HTTPTransport
import ProviderModel
import ProviderRuntime

extension ImageEngine {
    /// A secret that exists, without its value.
    public struct SecretEntry: Sendable {
        /// Whose secret.
        public let owner: SecretOwner
        /// Its name: `key`, `user`.
        public let name: String
        /// The file or the variable it comes from.
        public let origin: String
    }

    /// Keeps a secret in the user's configuration folder, readable by the user alone.
    public func setSecret(_ name: String, of owner: SecretOwner, to value: String) throws {
        try secrets.set(name, of: owner, to: value)
    }

    /// Removes all secrets of an owner; false when there were none.
    public func removeSecrets(of owner: SecretOwner) throws -> Bool { try secrets.remove(of: owner) }

    /// Whose secrets are sent when a provider is asked with these settings.
    public func secretOwner(of manifest: ProviderManifest) -> SecretOwner { manifest.secretOwner(on: instance) }

    /// The secrets there are, those in the environment included, for the providers given.
    public func listSecrets(of manifests: [ProviderManifest]) throws -> [SecretEntry] {
        let names = manifests.map { manifest in
            (
                owner: secretOwner(of: manifest),
                names: Array(Set(manifest.authentication.flatMap(\.secretNames))).sorted()
            )
        }
        return try secrets.list(environmentOf: names).map { entry in
            let origin =
                switch entry.origin {
                case .environment(let variable): "$\(variable)"
                case .file: secrets.path
                }
            return SecretEntry(owner: entry.owner, name: entry.name, origin: origin)
        }
    }
}
