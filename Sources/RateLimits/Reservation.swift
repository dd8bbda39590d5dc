import ProviderModel

/// A request's position in the order of a bucket.
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
    /// It would wait longer than its deadline, and has no slot.
    case tooLate(NextSlot, wait: Duration)
}

/// The earliest time of a request, and the reason for it.
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

/// Why a request cannot be sent at once.
package enum WaitReason: Hashable, Sendable, CustomStringConvertible {
    /// A rate the provider declares.
    case rate(Limits.Rate)
    /// The server refused a request, and a pause follows.
    case refusal
    /// The server reported that no request remains in its window.
    case quota
    /// Other requests have earlier slots.
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

/// The rules for a request's slot.
struct SlotRules: Hashable, Sendable {
    /// The rates declared.
    var rates: [Limits.Rate]
    /// The latest time of a slot.
    var deadline: Timestamp

    /// How long a slot is stored: for every window that contains it, and until its response has arrived.
    var retention: Duration { rates.map(\.spacing).reduce(.seconds(600), max) }

    /// How long after its slot a request may be sent without coming too close to the following ones.
    var tolerance: Duration { rates.map(\.margin).min() ?? .seconds(1) }

    /// How long after its slot a request may be sent if the following ones are delayed by as much.
    ///
    /// A busy machine may take that long to resume a task. A request that is later must not delay all others.
    var maximumLateness: Duration { min(.seconds(2), rates.map(\.spacing).min() ?? .seconds(2)) }
}

extension Limits.Rate {
    /// `100 requests in 60 s`.
    var sentence: String { "\(requests) \(requests == 1 ? "request" : "requests") in \(window.inWords)" }

    /// The window declared.
    var window: Duration { .seconds(seconds) }

    /// The tolerance of a window, as the latency to the server varies.
    var margin: Duration { min(.seconds(1), window / 20) }

    /// The time from one slot to the one `requests` later.
    var spacing: Duration { window + margin }

    /// The time in which the window allows one request on average.
    var share: Duration { window / requests }
}
