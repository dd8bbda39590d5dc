import ProviderModel

/// The times of the requests in one bucket, past and reserved: a sliding window log.
///
/// Every slot is stored for the longest window that can contain it, so a rate holds in *any* span of its length, and yet a
/// whole window's requests may be sent at once. A token bucket would let twice the rate through within one window (a burst
/// and the refill), and so would fixed windows (before and after a boundary).
package struct SlidingWindow: Hashable, Sendable {
    /// The time of one request.
    struct Slot: Hashable, Sendable {
        var id: ReservationID
        var time: Timestamp
    }

    /// How many more requests a server allows until its window ends.
    struct Quota: Hashable, Sendable, Codable {
        /// The name of the server's limit.
        var scope: String
        /// The reservation whose response reported it; later ones are not counted in `remaining`.
        var since: Int64
        /// The number of requests that may follow.
        var remaining: Int
        /// When the window ends, in milliseconds since 1970.
        var reset: Int64
    }

    /// The latest time seen: an earlier one shows that the clock was set back.
    var seen: Timestamp
    /// The last reservation.
    var lastID: ReservationID
    /// The end of the pause after a refusal, which may be over.
    var closedUntil: Timestamp?
    /// The number of consecutive refusals without a time.
    var refusals = 0
    /// The quotas that the server reported.
    var quotas: [Quota] = []
    /// The slots in order of time.
    var slots: [Slot] = []
    /// When nothing of it matters any more.
    var expires: Timestamp

    /// The window of an unused bucket.
    ///
    /// Reservations count from the time of day, so that those of a file that was lost mean nothing in the next one.
    init(startingAt now: Timestamp) {
        (seen, expires) = (now, now)
        lastID = ReservationID(number: now.milliseconds)
    }

    /// Reserves the next slot that every limit allows, after all earlier reservations.
    mutating func reserve(at now: Timestamp, under rules: SlotRules) -> Reservation {
        advance(to: now, keeping: rules.retention)
        let next = nextSlot(at: now, rules.rates)
        guard next.time <= rules.deadline else { return .tooLate(next, wait: next.time - now) }
        lastID = lastID.next
        insert(lastID, at: next.time)
        return .slot(lastID, next, wait: next.time - now)
    }

    /// The reservation of a request without a rate where no limit applies; nil where one may.
    ///
    /// It is the last reservation, and nothing is stored: without a rate there is nothing to count.
    func freePassage(at now: Timestamp) -> ReservationID? {
        let isHeld = closedUntil.map { $0 > now } ?? false
        guard now >= seen, quotas.isEmpty, !isHeld, slots.last.map({ $0.time <= now }) ?? true else { return nil }
        return lastID
    }

    /// Returns whether a request may be sent at the time of its slot: the server may have reported a limit since.
    ///
    /// A request that is slightly late delays the following ones by as much. One that is much later, after the machine slept or
    /// the process was stopped, has lost its slot and gets another.
    mutating func claim(_ id: ReservationID, at now: Timestamp, under rules: SlotRules) -> Reservation {
        advance(to: now, keeping: rules.retention)
        guard let time = time(of: id) else { return reserve(at: now, under: rules) }
        let reason: WaitReason? =
            switch closedUntil {
            case let end? where time >= end && end > now: .refusal
            default: time > now ? (quotas.isEmpty ? .queue : .quota) : nil
            }
        let slot = NextSlot(time: time, reason: reason)
        if time > rules.deadline {
            release(id)
            return .tooLate(slot, wait: time - now)
        }
        let lateness = now - time
        guard lateness > rules.tolerance else { return .slot(id, slot, wait: time - now) }
        release(id)
        guard lateness < rules.maximumLateness else { return reserve(at: now, under: rules) }
        if let next = slots.first(where: { $0.time > now }) { moveSlots(from: next.time, by: lateness) }
        insert(id, at: now)
        return .slot(id, NextSlot(time: now, reason: nil), wait: .zero)
    }

    /// Releases a slot that will not be used; later slots stay.
    mutating func release(_ id: ReservationID) { slots.removeAll { $0.id == id } }

    /// The slot of a reservation.
    func time(of id: ReservationID) -> Timestamp? { slots.last { $0.id == id }?.time }

    private func nextSlot(at now: Timestamp, _ rates: [Limits.Rate]) -> NextSlot {
        var next = NextSlot(time: now, reason: nil)
        for rate in rates where slots.count >= rate.requests {
            next.delay(until: slots[slots.count - rate.requests].time + rate.spacing, because: .rate(rate))
        }
        next.delay(until: closedUntil, because: .refusal)
        next.delay(until: slots.last?.time, because: .queue)
        // In the order in which they end: one that is over by then delays no request.
        for quota in quotas.sorted(by: { $0.reset < $1.reset }) {
            let reset = Timestamp(milliseconds: quota.reset)
            guard next.time < reset, count(since: quota.since, before: reset) >= quota.remaining else { continue }
            next.delay(until: reset, because: .quota)
        }
        return next
    }

    /// Brings everything to a time: drops what is over, and moves every time when the clock was set back.
    private mutating func advance(to now: Timestamp, keeping retention: Duration) {
        if now < seen {
            let distance = now - seen
            moveSlots(from: nil, by: distance)
            closedUntil = closedUntil.map { $0 + distance }
            for index in quotas.indices {
                quotas[index].reset = (Timestamp(milliseconds: quotas[index].reset) + distance).milliseconds
            }
        }
        seen = now
        expires = max(expires, now + retention)
        // A stored time is subject to the same bounds as a reported one.
        let latest = now + RateLimitFeedback.longestPause
        closedUntil = closedUntil.map { min($0, latest) }
        for index in quotas.indices { quotas[index].reset = min(quotas[index].reset, latest.milliseconds) }
        quotas.removeAll { $0.reset <= now.milliseconds }
        slots.removeFirst(slots.prefix { $0.time < now - retention }.count)
    }

    private mutating func insert(_ id: ReservationID, at time: Timestamp) {
        let index = (slots.lastIndex { $0.time <= time } ?? -1) + 1
        slots.insert(Slot(id: id, time: time), at: index)
    }

    /// Moves every slot from a time on; nil for all.
    private mutating func moveSlots(from time: Timestamp?, by distance: Duration) {
        for index in slots.indices where time.map({ slots[index].time >= $0 }) ?? true {
            slots[index].time = slots[index].time + distance
        }
    }

    private func count(since number: Int64, before time: Timestamp) -> Int {
        slots.count { $0.id.number > number && $0.time < time }
    }
}

