import HTTPTypes
import ProviderModel

/// Keeps requests within the provider's hosts, and follows redirects under the same rules.
package struct RedirectingTransport: Transport {
    /// The most redirects that are followed for one request.
    package static var limit: Int { 10 }

    private let base: any Transport
    private let deadline: Duration
    private let total: Duration?
    private let now: @Sendable () -> ContinuousClock.Instant

    /// Wraps the transport that sends single requests; `deadline` is for those that name none.
    ///
    /// All hops of a request together may take `total`, waits for rate limits included; nil for no more than one of them.
    package init(
        over base: any Transport,
        deadline: Duration = .seconds(60),
        total: Duration? = nil,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.base = base
        self.deadline = deadline
        self.total = total
        self.now = now
    }

    /// Returns the response at the end of all redirects, which share the time of one request.
    package nonisolated(nonsending) func send(_ request: TransportRequest) async throws -> TransportResponse {
        try request.scope.check(request.url)
        let start = now()
        let response = try await base.send(request)
        guard Redirect.isOne(response),
            let next = try Redirect(from: request, answer: response, first: request)?.request
        else { return response }
        return try await follow(next, from: request, since: start)
    }

    /// Follows a redirect, and those that it leads to; most requests never get here.
    private func follow(
        _ next: TransportRequest, from request: TransportRequest, since start: ContinuousClock.Instant
    ) async throws -> TransportResponse {
        let single = request.deadline ?? deadline
        let end = start + (total ?? single)
        var hop = next
        for _ in 0..<Self.limit {
            hop.deadline = min(single, now().duration(to: end))
            guard now() < end else { break }
            let response = try await base.send(hop)
            guard let next = try Redirect(from: hop, answer: response, first: request)?.request else { return response }
            hop = next
        }
        if now() >= end { throw lateError(for: request, at: hop.url) }
        throw TransportError(
            .tooManyRedirects,
            url: request.url,
            message: "\(request.url.origin) redirected more than \(Self.limit) times, the last time to "
                + "\(hop.url.description.quoted)",
            hint: "the source redirects in a loop or needs cookies: change the URL that the provider requests")
    }

    private func lateError(for request: TransportRequest, at url: WebURL) -> TransportError {
        TransportError(
            .timeout,
            url: request.url,
            message: "\(request.url.origin) redirected for \(total ?? request.deadline ?? deadline), the last time to "
                + "\(url.description.quoted)", hint: "try again later")
    }
}
