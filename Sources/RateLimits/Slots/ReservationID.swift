/// The place of one request in the order in which requests may go.
package struct ReservationID: Hashable, Sendable, Comparable {
    /// Later tickets have higher numbers.
    package let number: Int64

    package static func < (left: ReservationID, right: ReservationID) -> Bool { left.number < right.number }

    var next: ReservationID { ReservationID(number: number &+ 1) }
}