// MARK: - Feedback of servers

extension SlidingWindow {
    /// Applies what the server reported in its response to a request.
    ///
    /// It can only delay slots: declared rates hold whatever a server reports. `sent` is the time of a request without a slot.
    mutating func apply(
        _ feedback: RateLimitFeedback, after id: ReservationID, sentAt sent: Timestamp? = nil, at now: Timestamp,
        under rates: [Limits.Rate]
    ) {
        advance(to: now, keeping: SlotRules(rates: rates, deadline: now).retention)
        for quota in feedback.quotas {
            if let quota = quota.kept(since: id, now: now, rates: rates) { keep(quota, now: now) }
        }
        guard feedback.isRefusal else { return }
        let end = now + pause(for: feedback, sentAt: time(of: id) ?? sent, at: now, rates)
        closedUntil = max(end, closedUntil ?? end)
        if let first = slots.first(where: { $0.time > now })?.time, first < end {
            moveSlots(from: first, by: end - first)
        }
    }

    /// Stores a quota, and delays the slots that go beyond it.
    private mutating func keep(_ quota: Quota, now: Timestamp) {
        let reset = Timestamp(milliseconds: quota.reset)
        let known = quotas.firstIndex { $0.scope == quota.scope }
        // Responses may arrive out of order; that of a later reservation is newer.
        if let known, quotas[known].since > quota.since { return }
        if let known { quotas.remove(at: known) }
        guard reset > now, quotas.count < RateLimitFeedback.scopeLimit else { return }
        quotas.append(quota)
        let gone = count(since: quota.since, before: Timestamp(milliseconds: now.milliseconds + 1))
        let waiting = slots.drop { $0.time <= now }.dropFirst(max(0, quota.remaining - gone))
        if let first = waiting.first?.time, first < reset { moveSlots(from: first, by: reset - first) }
    }

    /// How long a refusal closes the bucket.
    private mutating func pause(
        for feedback: RateLimitFeedback, sentAt sent: Timestamp?, at now: Timestamp, _ rates: [Limits.Rate]
    ) -> Duration {
        if let wait = feedback.wait(at: now) {
            refusals = 0
            return wait
        }
        // Concurrent requests are refused together: only a request sent after the last pause counts as another refusal.
        let isAnother = closedUntil.map { (sent ?? now) >= $0 } ?? true
        let isLongAgo = closedUntil.map { now - $0 > Self.longestPause(under: rates) } ?? true
        if isLongAgo {
            refusals = 1
        } else if isAnother {
            refusals = min(refusals, 16) + 1
        }
        return Self.pause(afterRefusal: max(1, refusals), under: rates)
    }

    /// The share of one request, twice as long with every refusal.
    private static func pause(afterRefusal number: Int, under rates: [Limits.Rate]) -> Duration {
        let share = max(.seconds(1), rates.map(\.share).min() ?? .seconds(2))
        return min(share * (1 << min(number - 1, 16)), longestPause(under: rates))
    }

    /// By then the longest window is over, or an hour has passed.
    private static func longestPause(under rates: [Limits.Rate]) -> Duration {
        min(.seconds(3_600), rates.map(\.window).max() ?? .seconds(300))
    }
}
