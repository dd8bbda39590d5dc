import Glibc

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
        guard hasFourDigitYear else { return nil }
    }

    /// Reads a date of an HTTP header line: the three forms that a recipient has to accept (RFC 9110 §5.6.7), and nothing
    /// else; case does not matter.
    ///
    /// - Parameters:
    ///   - text: The field's value.
    ///   - now: The present, by which the century of a year of two digits is chosen.
    package init?(http text: some StringProtocol, now: DateTime = DateTime(secondsSince1970: 0)) {
        let words = text.lowercased().split(separator: " ", omittingEmptySubsequences: false)
        switch words.count {
        case 6 where Self.isWeekday(words[0], ending: ",") && words[5] == "gmt":  // Sun, 06 Nov 1994 08:49:37 GMT
            self.init(day: words[1], month: words[2], year: Self.number(words[3], digits: 4), time: words[4])
        case 4 where Self.isWeekday(words[0], ending: "day,") && words[3] == "gmt":  // Sunday, 06-Nov-94 08:49:37 GMT
            let parts = words[1].split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 3, let short = Self.number(parts[2], digits: 2) else { return nil }
            self.init(day: parts[0], month: parts[1], year: Self.fullYear(short, now), time: words[2])
        case 5 where Self.isWeekday(words[0]):  // Sun Nov 16 08:49:37 1994
            self.init(day: words[2], month: words[1], year: Self.number(words[4], digits: 4), time: words[3])
        case 6 where Self.isWeekday(words[0]) && words[2].isEmpty:  // Sun Nov  6 08:49:37 1994
            self.init(day: "0" + words[3], month: words[1], year: Self.number(words[5], digits: 4), time: words[4])
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

    /// Whether the time can be written: a zone, or a second that is inserted, may lead out of the years 1 to 9999.
    private var hasFourDigitYear: Bool { (1...9_999).contains(day.date.year) }

    private init(_ day: CalendarDay, _ hour: Int, _ minute: Int, _ second: Int, offset: Int = 0) {
        self.init(secondsSince1970: day.number * 86_400 + hour * 3_600 + minute * 60 + second - offset)
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    /// 1 January 1970 was a Thursday.
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

    private init?(day: Substring, month: Substring, year: Int?, time: Substring) {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { Self.number($0, digits: 2) }
        guard let day = Self.number(day, digits: 2), let year,
            let month = Self.months.firstIndex(where: { $0.lowercased() == month }),
            let calendarDay = CalendarDay(year: year, month: month + 1, day: day), clock.count == 3,
            let hour = clock[0], let minute = clock[1], let second = clock[2], hour < 24, minute < 60, second <= 60
        else { return nil }
        self.init(calendarDay, hour, minute, second)
        guard hasFourDigitYear else { return nil }
    }

    private static func number(_ text: Substring, digits: Int) -> Int? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    /// Whether a word is a weekday: `sun`; `sun,` or `sunday,` where that is its ending.
    private static func isWeekday(_ word: Substring, ending: String = "") -> Bool {
        let isLong = ending.hasPrefix("day")
        let names =
            isLong ? ["thurs", "fri", "satur", "sun", "mon", "tues", "wednes"] : weekdays.map { $0.lowercased() }
        return names.contains { $0 + ending == word }
    }

    /// A year of two digits more than 50 years ahead is one of the past.
    private static func fullYear(_ short: Int, _ now: DateTime) -> Int {
        let thisYear = now.day.date.year
        let year = thisYear / 100 * 100 + short
        return year > thisYear + 50 ? year - 100 : year
    }
}

/// The time of day, as the system has it.
public enum WallClock {
    /// The time in seconds since 1970.
    public static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The time in whole seconds since 1970.
    public static var secondsSince1970: Int { Int(now) }

    /// The time in whole milliseconds since 1970.
    public static var millisecondsSince1970: Int64 { Int64(now * 1_000) }
}
