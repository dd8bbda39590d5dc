import HTTPTransport
import ProviderModel

/// Where a provider's credentials come from.
package enum CredentialSource: Sendable {
    /// The user's own secrets.
    case user(SecretStore)
    /// Nothing is sent, and nothing is missed: recorded answers.
    case none
    /// Made-up secrets, to show where real ones would go.
    case placeholders

    /// The credentials for a manifest; nil when requests go without.
    func credentials(for manifest: ProviderManifest, session: SessionValues) throws -> Credentials? {
        let names = Array(Set(manifest.authentication.flatMap(\.secretNames)))
        switch self {
        case .none: return nil
        case .user(let store):
            let secrets = try store.secrets(named: names, of: manifest.id)
            return Credentials(
                provider: manifest.id, ways: manifest.authentication, secrets: secrets, session: session)
        case .placeholders:
            let secrets = Dictionary(uniqueKeysWithValues: names.map { ($0, "placeholder") })
            return Credentials(
                provider: manifest.id, ways: manifest.authentication, secrets: secrets, session: session)
        }
    }

    /// The limits that hold for a manifest's requests: those of the way that is used, where it has its own.
    func limits(for manifest: ProviderManifest) throws -> Limits {
        guard manifest.authentication.contains(where: { $0.limits != nil }) else { return manifest.limits }
        return try credentials(for: manifest, session: SessionValues())?.way.limits ?? manifest.limits
    }

    /// The error of a request that cannot go without a key.
    func missingKey(of manifest: ProviderManifest) -> ProviderError {
        let help = manifest.authentication.compactMap(\.help).first.map { ", get one at \($0)" } ?? ""
        let names = manifest.authentication.first?.secretNames ?? []
        let variables = names.map { SecretStore.variable(for: manifest.id, $0) }.joined(separator: ", ")
        return ProviderError(
            .auth, provider: manifest.id.description, message: "this source needs a key\(help)",
            advice: "imgscript auth set \(manifest.id) stores it (or set \(variables)); --sample shows sample results without one")
    }
}
