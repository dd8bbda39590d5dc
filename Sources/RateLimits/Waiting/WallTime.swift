import Glibc

/// A moment as clocks on the wall show it.
struct WallTime {
    /// Splits seconds since 1970 into what a calendar has; the zone of the user's machine, or UTC in tests.
    let calendar: @Sendable (Int) -> tm

    /// The user's time zone.
    static let local = WallTime { seconds in
        var time = time_t(seconds)
        var parts = tm()
        localtime_r(&time, &parts)
        return parts
    }

    /// `15:04`, or `2026-11-22 15:04` on another day than `now`.
    func text(of moment: Timestamp, now: Timestamp) -> String {
        let then = calendar(moment.seconds)
        let today = calendar(now.seconds)
        let time = "\(Self.padded(then.tm_hour)):\(Self.padded(then.tm_min))"
        if (then.tm_year, then.tm_yday) == (today.tm_year, today.tm_yday) { return time }
        return "\(then.tm_year + 1_900)-\(Self.padded(then.tm_mon + 1))-\(Self.padded(then.tm_mday)) \(time)"
    }

    private static func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
