import HTTPTypes
import ProviderModel

/// Adds the access token to requests with OAuth 2 credentials, and renews it once after a 401.
package struct OAuthTransport: Transport {
    private let base: any Transport
    private let tokens: OAuthTokens

    /// Wraps the transport that keeps to the provider's hosts.
    package init(over base: any Transport, tokens: OAuthTokens) {
        self.base = base
        self.tokens = tokens
    }

    /// Returns the response; requests without OAuth 2 pass unchanged.
    package nonisolated(nonsending) func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard var credentials = request.credentials, case .oauth2 = credentials.method.placement else {
            return try await base.send(request)
        }
        var request = request
        var response: TransportResponse
        var renewals = 0
        repeat {
            let token = try await tokens.token(for: credentials, in: request.scope)
            credentials.accessToken = token
            request.credentials = credentials
            response = try await base.send(request)
            guard response.status == 401 else { break }
            await tokens.discard(token, of: credentials.provider)
            renewals += 1
        } while renewals < 2
        return response
    }
}

/// The access tokens of providers with OAuth 2: fetched when needed, kept until they expire.
///
/// Callers that come while a token is being fetched wait for that one.
package actor OAuthTokens {
    private struct Token: Sendable {
        let value: String
        let expires: Int
    }

    /// Seconds before its end at which a token is no longer used, so that it does not expire on the way.
    private static let margin = 30

    private let transport: any Transport
    private let now: @Sendable () -> Int
    private var tokens: [ProviderID: Token] = [:]
    private var fetches: [ProviderID: Task<Token, any Error>] = [:]
    private var refreshTokens: [ProviderID: String] = [:]

    /// Tokens fetched over this transport; `now` is the time of day in seconds since 1970.
    package init(over transport: any Transport, now: @escaping @Sendable () -> Int) {
        self.transport = transport
        self.now = now
    }

    /// Returns a token that has not expired, fetched where needed.
    package func token(for credentials: Credentials, in scope: RequestScope) async throws -> String {
        let provider = credentials.provider
        if let token = tokens[provider], token.expires > now() { return token.value }
        // The fetch belongs to all who wait for it, so the cancellation of one must not end it.
        let fetch = fetches[provider] ?? Task { try await self.fetch(for: credentials, in: scope) }
        fetches[provider] = fetch
        do {
            let token = try await fetch.value
            if fetches[provider] == fetch { fetches[provider] = nil }
            tokens[provider] = token
            return token.value
        } catch {
            if fetches[provider] == fetch { fetches[provider] = nil }
            throw error
        }
    }

    /// Discards a token the server refused, unless it has been replaced already.
    package func discard(_ value: String, of provider: ProviderID) {
        if tokens[provider]?.value == value { tokens[provider] = nil }
    }

    private func fetch(for credentials: Credentials, in scope: RequestScope) async throws -> Token {
        guard case .oauth2(let url, let wanted) = credentials.method.placement else {
            preconditionFailure("no OAuth credentials for a token request")
        }
        try scope.check(url)
        var form = grant(for: credentials)
        if let wanted { form.append(NamedValue("scope", wanted)) }
        let client = OAuthClient(credentials)
        var response = try await transport.send(client.request(form, to: url, in: scope, identifying: .inBody))
        if response.status == 400 || response.status == 401 {
            // RFC 6749 §2.3.1 lets servers refuse the secret in the body, and some do.
            response = try await transport.send(client.request(form, to: url, in: scope, identifying: .inHeader))
        }
        let answer = try OAuthAnswer(response, url: url, provider: credentials.provider)
        if let refresh = answer.refreshToken { refreshTokens[credentials.provider] = refresh }
        return Token(value: answer.accessToken, expires: now() + max(answer.lifetime - Self.margin, 1))
    }

    private func grant(for credentials: Credentials) -> [NamedValue] {
        guard let refresh = refreshTokens[credentials.provider] ?? credentials.secrets["refresh_token"] else {
            return [NamedValue("grant_type", "client_credentials")]
        }
        return [NamedValue("grant_type", "refresh_token"), NamedValue("refresh_token", refresh)]
    }
}
