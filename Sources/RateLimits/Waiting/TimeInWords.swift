import Glibc

extension Duration {
    /// For people, rounded up: `60 s`, `12 min`, `1 h`, `5 h 12 min`, `1 day`, `2 days 3 h`.
    package var inWords: String {
        let seconds = components.seconds + (components.attoseconds > 0 ? 1 : 0)
        guard seconds > 120 else { return "\(max(0, seconds)) s" }
        let minutes = (seconds + 59) / 60
        if minutes < 60 { return "\(minutes) min" }
        if minutes < 1_440 { return Self.pair("\(minutes / 60) h", minutes % 60, "min") }
        let hours = (minutes + 59) / 60
        return Self.pair(hours / 24 == 1 ? "1 day" : "\(hours / 24) days", hours % 24, "h")
    }

    private static func pair(_ large: String, _ rest: Int64, _ unit: String) -> String {
        rest == 0 ? large : "\(large) \(rest) \(unit)"
    }
}

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
    func text(of moment: Moment, now: Moment) -> String {
        let then = calendar(moment.seconds)
        let today = calendar(now.seconds)
        let time = "\(Self.padded(then.tm_hour)):\(Self.padded(then.tm_min))"
        if (then.tm_year, then.tm_yday) == (today.tm_year, today.tm_yday) { return time }
        return "\(then.tm_year + 1_900)-\(Self.padded(then.tm_mon + 1))-\(Self.padded(then.tm_mday)) \(time)"
    }

    private static func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
