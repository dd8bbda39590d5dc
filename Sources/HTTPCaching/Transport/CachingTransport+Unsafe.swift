import HTTPTransport
import HTTPTypes

extension CachingTransport {
    /// Sends a request that may change something, and forgets what it made useless (RFC 9111 §4.4).
    func sendUnsafe(_ exchange: Exchange) async throws -> TransportResponse {
        let request = exchange.request
        let requestedAt = now()
        var answer = try await base.send(request)
        store?.invalidate(
            Invalidation.urls(
                method: request.method, target: request.url, status: answer.status, fields: answer.headers)
        )
        let arrival = Arrival(answer: answer, requestedAt: requestedAt, receivedAt: now(), recording: nil)
        if let stored = keepPost(arrival, exchange) { answer.receipt = receipt(for: stored, exchange) }
        return answer
    }

    /// RFC 9110 §9.3.3: the answer to POST is one to GET when it says so, and how long.
    private func keepPost(_ arrival: Arrival, _ exchange: Exchange) -> StoredResponse? {
        let answer = arrival.answer
        let request = exchange.request
        // What is no URL is not the target.
        let location = answer.headers[.contentLocation].flatMap { try? request.url.resolving($0) }
        guard let store, request.sink == nil, CacheKey.text(answer.url) == exchange.url,
            Storability.mayStorePost(
                exchange.question(status: answer.status, fields: answer.headers),
                isContentLocationTheTarget: location.map(CacheKey.text) == exchange.url
            ),
            let fields = keptFields(of: arrival, exchange), let writer = body(of: arrival, exchange, store)
        else { return nil }
        return store.insert(newResponse(arrival, fields, part: nil, replacing: [], for: exchange), body: writer)
    }
}
