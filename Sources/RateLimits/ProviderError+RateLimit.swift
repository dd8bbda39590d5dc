import Glibc
import ProviderModel

extension ProviderError {
    /// A limit that opens after the maximum wait.
    init(waitingFor slot: NextSlot, _ wait: Duration, provider: ProviderID, now: Timestamp, calendar: LocalCalendar) {
        let limit =
            switch slot.reason {
            case .rate(let rate): "the limit of \(rate.sentence) is reached"
            case .refusal: "the server refused more requests for now"
            case .quota: "the limit of the server is reached"
            case .queue, nil: "too many requests are waiting"
            }
        self.init(
            .rate,
            provider: provider.description,
            message: "\(limit); the next request is allowed at \(calendar.text(of: slot.time, now: now)), "
                + "in \(wait.inWords)",
            hint: "try again later, allow longer waits, or use a key with a higher limit"
        )
    }
}

/// Times of day in the time zone of the user.
struct LocalCalendar {
    /// Splits seconds since 1970 into what a calendar has; the zone of the user's machine, or UTC in tests.
    let parts: @Sendable (Int) -> tm

    /// The user's time zone.
    static let current = LocalCalendar { seconds in
        var time = time_t(seconds)
        var parts = tm()
        localtime_r(&time, &parts)
        return parts
    }

    /// `15:04`, or `2026-11-22 15:04` on another day than `now`.
    func text(of time: Timestamp, now: Timestamp) -> String {
        let then = parts(time.seconds)
        let today = parts(now.seconds)
        let clock = "\(Self.padded(then.tm_hour)):\(Self.padded(then.tm_min))"
        if (then.tm_year, then.tm_yday) == (today.tm_year, today.tm_yday) { return clock }
        return "\(then.tm_year + 1_900)-\(Self.padded(then.tm_mon + 1))-\(Self.padded(then.tm_mday)) \(clock)"
    }

    private static func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
