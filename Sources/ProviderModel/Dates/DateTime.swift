/// A point in time to the second, with the texts that sources, servers and files write for it.
package struct DateTime: Hashable, Comparable, Sendable {
    /// Seconds since 1 January 1970 in UTC.
    package let secondsSince1970: Int

    /// A point in time.
    package init(secondsSince1970: Int) { self.secondsSince1970 = secondsSince1970 }

    /// Reads an ISO 8601 or RFC 3339 date, with or without a time, in UTC where no zone is given; nil when the text is
    /// something else, or when there is no such day.
    package init?(iso8601 text: some StringProtocol) {
        guard let date = ISO8601Date(text), let month = date.month, let day = date.day,
            let calendarDay = CalendarDay(year: date.year, month: month, day: day)
        else { return nil }
        let time = date.time ?? ISO8601Date.Time(hour: 0, minute: 0, second: 0, offset: 0)
        self.init(calendarDay, time.hour, time.minute, time.second, offset: time.offset ?? 0)
    }

    /// Reads a date of an HTTP header line in any of the three forms that a recipient has to accept (RFC 9110 §5.6.7).
    ///
    /// - Parameters:
    ///   - text: The field's value.
    ///   - now: The present, by which a year of two digits is told to be one of the past or of the future.
    package init?(http text: some StringProtocol, now: DateTime = DateTime(secondsSince1970: 0)) {
        let words = text.lowercased().split { $0 == " " || $0 == "," }
        switch words.count {
        case 6 where words[5] == "gmt" || words[5] == "utc":  // Sun, 06 Nov 1994 08:49:37 GMT
            self.init(day: words[1], month: words[2], year: Int(words[3]), time: words[4])
        case 4 where words[3] == "gmt":  // Sunday, 06-Nov-94 08:49:37 GMT
            let parts = words[1].split(separator: "-")
            guard parts.count == 3, let short = Int(parts[2]) else { return nil }
            self.init(day: parts[0], month: parts[1], year: Self.fullYear(short, now), time: words[2])
        case 5:  // Sun Nov  6 08:49:37 1994
            self.init(day: words[2], month: words[1], year: Int(words[4]), time: words[3])
        default: return nil
        }
    }

    /// The day in UTC.
    package var day: CalendarDay { CalendarDay(secondsSince1970: secondsSince1970) }

    /// The time as RFC 3339 writes it in UTC: `1994-11-06T08:49:37Z`.
    package var iso8601: String { "\(day)T\(clock)Z" }

    /// The time as HTTP header lines have it (RFC 9110 §5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
    package var http: String {
        let (year, month, day) = self.day.date
        let weekday = Self.weekdays[((self.day.number % 7) + 7) % 7]
        return "\(weekday), \(day.padded(to: 2)) \(Self.months[month - 1]) \(year.padded(to: 4)) \(clock) GMT"
    }

    /// Earlier times are less.
    package static func < (left: DateTime, right: DateTime) -> Bool { left.secondsSince1970 < right.secondsSince1970 }

    /// `08:49:37`.
    private var clock: String {
        let seconds = secondsSince1970 - day.number * 86_400
        return [seconds / 3_600, seconds / 60 % 60, seconds % 60].map { $0.padded(to: 2) }.joined(separator: ":")
    }

    private init(_ day: CalendarDay, _ hour: Int, _ minute: Int, _ second: Int, offset: Int = 0) {
        self.init(secondsSince1970: day.number * 86_400 + hour * 3_600 + minute * 60 + second - offset)
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    /// 1 January 1970 was a Thursday.
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

    private init?(day: Substring, month: Substring, year: Int?, time: Substring) {
        let clock = time.split(separator: ":").map { Int($0) }
        guard let day = Int(day), let month = Self.months.firstIndex(where: { $0.lowercased() == month }), let year,
            let calendarDay = CalendarDay(year: year, month: month + 1, day: day), clock.count == 3,
            let hour = clock[0], let minute = clock[1], let second = clock[2],
            (0..<24).contains(hour), (0..<60).contains(minute), (0...60).contains(second)
        else { return nil }
        self.init(calendarDay, hour, minute, second)
    }

    /// A year of two digits more than 50 years ahead is one of the past.
    private static func fullYear(_ short: Int, _ now: DateTime) -> Int {
        guard (0..<100).contains(short) else { return short }
        let thisYear = now.day.date.year
        let year = thisYear / 100 * 100 + short
        return year > thisYear + 50 ? year - 100 : year
    }
}
