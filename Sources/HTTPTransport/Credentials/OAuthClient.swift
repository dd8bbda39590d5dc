import FoundationEssentials
import HTTPTypes
import ProviderModel

/// A client's requests to the token endpoint (RFC 6749 §2.3.1, §4.1.3, §4.4, §6).
struct OAuthClient {
    /// Where the client id and secret are sent.
    private enum Identification {
        case inBody
        case inHeader
    }

    private let id: String
    private let secret: String
    private let owner: SecretOwner
    private let endpoints: OAuth2Endpoints
    private let transport: any Transport
    private let scope: RequestScope

    init(
        _ credentials: Credentials, _ endpoints: OAuth2Endpoints, over transport: any Transport,
        in scope: RequestScope
    ) {
        self.init(
            credentials.secrets, of: credentials.owner, endpoints, over: transport, in: scope)
    }

    init(
        _ secrets: [String: String], of owner: SecretOwner, _ endpoints: OAuth2Endpoints,
        over transport: any Transport, in scope: RequestScope
    ) {
        id = secrets["client_id"] ?? ""
        secret = secrets["client_secret"] ?? ""
        self.owner = owner
        self.endpoints = endpoints
        self.transport = transport
        self.scope = scope
    }

    /// The tokens that a grant leads to.
    func token(for form: [NamedValue], hint: Hint? = nil) async throws -> OAuthAnswer {
        let response = try await response(to: form, from: endpoints.token)
        return try OAuthAnswer(response, url: endpoints.token, owner: owner, hint: hint)
    }

    /// The response of an endpoint to a form with the client's identification.
    func response(to form: [NamedValue], from url: WebURL) async throws -> TransportResponse {
        let response = try await transport.send(request(form, to: url, identifying: .inBody))
        guard response.status == 400 || response.status == 401, !isDecided(response) else { return response }
        // RFC 6749 §2.3.1 lets servers refuse the secret in the body, and some do.
        return try await transport.send(request(form, to: url, identifying: .inHeader))
    }

    /// Whether the server has identified the client, and refuses the rest.
    private func isDecided(_ response: TransportResponse) -> Bool {
        let error = JSONValue.found(in: response.body)?["error"]
        guard case .text(let code)? = error else { return false }
        let decided = ["invalid_grant", "authorization_pending", "slow_down", "access_denied", "expired_token"]
        return decided.contains(code)
    }

    private func request(_ form: [NamedValue], to url: WebURL, identifying: Identification) -> TransportRequest {
        var form = form
        var headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded", .accept: "application/json"]
        switch identifying {
        case .inBody:
            form.append(NamedValue("client_id", id))
            if !secret.isEmpty { form.append(NamedValue("client_secret", secret)) }
        case .inHeader:
            let pair = "\(PercentEncoding.encode(id)):\(PercentEncoding.encode(secret))"
            headers[.authorization] = "Basic \(Data(pair.utf8).base64EncodedString())"
        }
        // The body carries the secret, and 307 would take it along: only the token server itself may get it.
        var scope = scope
        scope.hosts = [HostPattern(url.origin)].compactMap(\.self)
        return TransportRequest(
            method: .post,
            url: url,
            headers: headers,
            body: Array(FormEncoding.encode(form).utf8),
            scope: scope,
            bodyLimit: 1 << 20
        )
    }

    /// The error of a login that holds no longer.
    static func ended(_ owner: SecretOwner, _ reason: String) -> TransportError {
        TransportError(
            .authorization, message: "the login at \"\(owner)\" has ended: \(reason)",
            hint: .logIn(provider: owner.provider.description, server: owner.server))
    }
}

/// A response of the token endpoint (RFC 6749 §5.1).
struct OAuthAnswer {
    let accessToken: String
    /// Seconds; nil where the server does not say.
    let lifetime: Int?
    let refreshToken: String?
    /// Seconds; nil where the server does not say.
    let refreshLifetime: Int?

    private struct Fields: Decodable {
        var accessToken: String?
        var lifetime: Double?
        var refreshToken: String?
        var refreshLifetime: Double?
        var error: String?
        var explanation: String?

        enum CodingKeys: String, CodingKey {
            case accessToken = "access_token"
            case lifetime = "expires_in"
            case refreshToken = "refresh_token"
            case refreshLifetime = "refresh_token_expires_in"
            case error
            case explanation = "error_description"
        }
    }

    init(
        _ response: TransportResponse, url: WebURL, owner: SecretOwner, hint: Hint? = nil
    ) throws(TransportError) {
        // A response that is no JSON is reported by its status.
        let fields = try? JSONDecoder().decode(Fields.self, from: Data(response.body))
        guard response.status == 200, let token = fields?.accessToken, !token.isEmpty,
            !token.utf8.contains(where: \.breaksLines)
        else {
            let said = fields?.explanation ?? fields?.error ?? "status \(response.status) and no access token"
            throw TransportError(
                .authorization,
                url: url,
                message: "\(url.origin) returned no access token for \"\(owner.provider)\": \(said.quoted)",
                hint: hint
                    ?? .several([
                        "check client_id and client_secret",
                        .storeKey(provider: owner.provider.description, server: nil, variables: []),
                    ]))
        }
        func seconds(_ value: Double?) -> Int? {
            value.flatMap { Int(exactly: $0.rounded()) }.map { min(max($0, 0), 86_400 * 3_650) }
        }
        accessToken = token
        lifetime = seconds(fields?.lifetime)
        refreshToken = fields?.refreshToken
        refreshLifetime = seconds(fields?.refreshLifetime)
    }
}
