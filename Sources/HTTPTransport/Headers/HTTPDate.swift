/// The dates of HTTP header lines (RFC 9110 §5.6.7).
package enum HTTPDate {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// Parses all three forms a recipient has to accept, as seconds since 1970; nil when the text is no date.
    package static func seconds(_ text: some StringProtocol, now: Int = 0) -> Int? {
        let words = text.lowercased().split { $0 == " " || $0 == "," }
        switch words.count {
        case 6 where words[5] == "gmt" || words[5] == "utc":  // Sun, 06 Nov 1994 08:49:37 GMT
            return seconds(day: words[1], month: words[2], year: Int(words[3]), time: words[4])
        case 4 where words[3] == "gmt":  // Sunday, 06-Nov-94 08:49:37 GMT
            let parts = words[1].split(separator: "-")
            guard parts.count == 3, let short = Int(parts[2]) else { return nil }
            return seconds(day: parts[0], month: parts[1], year: fullYear(short, now: now), time: words[2])
        case 5:  // Sun Nov  6 08:49:37 1994
            return seconds(day: words[2], month: words[1], year: Int(words[4]), time: words[3])
        default: return nil
        }
    }

    /// A year of two digits more than 50 years ahead is one of the past.
    private static func fullYear(_ short: Int, now: Int) -> Int {
        guard (0..<100).contains(short) else { return short }
        let thisYear = 1970 + now / 31_556_952
        let year = thisYear / 100 * 100 + short
        return year > thisYear + 50 ? year - 100 : year
    }

    private static func seconds(day: Substring, month: Substring, year: Int?, time: Substring) -> Int? {
        let clock = time.split(separator: ":").map { Int($0) }
        guard let day = Int(day), (1...31).contains(day), let month = months.firstIndex(of: String(month)), let year,
            (1...9_999).contains(year), clock.count == 3, let hour = clock[0], let minute = clock[1],
            let second = clock[2],
            (0..<24).contains(hour), (0..<60).contains(minute), (0...60).contains(second)
        else { return nil }
        return days(year: year, month: month + 1, day: day) * 86_400 + hour * 3_600 + minute * 60 + second
    }

    /// Days since 1970 in the Gregorian calendar, counting years from March so that the leap day comes last.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
