import Glibc
import HTTPTransport
import ProviderModel
import Synchronization

/// Sends requests at the rates that a provider declares and its server reports, together with all processes of the user.
///
/// It belongs below retries, each of which counts, and above redirects and credentials, which do not.
package struct RateLimitedTransport<C: Clock<Duration>>: Transport {
    private let base: any Transport
    private let store: any RateLimitStore
    private let limits: @Sendable (TransportRequest) -> Limits?
    private let maximumWait: Duration
    private let clock: C
    private let calendar: LocalCalendar
    private let onWait: @Sendable (RateLimitNotice) -> Void
    private let notices = NoticeDeduplicator()

    /// Wraps a transport.
    ///
    /// - Parameters:
    ///   - base: sends the requests.
    ///   - store: the rates, shared with other processes.
    ///   - limits: what a request's provider declares; nil for requests that do not count.
    ///   - maximumWait: the maximum time that a request waits.
    ///   - clock: measures and waits.
    ///   - waiting: called for each new wait: requests that wait for the same time are one.
    package init(
        over base: any Transport,
        store: any RateLimitStore,
        limits: @escaping @Sendable (TransportRequest) -> Limits?,
        maximumWait: Duration = .seconds(600),
        clock: C,
        waiting: @escaping @Sendable (RateLimitNotice) -> Void = { _ in }
    ) {
        self.init(
            over: base, store: store, limits: limits, maximumWait: maximumWait, clock: clock, calendar: .current,
            waiting: waiting)
    }

    init(
        over base: any Transport,
        store: any RateLimitStore,
        limits: @escaping @Sendable (TransportRequest) -> Limits?,
        maximumWait: Duration,
        clock: C,
        calendar: LocalCalendar,
        waiting: @escaping @Sendable (RateLimitNotice) -> Void
    ) {
        self.base = base
        self.store = store
        self.limits = limits
        self.maximumWait = maximumWait
        self.clock = clock
        self.calendar = calendar
        onWait = waiting
    }

    /// Returns the response, once the rates allow the request.
    ///
    /// - Throws: A `ProviderError` of code `rate` when that is longer away than the maximum wait, and what the wrapped
    ///   transport throws.
    package func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard let limits = limits(request) else { return try await base.send(request) }
        let bucket = BucketKey(request)
        let reservation = try await reserveSlot(in: bucket, rates: limits.rates, for: request)
        let sent = store.now()
        let response = try await base.send(request)
        if let feedback = RateLimitFeedback(response, limits: limits, at: store.now()) {
            await store.apply(feedback, to: bucket, after: reservation, sentAt: sent, under: limits.rates)
        }
        return response
    }

    /// Waits until a request may go.
    private func reserveSlot(
        in bucket: BucketKey, rates: [Limits.Rate], for request: TransportRequest
    ) async throws -> ReservationID {
        try Task.checkCancellation()
        let start = clock.now
        let rules = SlotRules(rates: rates, deadline: store.now() + maximumWait)
        var reservation = await store.reserve(in: bucket, under: rules)
        while true {
            switch reservation {
            case .tooLate(let slot, let wait):
                throw ProviderError(
                    waitingFor: slot, wait, provider: request.scope.provider, now: store.now(), calendar: calendar)
            case .slot(let id, let slot, let wait):
                do {
                    try Task.checkCancellation()
                    guard wait > .zero else {
                        request.queueTime?.add(start.duration(to: clock.now))
                        return id
                    }
                    notify(request.scope.provider, slot, wait)
                    try await clock.sleep(until: clock.now.advanced(by: wait), tolerance: nil)
                } catch {
                    await store.release(id, in: bucket)
                    throw error
                }
                reservation = await store.claim(id, in: bucket, under: rules)
            }
        }
    }

    private func notify(_ provider: ProviderID, _ slot: NextSlot, _ wait: Duration) {
        guard wait > RateLimitNotice.threshold, notices.isNews(slot.time, for: provider) else { return }
        onWait(RateLimitNotice(provider: provider, wait: wait, reason: slot.reason?.description ?? ""))
    }
}

/// A wait for a limit that is long enough to be reported.
package struct RateLimitNotice: Hashable, Sendable, CustomStringConvertible {
    /// Shorter waits are not reported.
    package static let threshold = Duration.seconds(2)

    /// The provider whose requests wait.
    package let provider: ProviderID
    /// The length of the wait.
    package let wait: Duration
    /// The limit: `limit of 100 requests in 60 s`.
    package let reason: String

    /// `pixabay: waiting 30 s (limit of 100 requests in 60 s)`.
    package var description: String { "\(provider): waiting \(wait.inWords) (\(reason))" }
}

/// The waits that were reported.
private final class NoticeDeduplicator: Sendable {
    private let times = Mutex<[ProviderID: Timestamp]>([:])

    /// Whether a provider's wait ends noticeably later than the one reported last.
    func isNews(_ time: Timestamp, for provider: ProviderID) -> Bool {
        times.withLock { times in
            if let known = times[provider], time <= known + RateLimitNotice.threshold { return false }
            times[provider] = time
            return true
        }
    }
}

extension ProviderError {
    /// A limit that opens after the maximum wait.
    init(waitingFor slot: NextSlot, _ wait: Duration, provider: ProviderID, now: Timestamp, calendar: LocalCalendar) {
        let limit =
            switch slot.reason {
            case .rate(let rate): "the limit of \(rate.sentence) is reached"
            case .refusal: "the server refused more requests for now"
            case .quota: "the limit of the server is reached"
            case .queue, nil: "too many requests are waiting"
            }
        self.init(
            .rate,
            provider: provider.description,
            message: "\(limit); the next request is allowed at \(calendar.text(of: slot.time, now: now)), "
                + "in \(wait.inWords)",
            hint: "try again later, allow longer waits, or use a key with a higher limit"
        )
    }
}

/// Times of day in the time zone of the user.
struct LocalCalendar {
    /// Splits seconds since 1970 into what a calendar has; the zone of the user's machine, or UTC in tests.
    let parts: @Sendable (Int) -> tm

    /// The user's time zone.
    static let current = LocalCalendar { seconds in
        var time = time_t(seconds)
        var parts = tm()
        localtime_r(&time, &parts)
        return parts
    }

    /// `15:04`, or `2026-11-22 15:04` on another day than `now`.
    func text(of time: Timestamp, now: Timestamp) -> String {
        let then = parts(time.seconds)
        let today = parts(now.seconds)
        let clock = "\(Self.padded(then.tm_hour)):\(Self.padded(then.tm_min))"
        if (then.tm_year, then.tm_yday) == (today.tm_year, today.tm_yday) { return clock }
        return "\(then.tm_year + 1_900)-\(Self.padded(then.tm_mon + 1))-\(Self.padded(then.tm_mday)) \(clock)"
    }

    private static func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
