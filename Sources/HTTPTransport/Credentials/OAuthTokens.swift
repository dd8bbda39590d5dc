import Glibc
import ProviderModel

/// The access tokens of providers with OAuth 2: fetched or renewed when needed, kept until they expire.
///
/// Callers that come while a token is being fetched wait for that one. A login's token is renewed by one process; the others
/// take it from the storage.
package actor OAuthTokens {
    private struct Token: Sendable {
        let value: String
        let expires: Int?
        var login: OAuthLogin?
    }

    /// Seconds before its end at which a token is no longer used, so that it does not expire on the way.
    private static let margin = 30

    private let transport: any Transport
    private let storage: LoginStorage
    private let now: @Sendable () -> Int
    private var tokens: [[UInt8]: Token] = [:]
    private var fetches: [[UInt8]: Task<Token, any Error>] = [:]
    /// Tokens that a server refused before their end.
    private var refused: Set<String> = []

    /// Tokens fetched over this transport; `now` is the time of day in seconds since 1970.
    package init(
        over transport: any Transport, logins storage: LoginStorage = .none, now: @escaping @Sendable () -> Int
    ) {
        self.transport = transport
        self.storage = storage
        self.now = now
    }

    /// Returns a token that has not expired, fetched where needed.
    package func token(for credentials: Credentials, in scope: RequestScope) async throws -> String {
        let key = credentials.identityMaterial
        if let token = tokens[key], isUsable(token.value, until: token.expires) { return token.value }
        // The fetch belongs to all who wait for it, so the cancellation of one must not end it.
        let fetch = fetches[key] ?? Task { try await self.fetch(for: credentials, in: scope) }
        fetches[key] = fetch
        do {
            let token = try await fetch.value
            if fetches[key] == fetch { fetches[key] = nil }
            tokens[key] = token
            return token.value
        } catch {
            if fetches[key] == fetch { fetches[key] = nil }
            throw error
        }
    }

    /// Discards a token the server refused, unless it has been replaced already.
    package func discard(_ value: String, of credentials: Credentials) {
        if credentials.login != nil { refused.insert(value) }
        let key = credentials.identityMaterial
        guard tokens[key]?.login == nil, tokens[key]?.value == value else { return }
        tokens[key] = nil
    }

    private func isUsable(_ token: String, until expires: Int?) -> Bool {
        !refused.contains(token) && expires.map { $0 - Self.margin > now() } ?? true
    }

    private func fetch(for credentials: Credentials, in scope: RequestScope) async throws -> Token {
        guard case .oauth2(let endpoints) = credentials.method.placement else {
            preconditionFailure("no OAuth credentials for a token request")
        }
        try scope.check(endpoints.token)
        let client = OAuthClient(credentials, endpoints, over: transport, in: scope)
        guard let given = credentials.login else {
            var form = [NamedValue("grant_type", "client_credentials")]
            if let wanted = endpoints.scope { form.append(NamedValue("scope", wanted)) }
            let answer = try await client.token(for: form)
            return Token(value: answer.accessToken, expires: now() + max(answer.lifetime ?? 3_600, 1 + Self.margin))
        }
        // What this process renewed is newer than what it read before.
        let login = tokens[credentials.identityMaterial]?.login ?? given
        if isUsable(login.token, until: login.expires) { return token(of: login) }
        return token(of: try await renewed(login, of: credentials.owner, by: client))
    }

    private func token(of login: OAuthLogin) -> Token {
        Token(value: login.token, expires: login.expires, login: login)
    }

    private func renewed(_ login: OAuthLogin, of owner: SecretOwner, by client: OAuthClient) async throws -> OAuthLogin
    {
        let lock = try await storage.lock()
        defer { lock?.release() }
        let stored = try storage.login(of: owner).flatMap { $0.id == login.id ? $0 : nil }
        // Another process was faster.
        if let stored, stored.token != login.token, isUsable(stored.token, until: stored.expires) { return stored }
        var login = stored ?? login
        guard let refresh = login.refreshToken else { throw OAuthClient.ended(owner, "its token has expired") }
        let form = [NamedValue("grant_type", "refresh_token"), NamedValue("refresh_token", refresh)]
        let answer = try await client.token(
            for: form, hint: .logIn(provider: owner.provider.description, server: owner.server))
        login.token = answer.accessToken
        login.expires = answer.lifetime.map { now() + $0 }
        if let next = answer.refreshToken { login.refreshToken = next }
        if let lifetime = answer.refreshLifetime { login.refreshExpires = now() + lifetime }
        // A login that was removed meanwhile does not come back.
        if stored != nil { try storage.store(login, of: owner) }
        return login
    }
}

/// Where the tokens of logins are kept for all processes of a user.
package struct LoginStorage: Sendable {
    private let secrets: (any SecretSource)?
    private let lockPath: String?

    /// No storage: what is renewed holds for the process.
    package static let none = LoginStorage(in: nil, lockFolder: nil)

    /// The storage in a source of secrets; processes exclude each other by a file in the folder.
    package init(in secrets: (any SecretSource)?, lockFolder: String?) {
        self.secrets = secrets
        lockPath = lockFolder.map { "\($0)/login.lock" }
    }

    func login(of owner: SecretOwner) throws -> OAuthLogin? {
        let name = AuthenticationMethod.loginSecret
        return try secrets?.secrets(named: [name], of: owner)[name].map { text throws(TransportError) in
            try OAuthLogin(stored: text, of: owner)
        }
    }

    func store(_ login: OAuthLogin, of owner: SecretOwner) throws {
        try secrets?.store(login.stored, as: AuthenticationMethod.loginSecret, of: owner)
    }

    /// Waits until no other process renews a login; nil where there is no folder for the lock.
    func lock() async throws -> FileLock? {
        // Without the folder there is no stored login either.
        guard let lockPath, access(String(lockPath.dropLast("/login.lock".count)), F_OK) == 0 else { return nil }
        while true {
            if let lock = try FileLock(ifFree: lockPath) { return lock }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
