/// A bucket within one process, for when there is no database.
struct MemoryLedger: SlotLedger {
    private struct Slot {
        var ticket: ReservationID
        var moment: Timestamp
    }

    private var remembered: BucketState?
    /// In the order of their moments.
    private var slots: [Slot] = []

    func state() -> BucketState? { remembered }

    mutating func save(_ state: BucketState, keeping: Duration) { remembered = state }

    func latest(_ rank: Int) -> Timestamp? {
        slots.count >= rank ? slots[slots.count - rank].moment : nil
    }

    func slot(_ rank: Int, after moment: Timestamp) -> Timestamp? {
        let index = end(of: moment) + rank - 1
        return index < slots.count ? slots[index].moment : nil
    }

    func count(since ticket: ReservationID, before moment: Timestamp) -> Int {
        slots.count { $0.ticket > ticket && $0.moment < moment }
    }

    func moment(of ticket: ReservationID) -> Timestamp? { slots.last { $0.ticket == ticket }?.moment }

    mutating func insert(_ ticket: ReservationID, at moment: Timestamp) {
        slots.insert(Slot(ticket: ticket, moment: moment), at: end(of: moment))
    }

    mutating func remove(_ ticket: ReservationID) { slots.removeAll { $0.ticket == ticket } }

    mutating func removeSlots(before moment: Timestamp) {
        slots.removeFirst(slots.prefix { $0.moment < moment }.count)
    }

    mutating func moveSlots(from moment: Timestamp?, by distance: Duration) {
        for index in slots.indices where moment.map({ slots[index].moment >= $0 }) ?? true {
            slots[index].moment = slots[index].moment + distance
        }
    }

    /// Takes over what was reserved elsewhere, so that it counts when this ledger has to do alone.
    mutating func adopt(_ ticket: ReservationID, at moment: Timestamp, now: Timestamp, keeping: Duration) {
        var state = remembered ?? BucketState(beginningAt: now)
        state.lastTicket = max(state.lastTicket, ticket)
        remembered = state
        remove(ticket)
        insert(ticket, at: moment)
        removeSlots(before: now - keeping)
    }

    /// The index after the last slot that is not later than a moment.
    private func end(of moment: Timestamp) -> Int {
        (slots.lastIndex { $0.moment <= moment } ?? -1) + 1
    }
}
