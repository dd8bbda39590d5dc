/// The answer to a request that wants to go.
package enum Reservation: Hashable, Sendable {
    /// It has a slot: now when the wait is not above zero.
    case slot(ReservationID, NextSlot, wait: Duration)
    /// It would have to wait longer than it wants to, and holds nothing.
    case tooLate(NextSlot, wait: Duration)
}
