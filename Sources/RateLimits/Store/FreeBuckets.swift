import Synchronization

/// Buckets that were looked at a moment ago and in which nothing held anybody back: no pause, no quota, nobody waiting.
///
/// Without a declared rate there is nothing to count in them. So their requests go without the file being asked for each,
/// which would cost a crawl a transaction per page; what other processes hear from the server is heeded that moment later.
final class FreeBuckets: Sendable {
    /// How long what was seen is taken to hold.
    static let trust = Duration.milliseconds(100)

    private let seen = Mutex<[String: (moment: Timestamp, ticket: ReservationID)]>([:])

    /// No buckets.
    init() {}

    /// The ticket for a request that may go; nil where the bucket has to be looked at.
    ///
    /// It is that of the request that looked: a quota that its answer brings counts from there.
    func ticket(in key: BucketKey, at now: Timestamp) -> ReservationID? {
        seen.withLock { seen in
            // A clock that was set back says nothing about how long ago that was.
            guard let last = seen[key.text], now >= last.moment, now < last.moment + Self.trust else { return nil }
            return last.ticket
        }
    }

    /// Notes the ticket of a request that found a bucket free.
    func note(_ ticket: ReservationID, in key: BucketKey, at now: Timestamp) { seen.withLock { $0[key.text] = (now, ticket) } }

    /// Has the next request look again.
    func forget(_ key: BucketKey) { seen.withLock { _ = $0.removeValue(forKey: key.text) } }
}
