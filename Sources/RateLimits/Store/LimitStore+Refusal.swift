import HTTPTransport
import ProviderModel

extension LimitStore {
    /// Closes the bucket of a request whose answer said only to its reader that there were too many.
    ///
    /// It opens at the moment that the answer names, or after the pause that follows any refusal.
    package func noteRefusal(of request: TransportRequest, answeredBy response: TransportResponse) async throws {
        // What was kept from before says nothing about now.
        guard let limits = request.limits, response.origin == .network else { return }
        let now = now()
        let word = RateLimitFeedback(response, limits: limits, now: now)
        // The transport has taken in what a server says by its status.
        guard !word.isRefusal else { return }
        let refusal = RateLimitFeedback(isRefusal: true, retryAfter: word.wait(at: now))
        try await correct(BucketKey(request), by: refusal, to: ReservationID(number: -1), rates: limits.rates)
    }
}
