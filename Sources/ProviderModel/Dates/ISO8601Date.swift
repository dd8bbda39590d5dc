/// A date as ISO 8601 writes it, as exact as it was written: a year, a month, a day, or a day with a time.
///
/// The parts are possible numbers each; whether the month has such a day is known to ``CalendarDay``.
package struct ISO8601Date: Hashable, Sendable {
    /// The time of a day.
    package struct Time: Hashable, Sendable {
        /// 0 to 24.
        package var hour: Int
        /// 0 to 59.
        package var minute: Int
        /// 0 to 60; fractions are cut off.
        package var second: Int
        /// Seconds east of Greenwich; nil where no zone is given.
        package var offset: Int?
    }

    /// 1 to 9999: no calendar has a year 0.
    package let year: Int
    /// 1 to 12.
    package private(set) var month: Int?
    /// 1 to 31.
    package private(set) var day: Int?
    /// The time, where there is one.
    package private(set) var time: Time?

    /// Reads `2024`, `2024-05`, `2024-05-01`, `2024-05-01T12:00` or `2024-05-01T12:00:30.5+02:00`; nil for other texts.
    package init?(_ text: some StringProtocol) {
        var reader = DigitReader(text)
        guard let year = reader.number(digits: 4, in: 1...9_999) else { return nil }
        self.year = year
        if reader.isAtEnd { return }
        guard reader.take("-"), let month = reader.number(digits: 2, in: 1...12) else { return nil }
        self.month = month
        if reader.isAtEnd { return }
        guard reader.take("-"), let day = reader.number(digits: 2, in: 1...31) else { return nil }
        self.day = day
        if reader.isAtEnd { return }
        guard reader.take("T"), let time = Time(&reader) else { return nil }
        self.time = time
    }
}

extension ISO8601Date.Time {
    fileprivate init?(_ reader: inout DigitReader) {
        guard let hour = reader.number(digits: 2, in: 0...24), reader.take(":"),
            let minute = reader.number(digits: 2, in: 0...59)
        else { return nil }
        (self.hour, self.minute, second) = (hour, minute, 0)
        if reader.take(":") {
            guard let second = reader.number(digits: 2, in: 0...60) else { return nil }
            self.second = second
            if reader.take(".") || reader.take(",") {
                guard reader.skipDigits() else { return nil }
            }
        }
        guard !reader.isAtEnd else { return }
        guard let offset = Self.offset(&reader), reader.isAtEnd else { return nil }
        self.offset = offset
    }

    /// `Z`, `+02:00`, `+0200` or `-05`.
    private static func offset(_ reader: inout DigitReader) -> Int? {
        if reader.take("Z") { return 0 }
        let isWest = reader.take("-")
        guard isWest || reader.take("+"), let hours = reader.number(digits: 2, in: 0...14) else { return nil }
        var seconds = hours * 3_600
        if !reader.isAtEnd {
            _ = reader.take(":")
            guard let minutes = reader.number(digits: 2, in: 0...59) else { return nil }
            seconds += minutes * 60
        }
        return isWest ? -seconds : seconds
    }
}

/// Numbers of a fixed count of digits, one after another.
private struct DigitReader {
    private var rest: ArraySlice<UInt8>

    init(_ text: some StringProtocol) { rest = Array(text.utf8)[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func number(digits: Int, in range: ClosedRange<Int> = 0...9_999) -> Int? {
        let field = rest.prefix(digits)
        guard field.count == digits, field.allSatisfy(Self.isDigit) else { return nil }
        rest = rest.dropFirst(digits)
        let number = field.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return range.contains(number) ? number : nil
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Whether there was a digit at all.
    mutating func skipDigits() -> Bool {
        let count = rest.count
        rest = rest.drop(while: Self.isDigit)
        return rest.count < count
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
