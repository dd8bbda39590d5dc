/// A date with its month as a word, or with its day first: `Wed, 01 May 2024 12:00:00 +0200`, `06-Nov-94`, `May 1st, 2024`,
/// `31.12.2024 18:00`.
struct DateWords {
    /// The date that the words make.
    private(set) var date: WrittenDate

    private var numbers: [(value: Int, digits: Int)] = []
    private var month: Int?
    private var time: WrittenDate.Time?
    private var offset: Int?
    private var isAfternoon: Bool?

    /// Reads a text; nil where a word is none of a date's, or where the numbers can be taken in two ways.
    init?(_ text: String) {
        date = WrittenDate(year: 0)
        for word in Self.words(of: text) {
            guard take(word) else { return nil }
        }
        guard let date = assembled() else { return nil }
        self.date = date
    }

    /// The words, without commas and without a remark in brackets at the end.
    private static func words(of text: String) -> [Substring] {
        var text = Substring(text)
        if text.last == ")", let open = text.lastIndex(of: "(") { text = text[..<open] }
        return text.split { $0 == " " || $0 == "," || $0 == "\t" || $0 == "\u{A0}" || $0 == "\u{202F}" }
    }

    private mutating func take(_ word: Substring) -> Bool {
        let lower = word.lowercased()
        if lower.contains(":"), lower.first?.isNumber == true { return takeTime(lower) }
        if lower.hasSuffix("am") || lower.hasSuffix("pm"), Self.digits(lower.dropLast(2), 1...2) != nil {
            return takeTime("\(lower.dropLast(2)):00\(lower.suffix(2))")
        }
        if let number = Self.number(lower) {
            numbers.append(number)
            return numbers.count <= 3
        }
        if let known = Self.month(lower) {
            guard month == nil else { return false }
            month = known
            return true
        }
        if Self.weekdays.contains(where: { $0.hasPrefix(lower) && lower.utf8.count >= 3 || $0 + "." == lower }) {
            return true
        }
        if ["at", "of", "the", "t"].contains(lower) { return true }
        if let zone = DateZone(String(word)), time != nil { return take(zone) }
        return takeJoined(lower)
    }

    /// `06-Nov-94`, `31.12.2024`, `31/12/2024`, `2024/05/01` behind a weekday.
    private mutating func takeJoined(_ word: String) -> Bool {
        guard let separator = word.first(where: { "-./".contains($0) }), numbers.isEmpty, month == nil else {
            return false
        }
        let parts = word.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return false }
        let values = parts.map { Self.number(String($0)) }
        if let named = Self.month(String(parts[1])), let first = values[0], let last = values[2] {
            month = named
            numbers = [first, last]
            return true
        }
        guard let first = values[0], let second = values[1], let third = values[2] else { return false }
        if first.digits == 4 {
            month = second.value
            numbers = [third, first]
            return true
        }
        guard third.digits == 4 else { return false }
        // With points the day stands first everywhere; else only a number above 12 tells which of the two is the day.
        let isDayFirst = separator == "." || first.value > 12
        guard isDayFirst || second.value > 12 else { return false }
        month = isDayFirst ? second.value : first.value
        numbers = [isDayFirst ? first : second, third]
        return true
    }

    private mutating func takeTime(_ word: String) -> Bool {
        guard time == nil else { return false }
        var clock = Substring(word)
        for (ending, isLater) in [("am", false), ("pm", true)] where clock.hasSuffix(ending) {
            isAfternoon = isLater
            clock = clock.dropLast(2)
        }
        if clock.hasSuffix("z") {
            offset = 0
            clock = clock.dropLast()
        } else if let sign = clock.lastIndex(where: { $0 == "+" || $0 == "-" }) {
            guard case .known(let known)? = DateZone(String(clock[sign...])) else { return false }
            offset = known
            clock = clock[..<sign]
        }
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let hour = Self.digits(parts[0], 1...2),
            let minute = Self.digits(parts[1], 2...2)
        else { return false }
        var time = WrittenDate.Time(hour: hour, minute: minute)
        if parts.count == 3 {
            let seconds = parts[2].split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
            guard let second = Self.digits(seconds[0], 2...2) else { return false }
            (time.second, time.hasSeconds) = (second, true)
            if seconds.count == 2 {
                guard Self.digits(seconds[1], 1...9) != nil else { return false }
                time.fraction = WrittenDate.trimmed(String(seconds[1]))
            }
        }
        self.time = time
        return true
    }

    private mutating func take(_ zone: DateZone) -> Bool {
        switch zone {
        case .half(let isLater):
            guard isAfternoon == nil else { return false }
            isAfternoon = isLater
        case .known(let known):
            guard offset == nil || offset == known else { return false }
            offset = known
        case .unknown: break
        }
        return true
    }

    private func assembled() -> WrittenDate? {
        guard let month else { return nil }
        var date: WrittenDate
        switch numbers.count {
        case 1 where numbers[0].digits == 4 && time == nil: date = WrittenDate(year: numbers[0].value, month: month)
        case 2:
            let yearIsFirst = numbers[0].digits == 4
            let (day, year) = yearIsFirst ? (numbers[1], numbers[0]) : (numbers[0], numbers[1])
            guard day.digits <= 2, year.digits == 4 || year.digits == 2 else { return nil }
            // RFC 2822 §4.3.
            let fullYear = year.digits == 4 ? year.value : year.value + (year.value < 50 ? 2000 : 1900)
            date = WrittenDate(year: fullYear, month: month, day: day.value)
        default: return nil
        }
        guard var time else { return date }
        if let isAfternoon {
            guard (1...12).contains(time.hour) else { return nil }
            time.hour = time.hour % 12 + (isAfternoon ? 12 : 0)
        }
        time.offset = offset
        date.time = time
        return date
    }

    // MARK: Words

    /// `1`, `01`, `1st`, `1.`, `2024`.
    private static func number(_ word: String) -> (value: Int, digits: Int)? {
        var digits = Substring(word)
        for ending in ["st", "nd", "rd", "th", "."] where digits.hasSuffix(ending) {
            digits = digits.dropLast(ending.count)
            break
        }
        return Self.digits(digits, 1...4).map { ($0, digits.utf8.count) }
    }

    private static func digits(_ text: Substring, _ counts: ClosedRange<Int>) -> Int? {
        guard counts.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    private static func month(_ word: String) -> Int? {
        let name = word.hasSuffix(".") ? String(word.dropLast()) : word
        guard name.utf8.count >= 3 else { return nil }
        if name == "sept" { return 9 }
        return months.firstIndex { $0 == name || name.utf8.count == 3 && $0.hasPrefix(name) }.map { $0 + 1 }
    }

    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]
    private static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
}

