import ProviderModel

extension SlotLedger {
    /// Gives a request the next slot that every limit allows; slots go out in order, so nobody is passed.
    mutating func reserve(at now: Timestamp, under rules: SlotRules) throws -> Reservation {
        var state = try catchUp(with: now, keeping: rules.keeping)
        let opening = try opening(at: now, state, rules.rates)
        guard opening.moment <= rules.deadline else {
            try save(state, keeping: rules.keeping)
            return .tooLate(opening, wait: opening.moment - now)
        }
        state.lastTicket = state.lastTicket.next
        try insert(state.lastTicket, at: opening.moment)
        try save(state, keeping: rules.keeping)
        return .slot(state.lastTicket, opening, wait: opening.moment - now)
    }

    /// The ticket for a request without a rate where nothing holds anybody back; nil where something may.
    ///
    /// It is the last that was given out, and nothing is written down: without a rate there is nothing to count.
    func freePassage(at now: Timestamp) throws -> ReservationID? {
        guard let state = try state() else { return BucketState(beginningAt: now).lastTicket }
        guard now >= state.seen, state.quotas.isEmpty, state.closedUntil ?? now <= now, try latest(1) ?? now <= now
        else { return nil }
        return state.lastTicket
    }

    /// Asks whether a request that has waited for its slot may go: servers may have asked for a pause since.
    ///
    /// One that comes a bit late puts off those behind it by as much. One that comes much later, after the machine slept
    /// or the process was stopped, has lost its slot and gets another.
    mutating func claim(_ ticket: ReservationID, at now: Timestamp, under rules: SlotRules) throws -> Reservation {
        let state = try catchUp(with: now, keeping: rules.keeping)
        try save(state, keeping: rules.keeping)
        guard let moment = try moment(of: ticket) else { return try reserve(at: now, under: rules) }
        let reason: WaitReason? =
            switch state.closedUntil {
            case let end? where moment >= end && end > now: .refusal
            default: moment > now ? (state.quotas.isEmpty ? .queue : .quota) : nil
            }
        let opening = NextSlot(moment: moment, reason: reason)
        if moment > rules.deadline {
            try remove(ticket)
            return .tooLate(opening, wait: moment - now)
        }
        let late = now - moment
        guard late > rules.lateness else { return .slot(ticket, opening, wait: moment - now) }
        try remove(ticket)
        guard late < rules.pardon else { return try reserve(at: now, under: rules) }
        if let next = try slot(1, after: now) { try moveSlots(from: next, by: late) }
        try insert(ticket, at: now)
        return .slot(ticket, NextSlot(moment: now, reason: nil), wait: .zero)
    }

    /// Gives a slot back that will not be used; what was reserved after it stays where it is.
    mutating func release(_ ticket: ReservationID) throws { try remove(ticket) }

    /// The state as of now: without what is over, and with every time moved when the clock was set back.
    mutating func catchUp(with now: Timestamp, keeping: Duration) throws -> BucketState {
        guard var state = try state() else { return BucketState(beginningAt: now) }
        if now < state.seen {
            let distance = now - state.seen
            try moveSlots(from: nil, by: distance)
            state.closedUntil = state.closedUntil.map { $0 + distance }
            for index in state.quotas.indices { state.quotas[index].reset = state.quotas[index].reset + distance }
        }
        state.seen = now
        // Nothing that was written holds longer than what would be believed now.
        let latest = now + RateLimitFeedback.longestPause
        state.closedUntil = state.closedUntil.map { min($0, latest) }
        for index in state.quotas.indices { state.quotas[index].reset = min(state.quotas[index].reset, latest) }
        state.quotas.removeAll { $0.reset <= now }
        try removeSlots(before: now - keeping)
        return state
    }

    private func opening(at now: Timestamp, _ state: BucketState, _ rates: [Limits.Rate]) throws -> NextSlot {
        var opening = NextSlot(moment: now, reason: nil)
        for rate in rates {
            opening.putOff(until: try latest(rate.requests).map { $0 + rate.spacing }, because: .rate(rate))
        }
        opening.putOff(until: state.closedUntil, because: .refusal)
        opening.putOff(until: try latest(1), because: .queue)
        // In the order in which they end: one that is over by then keeps nobody.
        for quota in state.quotas.sorted(by: { $0.reset < $1.reset }) where opening.moment < quota.reset {
            guard try count(since: quota.since, before: quota.reset) >= quota.remaining else { continue }
            opening.putOff(until: quota.reset, because: .quota)
        }
        return opening
    }
}
