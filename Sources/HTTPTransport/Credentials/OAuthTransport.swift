import ProviderModel

/// Gives requests with OAuth 2 credentials their access token, and renews it once when the server refuses it.
package struct OAuthTransport: Transport {
    private let base: any Transport
    private let tokens: OAuthTokens

    /// Wraps the transport that keeps to the provider's hosts.
    package init(over base: any Transport, tokens: OAuthTokens) {
        self.base = base
        self.tokens = tokens
    }

    /// Returns the answer; requests without OAuth 2 pass unchanged.
    package nonisolated(nonsending) func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard var credentials = request.credentials, case .oauth2 = credentials.way.placement else {
            return try await base.send(request)
        }
        try request.scope.check(request.url)
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
