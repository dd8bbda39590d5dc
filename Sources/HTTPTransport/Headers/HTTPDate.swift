/// The dates of HTTP header lines (RFC 9110 §5.6.7).
package enum HTTPDate {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    private static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

    /// Parses the three forms a recipient has to accept, and nothing else, as seconds since 1970.
    ///
    /// Case does not matter. A year of two digits more than 50 years after `now` is one of the past.
    package static func seconds(_ text: some StringProtocol, now: Int = 0) -> Int? {
        let words = text.lowercased().split(separator: " ", omittingEmptySubsequences: false)
        let isShort = weekdays.contains { $0.prefix(3) + "," == words[0] }
        switch words.count {
        case 6 where isShort && words[5] == "gmt":  // Sun, 06 Nov 1994 08:49:37 GMT
            return seconds(day: words[1], month: words[2], year: number(words[3], digits: 4), time: words[4])
        case 4 where words[3] == "gmt" && weekdays.contains { $0 + "," == words[0] }:  // Sunday, 06-Nov-94 08:49:37 GMT
            let parts = words[1].split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 3, let short = number(parts[2], digits: 2) else { return nil }
            return seconds(day: parts[0], month: parts[1], year: fullYear(short, now: now), time: words[2])
        case 5 where !isShort:  // Sun Nov 16 08:49:37 1994
            return asctime(words[0], month: words[1], day: words[2], time: words[3], year: words[4])
        case 6 where words[2].isEmpty:  // Sun Nov  6 08:49:37 1994
            return asctime(words[0], month: words[1], day: "0" + words[3], time: words[4], year: words[5])
        default: return nil
        }
    }

    private static func asctime(
        _ weekday: Substring, month: Substring, day: Substring, time: Substring, year: Substring
    ) -> Int? {
        guard weekdays.contains(where: { $0.prefix(3) == weekday }) else { return nil }
        return seconds(day: day, month: month, year: number(year, digits: 4), time: time)
    }

    private static func fullYear(_ short: Int, now: Int) -> Int {
        let thisYear = 1970 + now / 31_556_952
        let year = thisYear / 100 * 100 + short
        return year > thisYear + 50 ? year - 100 : year
    }

    private static func seconds(day: Substring, month: Substring, year: Int?, time: Substring) -> Int? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { number($0, digits: 2) }
        guard let day = number(day, digits: 2), let month = months.firstIndex(of: String(month)), let year,
            clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
            day >= 1, day <= length(ofMonth: month + 1, year), hour < 24, minute < 60, second <= 60
        else { return nil }
        return days(year: year, month: month + 1, day: day) * 86_400 + hour * 3_600 + minute * 60 + second
    }

    private static func number(_ text: Substring, digits: Int) -> Int? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    private static func length(ofMonth month: Int, _ year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    /// Days since 1970 in the Gregorian calendar, counting years from March so that the leap day comes last.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
