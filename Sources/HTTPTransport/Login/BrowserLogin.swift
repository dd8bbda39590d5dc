import Crypto
import HTTPTypes
import ProviderModel

/// A login at a source, on a page that the user's browser shows: OAuth 2 with PKCE, a device code, or OAuth 1.0a.
package struct BrowserLogin: Sendable {
    /// Where the login is at.
    package enum Step: Sendable {
        /// The user has to open this page, and to agree there.
        case open(WebURL)
        /// The user has to open this page on any device, and to type the code there.
        case enter(code: String, at: WebURL, seconds: Int)
    }

    private let method: AuthenticationMethod
    private let owner: SecretOwner
    private let secrets: [String: String]
    private let scope: RequestScope
    private let transport: any Transport
    private let now: @Sendable () -> Int
    private let sleep: @Sendable (Duration) async throws -> Void

    /// A login by a method that has one; `secrets` are those of the client, `now` is in seconds since 1970.
    package init(
        by method: AuthenticationMethod, of owner: SecretOwner, secrets: [String: String], in scope: RequestScope,
        over transport: any Transport, now: @escaping @Sendable () -> Int,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.method = method
        self.owner = owner
        self.secrets = secrets
        self.scope = scope
        self.transport = transport
        self.now = now
        self.sleep = sleep
    }

    /// Logs in on a page that leads back to the callback.
    package func callAsFunction(
        returningTo callback: LoginCallback, until deadline: ContinuousClock.Instant,
        show: @Sendable (Step) async throws -> Void
    ) async throws -> OAuthLogin {
        switch method.placement {
        case .oauth2(let endpoints):
            guard let page = endpoints.authorize else {
                throw unsupported("logs in with a code on another device only")
            }
            return try await code(from: page, endpoints, callback, deadline, show)
        case .oauth1(let endpoints):
            guard let request = endpoints.request, let page = endpoints.authorize, let token = endpoints.token else {
                throw unsupported("has no login")
            }
            return try await oauth1((request, page, token), callback, deadline, show)
        default: throw unsupported("has no login")
        }
    }

    private func unsupported(_ reason: String) -> ProviderError {
        ProviderError(.unsupported, provider: owner.provider.description, message: reason)
    }

    private func refusal(_ reason: String) -> TransportError {
        TransportError(
            .authorization, message: "the login at \"\(owner)\" was refused: \(reason)",
            hint: .logIn(provider: owner.provider.description, server: owner.server))
    }

    private var checkClient: Hint { .enterClient(provider: owner.provider.description, server: owner.server) }

    // MARK: OAuth 2, authorization code (RFC 6749 §4.1) with PKCE (RFC 7636)

    private func code(
        from page: WebURL, _ endpoints: OAuth2Endpoints, _ callback: LoginCallback,
        _ deadline: ContinuousClock.Instant, _ show: (Step) async throws -> Void
    ) async throws -> OAuthLogin {
        try scope.check(endpoints.token)
        let state = RandomText.make(bytes: 16)
        let verifier = RandomText.make(bytes: 32)
        var query = [
            ("response_type", "code"), ("client_id", secrets["client_id"] ?? ""),
            ("redirect_uri", callback.address.description), ("state", state),
            ("code_challenge", Self.challenge(of: verifier)), ("code_challenge_method", "S256"),
        ]
        if let wanted = endpoints.scope { query.append(("scope", wanted)) }
        try await show(.open(page.appending(query: query.map { (name: $0.0, value: $0.1) })))
        let answer = try await callback.wait(until: deadline) { $0["state"] == state }
        if let error = answer["error"] { throw refusal(answer["error_description"] ?? error) }
        guard let code = answer["code"] else { throw refusal("no code in the address") }
        let form = [
            NamedValue("grant_type", "authorization_code"), NamedValue("code", code),
            NamedValue("redirect_uri", callback.address.description), NamedValue("code_verifier", verifier),
        ]
        return login(try await client(endpoints).token(for: form, hint: checkClient))
    }

    /// The challenge that belongs to a verifier (RFC 7636 §4.2).
    static func challenge(of verifier: String) -> String {
        RequestSignature.Encoding.base64url.text(of: Array(SHA256.hash(data: Array(verifier.utf8))))
    }

    private func client(_ endpoints: OAuth2Endpoints) -> OAuthClient {
        OAuthClient(secrets, of: owner, endpoints, over: transport, in: scope)
    }

    private func login(_ answer: OAuthAnswer) -> OAuthLogin {
        OAuthLogin(
            id: RandomText.make(bytes: 8), token: answer.accessToken, refreshToken: answer.refreshToken,
            expires: answer.lifetime.map { now() + $0 }, refreshExpires: answer.refreshLifetime.map { now() + $0 })
    }

    // MARK: OAuth 2, device code (RFC 8628)

    /// Logs in with a code that the user types on another device.
    package func onDevice(show: @Sendable (Step) async throws -> Void) async throws -> OAuthLogin {
        guard case .oauth2(let endpoints) = method.placement, let device = endpoints.device else {
            throw unsupported("has no login by a code on another device")
        }
        for url in [device, endpoints.token] { try scope.check(url) }
        let form = endpoints.scope.map { [NamedValue("scope", $0)] } ?? []
        let response = try await client(endpoints).response(to: form, from: device)
        let grant = try DeviceGrant(response, url: device, owner: owner)
        try await show(.enter(code: grant.userCode, at: grant.page, seconds: grant.lifetime))
        return login(try await tokens(for: grant, endpoints))
    }

    private func tokens(for grant: DeviceGrant, _ endpoints: OAuth2Endpoints) async throws -> OAuthAnswer {
        let form = [
            NamedValue("grant_type", "urn:ietf:params:oauth:grant-type:device_code"),
            NamedValue("device_code", grant.deviceCode),
        ]
        let end = now() + grant.lifetime
        var interval = grant.interval
        while now() < end {
            try await sleep(.seconds(interval))
            let response = try await client(endpoints).response(to: form, from: endpoints.token)
            switch JSONValue.found(in: response.body)?["error"] {
            case .text("authorization_pending"): continue
            case .text("slow_down"): interval += 5  // §3.5
            case .text("access_denied"): throw refusal("you did not agree")
            case .text("expired_token"): throw refusal("the code has expired")
            default:
                return try OAuthAnswer(response, url: endpoints.token, owner: owner, hint: checkClient)
            }
        }
        throw refusal("the code has expired")
    }

    // MARK: OAuth 1.0a (RFC 5849 §2)

    private func oauth1(
        _ urls: (request: WebURL, page: WebURL, token: WebURL), _ callback: LoginCallback,
        _ deadline: ContinuousClock.Instant, _ show: (Step) async throws -> Void
    ) async throws -> OAuthLogin {
        var signer = OAuth1Signer(client: (secrets["client_id"] ?? "", secrets["client_secret"] ?? ""))
        signer.parameters = [("oauth_callback", callback.address.description)]
        let temporary = try await credentials(from: urls.request, signer)
        let page = try urls.page.appending(query: [(name: "oauth_token", value: temporary.id)])
        try await show(.open(page))
        let answer = try await callback.wait(until: deadline) {
            $0["oauth_token"] == temporary.id || $0["denied"] == temporary.id
        }
        guard let verifier = answer["oauth_verifier"] else { throw refusal("no verifier in the address") }
        signer.token = temporary
        signer.parameters = [("oauth_verifier", verifier)]
        let token = try await credentials(from: urls.token, signer)
        return OAuthLogin(id: RandomText.make(bytes: 8), token: token.id, tokenSecret: token.secret)
    }

    private func credentials(from url: WebURL, _ signer: OAuth1Signer) async throws -> (id: String, secret: String) {
        try scope.check(url)
        var wire = WireRequest(url: url, headers: [:])
        wire.method = .post
        // Signed for this URL: a redirect would not carry it.
        let headers: HTTPFields = [.authorization: signer.authorization(for: wire)]
        let response = try await transport.send(
            TransportRequest(method: .post, url: url, headers: headers, scope: scope, bodyLimit: 1 << 20))
        let text = String(decoding: response.body, as: UTF8.self)
        let pairs = Dictionary(FormEncoding.decode(text).map { ($0.name, $0.value) }) { $1 }
        guard response.status == 200, let id = pairs["oauth_token"], let secret = pairs["oauth_token_secret"] else {
            let said = pairs["oauth_problem"] ?? String(text.prefix(200))
            throw TransportError(
                .authorization, url: url,
                message: "\(url.origin) returned no token for \"\(owner.provider)\": status \(response.status), "
                    + said.quoted,
                hint: checkClient)
        }
        return (id, secret)
    }
}

