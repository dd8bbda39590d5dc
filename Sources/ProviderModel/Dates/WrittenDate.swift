/// A date in any of the forms that sources write, as exact as it was written.
///
/// What a text leaves open stays open: a time without a zone has none, and a text that could mean two dates
/// (`03/04/2024`) is none.
package struct WrittenDate: Hashable, Sendable {
    /// The time of a day.
    struct Time: Hashable, Sendable {
        var hour: Int
        var minute: Int
        var second = 0
        /// The digits behind the point, without zeros at their end.
        var fraction = ""
        var hasSeconds = false
        /// Seconds east of Greenwich; nil where no zone is given, or one that stands for several.
        var offset: Int?
    }

    var year: Int
    var month: Int?
    var day: Int?
    var time: Time?
    /// Whether the text was one of ISO 8601's, whose zone is kept.
    var isISO = false

    /// Reads a text; nil where it is no date, or where what it means cannot be known.
    package init?(_ text: String) {
        // Longer texts are not dates, and are not looked through.
        guard (4...120).contains(text.utf8.count) else { return nil }
        let text = Self.withoutSigns(Self.withoutSuffixes(text.trimmingSpaces))
        guard (4...80).contains(text.utf8.count) else { return nil }
        var reader = DateReader(text)
        guard let date = Self.compact(text) ?? reader.yearFirst() ?? DateWords(text)?.date, date.isPossible else {
            return nil
        }
        self = date
    }

    /// Reads a count of seconds since 1970, or of milli-, micro- or nanoseconds, which are told apart by their size.
    package init?(sinceEpoch count: Double) {
        var seconds = count
        // The limit is the year 5138 in seconds, and early in 1973 in milliseconds.
        for _ in 0..<3 where seconds.magnitude >= 1e11 { seconds /= 1_000 }
        guard seconds.magnitude < 1e11 else { return nil }
        let milliseconds = (seconds * 1_000).rounded()
        let whole = (milliseconds / 1_000).rounded(.down)
        self.init(secondsSince1970: Int(whole))
        time?.fraction = Self.trimmed(Int(milliseconds - whole * 1_000).padded(to: 3))
        guard isPossible else { return nil }
    }

    /// The date as ISO 8601 writes it: `2024`, `2024-05`, `2024-05-01`, `2024-05-01T12:00:00+02:00`.
    ///
    /// Where the zone is known and the text was not one of ISO 8601's, the time is in UTC.
    package var iso8601: String {
        if !isISO, let time, let offset = time.offset, offset != 0, let month, let day,
            let calendarDay = CalendarDay(year: year, month: month, day: day)
        {
            let seconds = calendarDay.number * 86_400 + time.hour * 3_600 + time.minute * 60 + time.second - offset
            var date = WrittenDate(secondsSince1970: seconds)
            date.time?.fraction = time.fraction
            date.time?.hasSeconds = time.hasSeconds
            return date.iso8601
        }
        var text = year.padded(to: 4)
        for part in [month, day].compactMap(\.self) { text += "-\(part.padded(to: 2))" }
        guard let time else { return text }
        text += "T\(time.hour.padded(to: 2)):\(time.minute.padded(to: 2))"
        if time.hasSeconds { text += ":\(time.second.padded(to: 2))" }
        if !time.fraction.isEmpty { text += ".\(time.fraction)" }
        return text + (time.offset.map(Self.zone) ?? "")
    }

    init(year: Int, month: Int? = nil, day: Int? = nil, time: Time? = nil, isISO: Bool = false) {
        (self.year, self.month, self.day, self.time, self.isISO) = (year, month, day, time, isISO)
    }

    private init(secondsSince1970 seconds: Int) {
        let calendarDay = CalendarDay(secondsSince1970: seconds)
        let second = seconds - calendarDay.number * 86_400
        let (year, month, day) = calendarDay.date
        self.init(
            year: year, month: month, day: day,
            time: Time(
                hour: second / 3_600, minute: second / 60 % 60, second: second % 60, hasSeconds: true, offset: 0))
    }

    /// Whether there is such a day and such a time; no calendar has a year 0.
    private var isPossible: Bool {
        guard (1...9_999).contains(year) else { return false }
        if let month {
            guard CalendarDay(year: year, month: month, day: day ?? 1) != nil else { return false }
        }
        guard let time else { return true }
        let isMidnight = time.hour == 24 && time.minute == 0 && time.second == 0
        return (time.hour < 24 || isMidnight) && time.minute < 60 && time.second <= 60
    }

    /// Drops what RFC 9557 puts behind a time: `2024-05-01T12:00:00+02:00[Europe/Paris]`.
    private static func withoutSuffixes(_ text: String) -> String {
        guard text.utf8.last == UInt8(ascii: "]"), let start = text.firstIndex(of: "[") else { return text }
        return String(text[..<start])
    }

    /// Puts dashes where Chinese, Japanese and Korean have signs: `2024年5月1日`, `2024년 5월 1일`.
    private static func withoutSigns(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0x80 }), let year = text.firstIndex(where: { "年년".contains($0) }) else {
            return text
        }
        let parts = text[year...].dropFirst().split(maxSplits: 1, omittingEmptySubsequences: false) {
            "月월".contains($0)
        }
        guard parts.count == 2 else { return text }
        let days = parts[1].split(maxSplits: 1, omittingEmptySubsequences: false) { "日일".contains($0) }
        let date = [text[..<year], parts[0]] + (days.count == 2 ? [days[0]] : [])
        let time = days.count == 2 ? days[1] : days[0]
        return date.map { String($0).trimmingSpaces }.joined(separator: "-") + time
    }

    static func trimmed(_ fraction: String) -> String {
        var digits = Substring(fraction)
        while digits.last == "0" { digits.removeLast() }
        return String(digits)
    }

    private static func zone(_ offset: Int) -> String {
        if offset == 0 { return "Z" }
        let minutes = abs(offset) / 60
        return "\(offset < 0 ? "-" : "+")\((minutes / 60).padded(to: 2)):\((minutes % 60).padded(to: 2))"
    }

    /// Dates of digits alone: `20240501`, `20240501T120000Z`, a count since 1970, and .NET's `/Date(1714564800000)/`.
    private static func compact(_ text: String) -> WrittenDate? {
        if text.hasPrefix("/Date("), let end = text.firstIndex(of: ")") {
            let count = text[text.index(text.startIndex, offsetBy: 6)..<end]
            // The zone behind it is that of the server, not a part of the time.
            let digits = count.prefix(1) + count.dropFirst().prefix { $0 != "+" && $0 != "-" }
            return Int(digits).flatMap { WrittenDate(milliseconds: $0) }
        }
        let digits = text.utf8.prefix(while: \.isDigit).count
        if digits == text.utf8.count, (9...10).contains(digits) || [13, 16, 19].contains(digits) {
            return Double(text).flatMap(WrittenDate.init(sinceEpoch:))
        }
        if digits == 9 || digits == 10, text.utf8.dropFirst(digits).first == UInt8(ascii: "."),
            text.utf8.dropFirst(digits + 1).allSatisfy(\.isDigit)
        {
            return Double(text).flatMap(WrittenDate.init(sinceEpoch:))
        }
        guard digits == 8 || digits == 12 || digits == 14 else { return nil }
        var reader = DateReader(text)
        return reader.basic()
    }

    private init?(milliseconds: Int) {
        let second = (Double(milliseconds) / 1_000).rounded(.down)
        guard second.magnitude < 1e11 else { return nil }
        self.init(secondsSince1970: Int(second))
        time?.fraction = Self.trimmed((milliseconds - Int(second) * 1_000).padded(to: 3))
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}

