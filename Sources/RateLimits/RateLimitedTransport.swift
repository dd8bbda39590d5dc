import HTTPTransport
import ProviderModel
import Synchronization

/// Keeps every provider within the rates it declares and within what its server says, together with all other
/// processes on the machine.
///
/// It belongs below retries, each of which counts, and above redirects and credentials, which do not.
package struct RateLimitedTransport<C: Clock<Duration>>: Transport {
    /// How long a request waits at most where nothing else is said.
    package static var standardPatience: Duration { .seconds(600) }

    private let base: any Transport
    private let store: LimitStore
    private let limits: @Sendable (TransportRequest) -> Limits?
    private let patience: Duration
    private let clock: C
    private let waiting: @Sendable (RateNotice) -> Void
    private let told = NoticeDeduplicator()
    private let time: WallTime

    /// Wraps a transport; `limits` says what a request's provider declares, nil for requests that do not count.
    ///
    /// `waiting` is told of each wait that is news: several requests that wait for the same moment are one.
    package init(
        over base: any Transport,
        store: LimitStore,
        limits: @escaping @Sendable (TransportRequest) -> Limits?,
        patience: Duration = Self.standardPatience,
        clock: C,
        waiting: @escaping @Sendable (RateNotice) -> Void = { _ in }
    ) {
        self.init(
            over: base,
            store: store,
            limits: limits,
            patience: patience,
            clock: clock,
            time: .local,
            waiting: waiting
        )
    }

    init(
        over base: any Transport,
        store: LimitStore,
        limits: @escaping @Sendable (TransportRequest) -> Limits?,
        patience: Duration,
        clock: C,
        time: WallTime,
        waiting: @escaping @Sendable (RateNotice) -> Void
    ) {
        self.base = base
        self.store = store
        self.limits = limits
        self.patience = patience
        self.clock = clock
        self.time = time
        self.waiting = waiting
    }

    /// Returns the answer once the request's turn has come.
    ///
    /// Throws a `ProviderError` of code `rate` when that is longer away than the patience.
    package func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard let limits = limits(request) else { return try await base.send(request) }
        let key = BucketKey(request)
        let asked = clock.now
        let ticket = try await turn(of: request.scope.provider, key, limits.rates)
        request.queueTime?.add(asked.duration(to: clock.now))
        let sent = store.now()
        let response = try await base.send(request)
        let word = RateLimitFeedback(response, limits: limits, now: store.now())
        if !word.isEmpty { try await store.correct(key, by: word, to: ticket, sentAt: sent, rates: limits.rates) }
        return response
    }

    /// Waits until a request may go.
    private func turn(of provider: ProviderID, _ key: BucketKey, _ rates: [Limits.Rate]) async throws -> ReservationID {
        try Task.checkCancellation()
        let deadline = store.now() + patience
        var reservation = try await store.reserve(key, rates: rates, until: deadline)
        while true {
            switch reservation {
            case .tooLate(let opening, let wait):
                throw ProviderError(waitingFor: opening, wait, provider: provider, now: store.now(), time: time)
            case .slot(let ticket, let opening, let wait):
                do {
                    try Task.checkCancellation()
                    guard wait > .zero else { return ticket }
                    tell(provider, opening, wait)
                    try await clock.sleep(until: clock.now.advanced(by: wait), tolerance: nil)
                } catch {
                    try await store.release(ticket, key)
                    throw error
                }
                reservation = try await store.claim(ticket, key, rates: rates, until: deadline)
            }
        }
    }

    private func tell(_ provider: ProviderID, _ opening: NextSlot, _ wait: Duration) {
        guard wait > RateNotice.threshold, told.isNews(opening.moment, for: provider) else { return }
        waiting(RateNotice(provider: provider, wait: wait, reason: opening.reason?.description ?? ""))
    }
}

/// The waits that users know of.
private final class NoticeDeduplicator: Sendable {
    private let moments = Mutex<[ProviderID: Timestamp]>([:])

    /// Whether a provider's wait ends noticeably later than the one last told.
    func isNews(_ moment: Timestamp, for provider: ProviderID) -> Bool {
        moments.withLock { moments in
            if let known = moments[provider], moment <= known + RateNotice.threshold { return false }
            moments[provider] = moment
            return true
        }
    }
}
