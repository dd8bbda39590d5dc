/// How many more requests a server allows until its window ends.
struct Quota: Hashable, Sendable {
    /// Which of the server's limits.
    var scope: String
    /// The request whose answer said it; those after it are not counted in `remaining` yet.
    var since: ReservationID
    /// How many may follow `since`.
    var remaining: Int
    /// When the window ends.
    var reset: Timestamp
}

/// What a bucket remembers beside its slots.
struct BucketState: Hashable, Sendable {
    /// The latest time of day anybody has seen: an earlier one means that the clock was set back.
    var seen: Timestamp
    /// The last ticket handed out.
    var lastTicket: ReservationID
    /// The end of the pause that a server's refusal brought, which may be over.
    var closedUntil: Timestamp?
    /// Refusals one after another that did not say when to come back.
    var refusals = 0
    /// What servers said remains.
    var quotas: [Quota] = []

    /// The state of a bucket nobody has used.
    ///
    /// Tickets count from the time of day, so that those of a file that was lost mean nothing in the next one.
    init(beginningAt now: Timestamp) {
        seen = now
        lastTicket = ReservationID(number: now.milliseconds)
    }

    init(seen: Timestamp, lastTicket: ReservationID, closedUntil: Timestamp?, refusals: Int, quotas: [Quota]) {
        self.seen = seen
        self.lastTicket = lastTicket
        self.closedUntil = closedUntil
        self.refusals = refusals
        self.quotas = quotas
    }
}
