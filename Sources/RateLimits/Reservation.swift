import ProviderModel

/// One request's place in the order in which requests may go.
package struct ReservationID: Hashable, Sendable, Comparable {
    /// Later reservations have higher numbers.
    package let number: Int64

    package static func < (left: ReservationID, right: ReservationID) -> Bool { left.number < right.number }

    var next: ReservationID { ReservationID(number: number &+ 1) }
}

/// The result of a request's attempt to get a slot.
package enum Reservation: Hashable, Sendable {
    /// It has a slot: now when the wait is not above zero.
    case slot(ReservationID, NextSlot, wait: Duration)
    /// It would have to wait longer than it wants to, and holds nothing.
    case tooLate(NextSlot, wait: Duration)
}

/// The earliest time for a request, and what keeps it until then.
package struct NextSlot: Hashable, Sendable {
    /// When the request may go.
    package var time: Timestamp
    /// Why not earlier; nil when that is now.
    package var reason: WaitReason?

    /// Moves the slot to a later time; nothing happens when it is late enough already.
    mutating func delay(until later: Timestamp?, because reason: WaitReason) {
        guard let later, later > time else { return }
        time = later
        self.reason = reason
    }
}

/// What keeps a request from going at once.
package enum WaitReason: Hashable, Sendable, CustomStringConvertible {
    /// A rate the provider declares.
    case rate(Limits.Rate)
    /// The server refused a request and wants a pause.
    case refusal
    /// The server said that nothing remains until its window ends.
    case quota
    /// Others came first.
    case queue

    /// `limit of 100 requests in 60 s`.
    package var description: String {
        switch self {
        case .rate(let rate): "limit of \(rate.sentence)"
        case .refusal: "the server requested a pause"
        case .quota: "the limit of the server is reached"
        case .queue: "waiting for earlier requests"
        }
    }
}

/// What holds for a request that wants to go.
struct SlotRules: Hashable, Sendable {
    /// The rates declared.
    var rates: [Limits.Rate]
    /// The latest slot that is of use.
    var deadline: Timestamp

    /// How long a slot is remembered: for every window it is in, and until its response has come.
    var retention: Duration { rates.map(\.spacing).reduce(.seconds(600), max) }

    /// How long after its slot a request may still go without coming too close to those behind it.
    var tolerance: Duration { rates.map(\.margin).min() ?? .seconds(1) }

    /// How long after its slot a request may still go if those behind it wait for as much longer.
    ///
    /// A busy machine may take as long to wake a task. One that was stopped for longer must not hold up all others.
    var maximumLateness: Duration { min(.seconds(2), rates.map(\.spacing).min() ?? .seconds(2)) }
}

extension Limits.Rate {
    /// `100 requests in 60 s`.
    var sentence: String { "\(requests) \(requests == 1 ? "request" : "requests") in \(window.inWords)" }

    /// The window declared.
    var window: Duration { .seconds(seconds) }

    /// How much longer than declared a window is taken to be, as the way to the server is not always equally long.
    var margin: Duration { min(.seconds(1), window / 20) }

    /// The time from one slot to the one `requests` later.
    var spacing: Duration { window + margin }

    /// The time in which the window allows one request on average.
    var share: Duration { window / requests }
}
