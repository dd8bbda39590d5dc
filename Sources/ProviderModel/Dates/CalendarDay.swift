/// A day of the Gregorian calendar, in UTC.
package struct CalendarDay: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Days since 1 January 1970.
    package let number: Int

    /// The day with this number since 1 January 1970.
    package init(number: Int) { self.number = number }

    /// The day of a point in time.
    package init(secondsSince1970 seconds: Int) { number = (seconds - seconds.modulo(86_400)) / 86_400 }

    /// A day by its date; nil when there is no such day.
    package init?(year: Int, month: Int, day: Int) {
        guard (0...9_999).contains(year), (1...12).contains(month), day >= 1, day <= Self.length(of: month, in: year)
        else { return nil }
        // Howard Hinnant, "chrono-compatible low-level date algorithms": years that begin in March, eras of 400 years.
        let shifted = month <= 2 ? year - 1 : year
        let yearOfEra = shifted.modulo(400)
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        number =
            (shifted - yearOfEra) / 400 * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - 719_468
    }

    /// Reads `2026-11-21`, also at the beginning of a date with time; nil when there is no such day.
    package init?(_ text: some StringProtocol) {
        guard let date = ISO8601Date(text.prefix(10)), let month = date.month, let day = date.day else { return nil }
        self.init(year: date.year, month: month, day: day)
    }

    /// Year, month and day of the month.
    package var date: (year: Int, month: Int, day: Int) {
        let shifted = number + 719_468
        let dayOfEra = shifted.modulo(146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + (shifted - dayOfEra) / 146_097 * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// `2026-11-21`.
    package var description: String {
        let (year, month, day) = date
        return "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))"
    }

    /// Earlier days are less.
    package static func < (left: CalendarDay, right: CalendarDay) -> Bool { left.number < right.number }

    private static func length(of month: Int, in year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }
}

extension Int {
    /// The remainder of a division that rounds down, which is never negative.
    fileprivate func modulo(_ divisor: Int) -> Int {
        let rest = self % divisor
        return rest < 0 ? rest + divisor : rest
    }

    /// The number with zeros before it.
    func padded(to width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }
}
