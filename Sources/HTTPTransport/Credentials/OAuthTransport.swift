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
            await tokens.discard(token, of: credentials)
            renewals += 1
        } while renewals < 2
        return response
    }
}
