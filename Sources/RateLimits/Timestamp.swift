/// A time of day to the millisecond, as processes on one machine share it and servers send it.
package struct Timestamp: Hashable, Sendable, Comparable {
    /// Milliseconds since 1970.
    package var milliseconds: Int64

    /// A time by its milliseconds since 1970.
    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// A time by its seconds since 1970, within what milliseconds can count.
    package init(seconds: Int) {
        let (milliseconds, overflow) = Int64(seconds).multipliedReportingOverflow(by: 1_000)
        self.milliseconds = overflow ? (seconds < 0 ? .min : .max) : milliseconds
    }

    /// Whole seconds since 1970.
    package var seconds: Int { Int((Double(milliseconds) / 1_000).rounded(.down)) }

    package static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

    /// The time that much later, the last one at most.
    package static func + (time: Timestamp, duration: Duration) -> Timestamp {
        let (sum, overflow) = time.milliseconds.addingReportingOverflow(duration.milliseconds)
        return Timestamp(milliseconds: overflow ? (duration < .zero ? .min : .max) : sum)
    }

    /// The time that much earlier.
    package static func - (time: Timestamp, duration: Duration) -> Timestamp { time + (.zero - duration) }

    /// The duration from one time to a later one.
    package static func - (end: Timestamp, start: Timestamp) -> Duration {
        let (difference, overflow) = end.milliseconds.subtractingReportingOverflow(start.milliseconds)
        return .milliseconds(overflow ? (end < start ? .min : .max) : difference)
    }
}

extension Duration {
    /// Whole milliseconds, rounded up, so that nothing happens too early.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        // Division rounds towards zero, which is up for what is below it.
        let rest = (attoseconds + (attoseconds > 0 ? 999_999_999_999_999 : 0)) / 1_000_000_000_000_000
        return whole.addingReportingOverflow(rest).overflow ? .max : whole + rest
    }
}
