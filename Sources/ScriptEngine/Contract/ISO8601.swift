/// The shapes of ISO 8601 that the contract takes: a year, a month, a day, or a day with a time.
enum ISO8601 {
    /// Whether `text` is a date, or a date and a time, whose numbers are possible.
    static func matches(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        guard let year = number(&rest, digits: 4), year >= 0 else { return false }
        if rest.isEmpty { return true }
        guard take("-", &rest), let month = number(&rest, digits: 2), (1...12).contains(month) else { return false }
        if rest.isEmpty { return true }
        guard take("-", &rest), let day = number(&rest, digits: 2), (1...31).contains(day) else { return false }
        if rest.isEmpty { return true }
        guard take("T", &rest), let hour = number(&rest, digits: 2), hour <= 24, take(":", &rest),
            let minute = number(&rest, digits: 2), minute < 60
        else { return false }
        if take(":", &rest) {
            guard let second = number(&rest, digits: 2), second <= 60 else { return false }
            if take(".", &rest) {
                guard let first = rest.first, isDigit(first) else { return false }
                rest = rest.drop(while: isDigit)
            }
        }
        return rest.isEmpty || isZone(rest)
    }

    private static func isZone(_ zone: ArraySlice<UInt8>) -> Bool {
        var rest = zone
        if take("Z", &rest) { return rest.isEmpty }
        guard take("+", &rest) || take("-", &rest), let hours = number(&rest, digits: 2), hours <= 14 else {
            return false
        }
        if rest.isEmpty { return true }
        _ = take(":", &rest)
        guard let minutes = number(&rest, digits: 2), minutes < 60 else { return false }
        return rest.isEmpty
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func number(_ rest: inout ArraySlice<UInt8>, digits: Int) -> Int? {
        let field = rest.prefix(digits)
        guard field.count == digits, field.allSatisfy(isDigit) else { return nil }
        rest = rest.dropFirst(digits)
        return field.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static func take(_ character: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }
}
