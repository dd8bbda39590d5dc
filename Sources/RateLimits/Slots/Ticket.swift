/// The place of one request in the order in which requests may go.
package struct Ticket: Hashable, Sendable, Comparable {
    /// Later tickets have higher numbers.
    package let number: Int64

    package static func < (left: Ticket, right: Ticket) -> Bool { left.number < right.number }

    var next: Ticket { Ticket(number: number &+ 1) }
}
