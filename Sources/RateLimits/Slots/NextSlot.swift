/// The earliest moment for a request, and what keeps it until then.
package struct NextSlot: Hashable, Sendable {
    /// The moment.
    package var moment: Timestamp
    /// Why not earlier; nil when that moment is now.
    package var reason: WaitReason?

    /// Puts the opening off, unless it is late enough already.
    mutating func putOff(until later: Timestamp?, because reason: WaitReason) {
        guard let later, later > moment else { return }
        moment = later
        self.reason = reason
    }
}
