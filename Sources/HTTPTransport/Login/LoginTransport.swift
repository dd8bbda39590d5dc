import HTTPTypes
import ProviderModel

/// Adds what a login consists of to requests: the access token of OAuth 2, renewed once after a 401, or cookies, of which those
/// that servers set are kept.
package struct LoginTransport: Transport {
    private let base: any Transport
    private let tokens: OAuthTokens
    private let jars: CookieJars
    private let now: @Sendable () -> Int

    /// Wraps the transport that sends single requests; `now` is the time of day in seconds since 1970.
    package init(
        over base: any Transport, tokens: OAuthTokens, jars: CookieJars, now: @escaping @Sendable () -> Int
    ) {
        self.base = base
        self.tokens = tokens
        self.jars = jars
        self.now = now
    }

    /// Returns the response, without lines that set cookies of a login; requests without a login pass unchanged.
    package nonisolated(nonsending) func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard let credentials = request.credentials else { return try await base.send(request) }
        if case .oauth2 = credentials.method.placement { return try await sendWithToken(request, credentials) }
        if credentials.method.keepsCookies { return try await sendWithCookies(request, credentials) }
        return try await base.send(request)
    }

    private nonisolated(nonsending) func sendWithToken(
        _ request: TransportRequest, _ credentials: Credentials
    ) async throws -> TransportResponse {
        var request = request
        var response: TransportResponse
        var renewals = 0
        repeat {
            let token = try await tokens.token(for: credentials, in: request.scope)
            request.credentials?.accessToken = token
            response = try await base.send(request)
            guard response.status == 401 else { break }
            await tokens.discard(token, of: credentials)
            renewals += 1
        } while renewals < 2
        return response
    }

    private nonisolated(nonsending) func sendWithCookies(
        _ request: TransportRequest, _ credentials: Credentials
    ) async throws -> TransportResponse {
        var request = request
        request.credentials?.cookieLine = jars.jar(of: credentials).header(for: request.url, at: now())
        var response = try await base.send(request)
        let lines = response.headers[values: .setCookie]
        if !lines.isEmpty {
            jars.take(lines, for: credentials, from: request.url, in: request.scope, at: now())
            response.headers[.setCookie] = nil
        }
        // What the server has set since is unknown to those above, who mask the rest.
        let redaction = jars.redaction(for: credentials)
        response.body = redaction.redact(response.body)
        return response
    }
}
