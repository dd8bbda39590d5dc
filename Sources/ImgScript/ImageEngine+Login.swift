import HTTPTransport
import ProviderModel
import ProviderRuntime

extension ImageEngine {
    /// How a login is made.
    public struct LoginOptions: Sendable {
        /// Whether the user types a code on another device instead of coming back from a page.
        public var usesDeviceCode = false
        /// The port of 127.0.0.1 that the page leads back to, 0 for any; the source may have to know it.
        public var port: UInt16 = 8917
        /// How long the user may take.
        public var timeout: Duration = .seconds(300)
        /// A file of which the address that the page led to is read as a line; nil for none.
        public var input: Int32?

        /// Creates options for a login in a browser on this machine.
        public init() {}
    }

    /// What the user has to do.
    public enum LoginStep: Sendable {
        /// Open the page, and agree there; it leads back to `callback`.
        case open(page: WebURL, callback: WebURL)
        /// Open the page on any device, and type the code there within so many seconds.
        case enter(code: String, page: WebURL, seconds: Int)
    }

    /// Logs in at a source on a page in the user's browser, and stores the tokens as ``setSecret(_:of:to:)`` does.
    ///
    /// - Parameters:
    ///   - manifest: the provider's manifest; its client's secrets are stored before.
    ///   - options: how the login is made.
    ///   - show: called with what the user has to do.
    /// - Returns: the end of the login in seconds since 1970; nil where it is renewed until the user ends it.
    /// - Throws: `ProviderError` when the provider has no login, or its client's secrets are missing; `TransportError` with the
    ///   code `authorization` when the source refuses, `timeout` when nobody comes back; `CancellationError`.
    public func logIn(
        to manifest: ProviderManifest, _ options: LoginOptions = LoginOptions(),
        show: @escaping @Sendable (LoginStep) async throws -> Void
    ) async throws -> Int? {
        let method = try loginMethod(of: manifest)
        let owner = secretOwner(of: manifest)
        let needed = method.secretNames.filter { $0 != AuthenticationMethod.loginSecret }
        let secrets = try self.secretSource.secrets(named: needed + method.optionalSecretNames, of: owner)
        let missing = needed.filter { secrets[$0] == nil }
        guard missing.isEmpty else {
            throw ProviderError(
                .auth, provider: manifest.id.description,
                message: "\(missing.joined(separator: " and ")) is missing, of the application that logs in",
                hint: .logIn(provider: manifest.id.description, server: owner.server))
        }
        let server = manifest.instance == nil ? nil : instances[manifest.id.description] ?? manifest.instance?.default
        let login = BrowserLogin(
            by: method, of: owner, secrets: secrets,
            in: RequestScope(provider: manifest.id, hosts: manifest.hosts, instance: server),
            over: try TransportStack.plain(settings, notices), now: { WallClock.secondsSince1970 },
            sleep: { try await Task.sleep(for: $0) })
        let tokens = try await tokens(of: login, options, show: show)
        try secretSource.store(tokens.stored, as: AuthenticationMethod.loginSecret, of: owner)
        return if case .at(let end) = tokens.end { end } else { nil }
    }

    /// The method by which users log in at a provider on a page of the source.
    ///
    /// - Parameter manifest: the provider's manifest.
    /// - Returns: the method, whose secrets but the login itself have to be stored before.
    /// - Throws: `ProviderError` with the code `unsupported` when there is none.
    public func loginMethod(of manifest: ProviderManifest) throws -> AuthenticationMethod {
        if let method = manifest.authentication.first(where: \.hasLogin) { return method }
        let id = manifest.id.description
        let takesCookies = manifest.authentication.contains { $0.neededCookies != nil }
        let takesKey = manifest.authentication.contains { !$0.typedSecretNames.isEmpty }
        throw ProviderError(
            .unsupported, provider: id,
            message: takesKey ? "uses a key, not a browser login" : "has no browser login",
            hint: takesKey
                ? .storeKey(provider: id, server: nil, variables: [])
                : takesCookies ? .storeCookies(provider: id, server: nil) : .listProviders)
    }

    private var secretSource: any SecretSource { settings.secrets ?? secrets }

    private func tokens(
        of login: BrowserLogin, _ options: LoginOptions, show: @escaping @Sendable (LoginStep) async throws -> Void
    ) async throws -> OAuthLogin {
        guard !options.usesDeviceCode else {
            return try await login.onDevice { step in
                guard case .enter(let code, let page, let seconds) = step else { return }
                try await show(.enter(code: code, page: page, seconds: seconds))
            }
        }
        let callback = try LoginCallback(port: options.port, input: options.input)
        return try await login(returningTo: callback, until: .now + options.timeout) { step in
            guard case .open(let page) = step else { return }
            try await show(.open(page: page, callback: callback.address))
        }
    }
}
