import HTTPTransport
import ProviderModel

/// The source of providers' credentials.
package enum CredentialSource: Sendable {
    /// The user's own secrets, and the cookies that go before those among them.
    case user(any SecretSource, cookies: (any CookieSource)? = nil)
    /// None: responses are recorded.
    case none
    /// Made-up secrets, to show where real ones would be sent.
    case placeholders

    /// The credentials for a manifest; nil when requests go without.
    package func credentials(
        for manifest: ProviderManifest, on server: WebURL?, session: SessionValues
    ) throws -> Credentials? {
        let names = Array(Set(manifest.authentication.flatMap { $0.secretNames + $0.optionalSecretNames }))
        switch self {
        case .none: return nil
        case .user(let store, let source):
            let owner = manifest.secretOwner(on: server)
            let secrets = try store.secrets(named: names, of: owner)
            let stored = secrets[AuthenticationMethod.cookieSecret]
            let login = try LoginCookies(of: manifest, on: server, from: source, stored: stored)
            let tokens = try secrets[AuthenticationMethod.loginSecret].map { text throws(TransportError) in
                try OAuthLogin(stored: text, of: owner)
            }
            let credentials = Credentials(
                provider: manifest.id, methods: manifest.authentication, secrets: secrets, session: session,
                cookies: login?.cookies ?? [], login: tokens, owner: owner)
            // What was named for this run is not left out silently.
            if source != nil, login != nil, credentials?.method.neededCookies == nil {
                throw unusedCookies(of: manifest, owner, known: secrets)
            }
            return credentials
        case .placeholders:
            let secrets = Dictionary(uniqueKeysWithValues: names.map { ($0, "placeholder") })
            let placeholder = Cookie(name: "placeholder", value: "", domain: "placeholder", isHostOnly: true)
            return Credentials(
                provider: manifest.id, methods: manifest.authentication, secrets: secrets, session: session,
                cookies: [placeholder].compactMap(\.self), login: OAuthLogin(id: "", token: "placeholder"))
        }
    }

    private func unusedCookies(
        of manifest: ProviderManifest, _ owner: SecretOwner, known: [String: String]
    ) -> ProviderError {
        let method = manifest.authentication.first { $0.neededCookies != nil }
        let names = (method?.secretNames ?? []).filter { known[$0] == nil && $0 != AuthenticationMethod.cookieSecret }
        return ProviderError(
            .auth, provider: manifest.id.description,
            message: "the cookies alone are not enough: \(names.joined(separator: " and ")) is missing",
            hint: .storeKey(
                provider: manifest.id.description, server: nil, variables: names.map { owner.variable($0) }))
    }

    /// The limits that hold for a manifest's requests: those of the authentication in use, where it has its own.
    func limits(for manifest: ProviderManifest, on server: WebURL?) throws -> Limits {
        guard manifest.authentication.contains(where: { $0.limits != nil }) else { return manifest.limits }
        return try credentials(for: manifest, on: server, session: SessionValues())?.method.limits ?? manifest.limits
    }

    /// The error of a request that needs a key.
    func missingKey(of manifest: ProviderManifest, on server: WebURL?) -> ProviderError {
        let owner = manifest.secretOwner(on: server)
        let page = manifest.authentication.compactMap(\.help).first
        let help = page.map { " (sign up at \($0))" } ?? ""
        let address = owner.server == nil ? nil : server?.origin
        if let needs = manifest.authentication.first?.neededCookies, manifest.keyMethod == nil {
            return ProviderError(
                .auth, provider: manifest.id.description,
                message: "the cookies of a login are required\(needs.inWords)",
                hint: .storeCookies(provider: manifest.id.description, server: address))
        }
        let hint = hint(for: manifest, on: address, owner)
        guard let key = manifest.keyMethod else {
            return ProviderError(
                .auth, provider: manifest.id.description, message: "a login is required\(help)", hint: hint)
        }
        guard key.body.isEmpty else {
            let names = key.typedSecretNames.map { Self.words[$0] ?? $0 }.joined(separator: " and ")
            return ProviderError(
                .auth, provider: manifest.id.description,
                message: "a \(names) \(key.typedSecretNames.count > 1 ? "are" : "is") required\(help)", hint: hint)
        }
        let issued = page.map { " (keys are issued at \($0))" } ?? ""
        return ProviderError(
            .auth, provider: manifest.id.description, message: "a key is required\(issued)", hint: hint)
    }

    /// What users call the secrets of a login.
    private static let words = ["user": "user name", "username": "user name"]

    private func hint(for manifest: ProviderManifest, on address: String?, _ owner: SecretOwner) -> Hint {
        let key = manifest.keyMethod.map { method in
            Hint.storeKey(
                provider: manifest.id.description, server: address,
                variables: method.secretNames.map { owner.variable($0) })
        }
        let hasLogin = manifest.authentication.contains(where: \.hasLogin)
        let login = hasLogin ? Hint.logIn(provider: manifest.id.description, server: address) : nil
        let hints = [key, login].compactMap(\.self)
        return hints.count == 1 ? hints[0] : .several(hints)
    }
}

extension ProviderManifest {
    /// The owner of the secrets that are sent to a server; for a single service always the default one.
    package func secretOwner(on server: WebURL?) -> SecretOwner {
        SecretOwner(id, on: instance == nil ? nil : server, usual: instance?.default)
    }
}
