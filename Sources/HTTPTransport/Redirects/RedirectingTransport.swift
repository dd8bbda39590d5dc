import HTTPTypes
import ProviderModel

/// Keeps requests within the provider's hosts, and follows redirects under the same rules.
package struct RedirectingTransport<Base: Transport>: Transport {
    /// The most redirects that are followed for one request.
    package static var limit: Int { 10 }

    private let base: Base

    /// Wraps the transport that sends single requests.
    package init(over base: Base) { self.base = base }

    /// Returns the answer at the end of all redirects.
    package func send(_ request: TransportRequest) async throws -> TransportResponse {
        try request.scope.check(request.url)
        var hop = request
        for _ in 0...Self.limit {
            let response = try await base.send(hop)
            guard let next = try Redirect(from: hop, answer: response, first: request)?.request else { return response }
            hop = next
        }
        throw TransportError(
            .tooManyRedirects,
            url: request.url,
            message: "\(request.url.origin) redirected more than \(Self.limit) times, at last to "
                + "\(hop.url.description.quoted); the source sends clients in circles, or wants cookies"
        )
    }
}
