import Crypto
import HTTPTransport
import ProviderModel

/// The sliding windows of all rate limits.
package protocol RateLimitStore: Sendable {
    /// The time of day.
    func now() -> Timestamp

    /// Returns what the closure makes of a bucket's window, and stores the window; no other process changes it meanwhile.
    func update<Result: Sendable>(
        _ bucket: BucketKey, _ body: @escaping @Sendable (inout SlidingWindow, Timestamp) -> Result
    ) async -> Result

    /// A recent copy of a bucket's window; nil where it has to be read.
    func recentWindow(of bucket: BucketKey) -> SlidingWindow?
}

extension RateLimitStore {
    /// Reserves a slot for a request.
    func reserve(in bucket: BucketKey, under rules: SlotRules) async -> Reservation {
        // Without a declared rate there is nothing to count, and no page need wait for a transaction.
        if rules.rates.isEmpty, case let now = now(), let id = recentWindow(of: bucket)?.freePassage(at: now) {
            return .slot(id, NextSlot(time: now), wait: .zero)
        }
        return await update(bucket) { window, now in
            if rules.rates.isEmpty, let id = window.freePassage(at: now) {
                return .slot(id, NextSlot(time: now), wait: .zero)
            }
            return window.reserve(at: now, under: rules)
        }
    }

    /// Returns whether a request may be sent at the time of its slot.
    func claim(_ id: ReservationID, in bucket: BucketKey, under rules: SlotRules) async -> Reservation {
        await update(bucket) { window, now in window.claim(id, at: now, under: rules) }
    }

    /// Releases a slot that will not be used.
    func release(_ id: ReservationID, in bucket: BucketKey) async {
        await update(bucket) { window, _ in window.release(id) }
    }

    /// Takes in what a server said; `sent` is when the request went, for one that has no slot.
    func apply(
        _ feedback: RateLimitFeedback, to bucket: BucketKey, after id: ReservationID, sentAt sent: Timestamp? = nil,
        under rates: [Limits.Rate]
    ) async {
        await update(bucket) { window, now in
            window.apply(feedback, after: id, sentAt: sent, at: now, under: rates)
        }
    }

    /// Closes the bucket of a request whose response reports a rate limit in its body only, which its script found.
    ///
    /// It opens at the time that the response names, or after the pause that follows any refusal.
    package func noteRefusal(of request: TransportRequest, answeredBy response: TransportResponse) async {
        // A cached response does not tell the current state.
        guard let limits = request.limits, response.origin == .network else { return }
        let now = now()
        let feedback = RateLimitFeedback(response, limits: limits, at: now)
        // The transport has taken in what a server says by its status.
        guard feedback?.isRefusal != true else { return }
        let refusal = RateLimitFeedback(isRefusal: true, retryAfter: feedback?.wait(at: now))
        await apply(refusal, to: BucketKey(request), after: ReservationID(number: -1), under: limits.rates)
    }
}

/// The key of a rate limit: one provider's server and one set of credentials.
package struct BucketKey: Hashable, Sendable {
    /// `pixabay 5d41402a`, `mastodon https://pixelfed.example`: without secrets.
    let text: String

    init(text: String) { self.text = text }

    /// The key of a request.
    package init(_ request: TransportRequest) {
        let identity = (request.credentials?.identityMaterial).map(Self.digest)
        let parts = [request.scope.provider.description, request.scope.instance?.origin, identity]
        text = parts.compactMap(\.self).joined(separator: " ")
    }

    /// 32 bits of a digest: enough to distinguish a user's few keys, too little to find a key by.
    private static func digest(_ material: [UInt8]) -> String {
        SHA256.hash(data: material).prefix(4).hexadecimal
    }
}
