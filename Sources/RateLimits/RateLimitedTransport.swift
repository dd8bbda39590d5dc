import Glibc
import HTTPTransport
import ProviderModel
import Synchronization

/// Sends requests at the rates that a provider declares and its server reports, together with all processes of the user, and
/// as many at the same time as the provider takes from one.
///
/// It belongs below retries, each of which counts and whose waits are not those of a request under way, and above redirects
/// and credentials, which do not count.
package final class RateLimitedTransport<C: Clock<Duration>>: Transport {
    private let base: any Transport
    private let store: any RateLimitStore
    private let maximumWait: Duration
    private let clock: C
    private let calendar: LocalCalendar
    private let onWait: @Sendable (WaitNotice) -> Void
    /// The requests under way of providers that limit their number.
    private let underWay = Mutex<[BucketKey: AsyncSemaphore]>([:])

    /// Wraps a transport.
    ///
    /// - Parameters:
    ///   - base: sends the requests.
    ///   - store: the rates, shared with other processes.
    ///   - maximumWait: the maximum time that a request waits.
    ///   - clock: measures and waits.
    ///   - calendar: the user's time zone.
    ///   - onWait: called for each wait that is long enough to be reported.
    package init(
        over base: any Transport,
        store: any RateLimitStore,
        maximumWait: Duration = .seconds(600),
        clock: C,
        calendar: LocalCalendar = .current,
        onWait: @escaping @Sendable (WaitNotice) -> Void = { _ in }
    ) {
        self.base = base
        self.store = store
        self.maximumWait = maximumWait
        self.clock = clock
        self.calendar = calendar
        self.onWait = onWait
    }

    /// Returns the response, once the limits allow the request; one without limits is sent at once.
    ///
    /// - Throws: A `ProviderError` of code `rate` when that is longer away than the maximum wait, and what the wrapped
    ///   transport throws.
    package func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard let limits = request.limits else { return try await base.send(request) }
        let bucket = BucketKey(request)
        let start = clock.now
        // Before a slot: a request that has one does not wait again.
        let permits = limits.concurrent.map { semaphore(of: bucket, permits: $0) }
        try await permits?.wait()
        defer { permits?.signal() }
        let reservation = try await reserveSlot(in: bucket, rates: limits.rates, of: request.scope.provider)
        request.queueTime?.add(start.duration(to: clock.now))
        let sent = store.now()
        let response = try await base.send(request)
        if let feedback = RateLimitFeedback(response, limits: limits, at: store.now()) {
            await store.apply(feedback, to: bucket, after: reservation, sentAt: sent, under: limits.rates)
        }
        return response
    }

    private func semaphore(of bucket: BucketKey, permits: Int) -> AsyncSemaphore {
        underWay.withLock { underWay in
            let semaphore = underWay[bucket] ?? AsyncSemaphore(permits)
            underWay[bucket] = semaphore
            return semaphore
        }
    }

    /// Waits until a request may go.
    private func reserveSlot(
        in bucket: BucketKey, rates: [Limits.Rate], of provider: ProviderID
    ) async throws -> ReservationID {
        try Task.checkCancellation()
        let rules = SlotRules(rates: rates, deadline: store.now() + maximumWait)
        var reservation = await store.reserve(in: bucket, under: rules)
        while true {
            switch reservation {
            case .tooLate(let slot, let wait):
                throw ProviderError(waitingFor: slot, wait, provider: provider, now: store.now(), calendar: calendar)
            case .slot(let id, let slot, let wait):
                do {
                    try Task.checkCancellation()
                    guard wait > .zero else { return id }
                    if wait > WaitNotice.threshold {
                        onWait(WaitNotice(provider: provider, wait: wait, reason: slot.reason?.description ?? ""))
                    }
                    try await clock.sleep(until: clock.now.advanced(by: wait), tolerance: nil)
                } catch {
                    await store.release(id, in: bucket)
                    throw error
                }
                reservation = await store.claim(id, in: bucket, under: rules)
            }
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
package struct LocalCalendar: Sendable {
    /// Splits seconds since 1970 into what a calendar has; the zone of the user's machine, or UTC in tests.
    let parts: @Sendable (Int) -> tm

    /// The user's time zone.
    package static let current = LocalCalendar { seconds in
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