/// A word behind a time: its zone, or its half of the day.
enum DateZone: Hashable {
    /// Seconds east of Greenwich.
    case known(Int)
    /// A name that stands for several zones, or for none that is known: `IST`, `ET`.
    case unknown
    case half(isAfternoon: Bool)

    init?(_ word: String) {
        let upper = word.uppercased()
        switch upper {
        case "AM", "A.M.": self = .half(isAfternoon: false)
        case "PM", "P.M.": self = .half(isAfternoon: true)
        default:
            if let hours = Self.names[upper] {
                self = .known(Int(hours * 3_600))
            } else if let offset = Self.offset(upper) {
                self = .known(offset)
            } else if (2...5).contains(upper.utf8.count), upper.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) {
                self = .unknown
            } else {
                return nil
            }
        }
    }

    /// `+02:00`, `+0200`, `-05`, `GMT+2`, `UTC-01:30`.
    private static func offset(_ word: String) -> Int? {
        var rest = Substring(word)
        for prefix in ["GMT", "UTC"] where rest.hasPrefix(prefix) { rest = rest.dropFirst(3) }
        guard let sign = rest.first, sign == "+" || sign == "-" || sign == "\u{2212}" else { return nil }
        let parts = rest.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
        var digits = parts.map(String.init)
        if digits.count == 1, digits[0].utf8.count == 4 {
            digits = [String(digits[0].prefix(2)), String(digits[0].suffix(2))]
        }
        guard digits.count <= 2,
            digits.allSatisfy({ (1...2).contains($0.utf8.count) && $0.utf8.allSatisfy(\.isDigit) }),
            let hours = Int(digits[0]), hours <= 14, let minutes = digits.count == 2 ? Int(digits[1]) : 0, minutes < 60
        else { return nil }
        return (hours * 3_600 + minutes * 60) * (sign == "+" ? 1 : -1)
    }

    /// Zones by name, in hours; those that stand for one zone in dates as sources write them.
    private static let names: [String: Double] = [
        "Z": 0, "UT": 0, "UTC": 0, "GMT": 0, "ETC/GMT": 0, "ETC/UTC": 0, "WET": 0, "WEST": 1,
        // RFC 2822 §4.3.
        "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
        "AKST": -9, "AKDT": -8, "HST": -10, "NST": -3.5, "NDT": -2.5, "BRT": -3,
        "BST": 1, "CET": 1, "CEST": 2, "MET": 1, "MEST": 2, "MEZ": 1, "MESZ": 2, "EET": 2, "EEST": 3, "MSK": 3,
        "JST": 9, "KST": 9, "HKT": 8, "SGT": 8, "AWST": 8, "ACST": 9.5, "ACDT": 10.5, "AEST": 10, "AEDT": 11,
        "NZST": 12, "NZDT": 13,
    ]
}

extension UInt8 {
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}
