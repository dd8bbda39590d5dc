import ProviderModel

extension SlotLedger {
    /// Takes in what a server said in its answer to the request with this ticket.
    ///
    /// `sent` is when the request went, should it have no slot: what was free to go has none.
    /// It can only put slots off: declared rates hold whatever a server says.
    mutating func correct(
        by word: RateLimitFeedback,
        to ticket: ReservationID,
        sentAt sent: Timestamp? = nil,
        at now: Timestamp,
        under rates: [Limits.Rate]
    ) throws {
        let rules = SlotRules(rates: rates, deadline: now)
        var state = try catchUp(with: now, keeping: rules.keeping)
        for said in word.quotas {
            guard let quota = said.quota(since: ticket, now: now, rates: rates) else { continue }
            try keep(quota, in: &state, now: now)
        }
        if word.isRefusal {
            let end = now + pause(for: word, to: ticket, at: now, &state, rates, try moment(of: ticket) ?? sent)
            state.closedUntil = max(end, state.closedUntil ?? end)
            if let first = try slot(1, after: now), first < end { try moveSlots(from: first, by: end - first) }
        }
        try save(state, keeping: rules.keeping)
    }

    /// Remembers a quota, and puts off the slots that go beyond it.
    private mutating func keep(_ quota: Quota, in state: inout BucketState, now: Timestamp) throws {
        let known = state.quotas.firstIndex { $0.scope == quota.scope }
        // Answers may overtake one another; what was said to a later request is newer.
        if let known, state.quotas[known].since > quota.since { return }
        if let known { state.quotas.remove(at: known) }
        guard quota.reset > now, state.quotas.count < RateLimitFeedback.scopeLimit else { return }
        state.quotas.append(quota)
        let gone = try count(since: quota.since, before: Timestamp(milliseconds: now.milliseconds + 1))
        let left = max(0, quota.remaining - gone)
        if let first = try slot(left + 1, after: now), first < quota.reset {
            try moveSlots(from: first, by: quota.reset - first)
        }
    }

    /// How long a refusal closes the bucket.
    private func pause(
        for word: RateLimitFeedback,
        to ticket: ReservationID,
        at now: Timestamp,
        _ state: inout BucketState,
        _ rates: [Limits.Rate],
        _ sent: Timestamp?
    ) -> Duration {
        if let wait = word.wait(at: now) {
            state.refusals = 0
            return wait
        }
        // Requests sent side by side are refused side by side: only one sent after the last pause is another refusal.
        let lastEnd = state.closedUntil
        let isAnother = lastEnd.map { (sent ?? now) >= $0 } ?? true
        let isLongAgo = lastEnd.map { now - $0 > RefusalPause.longest(under: rates) } ?? true
        if isLongAgo {
            state.refusals = 1
        } else if isAnother {
            state.refusals = min(state.refusals, 16) + 1
        }
        return RefusalPause.length(ofNumber: max(1, state.refusals), under: rates)
    }
}
