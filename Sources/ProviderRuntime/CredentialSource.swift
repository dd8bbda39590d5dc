import HTTPTransport
import ProviderModel

/// The source of providers' credentials.
package enum CredentialSource: Sendable {
    /// The user's own secrets.
    case user(any SecretSource)
    /// None: responses are recorded.
    case none
    /// Made-up secrets, to show where real ones would be sent.
    case placeholders

    /// The credentials for a manifest; nil when requests go without.
    package func credentials(
        for manifest: ProviderManifest, on server: WebURL?, session: SessionValues
    ) throws -> Credentials? {
        let names = Array(Set(manifest.authentication.flatMap(\.secretNames)))
        switch self {
        case .none: return nil
        case .user(let store):
            let secrets = try store.secrets(named: names, of: manifest.secretOwner(on: server))
            return Credentials(
                provider: manifest.id, methods: manifest.authentication, secrets: secrets, session: session)
        case .placeholders:
            let secrets = Dictionary(uniqueKeysWithValues: names.map { ($0, "placeholder") })
            return Credentials(
                provider: manifest.id, methods: manifest.authentication, secrets: secrets, session: session)
        }
    }

    /// The limits that hold for a manifest's requests: those of the authentication in use, where it has its own.
    func limits(for manifest: ProviderManifest, on server: WebURL?) throws -> Limits {
        guard manifest.authentication.contains(where: { $0.limits != nil }) else { return manifest.limits }
        return try credentials(for: manifest, on: server, session: SessionValues())?.method.limits ?? manifest.limits
    }

    /// The error of a request that needs a key.
    func missingKey(of manifest: ProviderManifest, on server: WebURL?) -> ProviderError {
        let owner = manifest.secretOwner(on: server)
        let help = manifest.authentication.compactMap(\.help).first.map { " (keys are issued at \($0))" } ?? ""
        let names = manifest.authentication.first?.secretNames ?? []
        let variables = names.map { owner.variable($0) }
        return ProviderError(
            .auth, provider: manifest.id.description, message: "a key is required\(help)",
            hint: .storeKey(
                provider: manifest.id.description, server: owner.server == nil ? nil : server?.origin,
                variables: variables))
    }
}

extension ProviderManifest {
    /// The owner of the secrets that are sent to a server; for a single service always the default one.
    package func secretOwner(on server: WebURL?) -> SecretOwner {
        SecretOwner(id, on: instance == nil ? nil : server, usual: instance?.default)
    }
}