/// Reads dates that begin with the year.
struct DateReader {
    private var rest: ArraySlice<UInt8>

    init(_ text: some StringProtocol) { rest = Array(text.utf8)[...] }

    /// `20240501`, `20240501T120000+0200`, `20240501120000`.
    mutating func basic() -> WrittenDate? {
        guard let year = number(4), let month = number(2), let day = number(2) else { return nil }
        var date = WrittenDate(year: year, month: month, day: day, isISO: true)
        guard !rest.isEmpty else { return date }
        _ = take("T") || take("t") || take(" ")
        guard let hour = number(2) else { return nil }
        _ = take(":")
        guard let minute = number(2) else { return nil }
        var time = WrittenDate.Time(hour: hour, minute: minute)
        _ = take(":")
        if let second = number(2) { (time.second, time.hasSeconds) = (second, true) }
        guard takeFractionAndZone(of: &time) else { return nil }
        date.time = time
        return date
    }

    /// `2024`, `2024-05`, `2024-05-01T12:00:00,5+02`, `2024/5/1 12:00`, `2024:05:01 12:00:00`, `2024-W18-3`, `2024-122`.
    mutating func yearFirst() -> WrittenDate? {
        guard let year = number(4) else { return nil }
        if rest.isEmpty { return WrittenDate(year: year, isISO: true) }
        guard let separator = rest.first, "-/.:".utf8.contains(separator) else { return nil }
        rest.removeFirst()
        if separator == UInt8(ascii: "-"), let date = weekOrOrdinal(in: year) { return date }
        guard let month = number(1...2) else { return nil }
        var date = WrittenDate(year: year, month: month, isISO: true)
        if rest.isEmpty {
            date.month = month == 0 ? nil : month
            return separator == UInt8(ascii: "-") ? date : nil
        }
        guard rest.first == separator else { return nil }
        rest.removeFirst()
        guard let day = number(1...2) else { return nil }
        // Catalogues write zeros for what they do not know.
        (date.month, date.day) = (month == 0 ? nil : month, month == 0 || day == 0 ? nil : day)
        guard !rest.isEmpty else { return date }
        guard take("T") || take("t") || take("_") || takeSpace(), let time = time() else { return nil }
        if date.day != nil { date.time = time }
        return date
    }