/// A code for another device, as a server issues it (RFC 8628 §3.2).
private struct DeviceGrant {
    let deviceCode: String
    let userCode: String
    let page: WebURL
    let lifetime: Int
    let interval: Int

    init(_ response: TransportResponse, url: WebURL, owner: SecretOwner) throws(TransportError) {
        let json = JSONValue.found(in: response.body)
        func text(_ names: String...) -> String? {
            names.lazy.compactMap { name in if case .text(let text)? = json?[name] { text } else { nil } }.first
        }
        func seconds(_ name: String) -> Int? {
            if case .number(let number)? = json?[name] { Int(number) } else { nil }
        }
        // The second is the name in drafts of the standard, which some servers keep.
        guard response.status == 200, let device = text("device_code"), let user = text("user_code"),
            let address = text("verification_uri_complete", "verification_uri", "verification_url"),
            let page = try? WebURL(address)  // what is no URL cannot be opened
        else {
            let said = text("error_description", "error") ?? "status \(response.status) and no code"
            throw TransportError(
                .authorization, url: url,
                message: "\(url.origin) returned no code for \"\(owner.provider)\": \(said.quoted)",
                hint: "check client_id, and that the application may log in with a code")
        }
        deviceCode = device
        userCode = user
        self.page = page
        lifetime = min(max(seconds("expires_in") ?? 600, 1), 3_600)
        interval = min(max(seconds("interval") ?? 5, 1), 60)
    }
}
