/// The moments at which the requests of one bucket went or will go.
///
/// Every slot is kept for as long as the longest window that could still contain it, so a rate holds in *any* span of
/// its length and yet a whole window's requests may go at once. A bucket that refills evenly would let twice the rate
/// through within one window (a burst and then the refill), and so would windows with fixed ends (before and after one).
protocol SlotLedger {
    /// What is remembered beside the slots; nil for a bucket nobody has used.
    func state() throws -> BucketState?
    mutating func save(_ state: BucketState, keeping: Duration) throws

    /// The slot that `rank - 1` others are later than.
    func latest(_ rank: Int) throws -> Timestamp?
    /// The slot that is number `rank` of those after a moment.
    func slot(_ rank: Int, after moment: Timestamp) throws -> Timestamp?
    /// How many slots of tickets after `ticket` are before a moment.
    func count(since ticket: ReservationID, before moment: Timestamp) throws -> Int
    /// The slot of a ticket.
    func moment(of ticket: ReservationID) throws -> Timestamp?

    mutating func insert(_ ticket: ReservationID, at moment: Timestamp) throws
    mutating func remove(_ ticket: ReservationID) throws
    mutating func removeSlots(before moment: Timestamp) throws
    /// Moves every slot from a moment on; nil for all.
    mutating func moveSlots(from moment: Timestamp?, by distance: Duration) throws
}