    private mutating func weekOrOrdinal(in year: Int) -> WrittenDate? {
        let start = rest
        if take("W"), let week = number(2), (1...53).contains(week), take("-"), let weekday = number(1), rest.isEmpty,
            (1...7).contains(weekday), let january4 = CalendarDay(year: year, month: 1, day: 4)
        {
            // ISO 8601: the week with 4 January is the first; 1 January 1970 was a Thursday.
            let monday = january4.number - (((january4.number + 3) % 7) + 7) % 7
            let day = CalendarDay(number: monday + (week - 1) * 7 + weekday - 1).date
            return WrittenDate(year: day.year, month: day.month, day: day.day, isISO: true)
        }
        rest = start
        if let ordinal = number(3), rest.isEmpty, let january = CalendarDay(year: year, month: 1, day: 1) {
            let day = CalendarDay(number: january.number + ordinal - 1).date
            if ordinal > 0, day.year == year {
                return WrittenDate(year: year, month: day.month, day: day.day, isISO: true)
            }
        }
        rest = start
        return nil
    }

    /// Reads a time with its zone, up to the end.
    private mutating func time() -> WrittenDate.Time? {
        while takeSpace() {}
        guard let hour = number(1...2) else { return nil }
        var time = WrittenDate.Time(hour: hour, minute: 0)
        guard take(":"), let minute = number(2) else { return nil }
        time.minute = minute
        if take(":") {
            guard let second = number(2) else { return nil }
            (time.second, time.hasSeconds) = (second, true)
        }
        return takeFractionAndZone(of: &time) ? time : nil
    }

    private mutating func takeFractionAndZone(of time: inout WrittenDate.Time) -> Bool {
        if time.hasSeconds, take(".") || take(",") {
            let digits = rest.prefix(while: \.isDigit)
            guard !digits.isEmpty else { return false }
            time.fraction = String(decoding: digits, as: UTF8.self)
            rest = rest.dropFirst(digits.count)
        }
        while takeSpace() {}
        let words = String(decoding: rest, as: UTF8.self).split(separator: " ").map(String.init)
        for word in words {
            switch DateZone(word) {
            case .half(let isAfternoon):
                guard (1...12).contains(time.hour) else { return false }
                time.hour = time.hour % 12 + (isAfternoon ? 12 : 0)
            case .known(let offset):
                // Go writes a zone twice: `+0200 CEST`.
                guard time.offset == nil || time.offset == offset else { return false }
                time.offset = offset
            case .unknown: break
            case nil: return false
            }
        }
        return true
    }

    private mutating func number(_ count: Int) -> Int? {
        let field = rest.prefix(count)
        guard field.count == count, field.allSatisfy(\.isDigit) else { return nil }
        rest = rest.dropFirst(count)
        return field.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private mutating func number(_ counts: ClosedRange<Int>) -> Int? {
        let digits = rest.prefix(while: \.isDigit).count
        return counts.contains(digits) ? number(digits) : nil
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func takeSpace() -> Bool { take(" ") }
}
