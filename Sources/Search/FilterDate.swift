import ProviderModel

/// A date as a filter takes it: a year, a month, a day, a time, or a time span before now.
///
/// ```swift
/// var options = SearchOptions()
/// options.filter.since = FilterDate("7d")
/// options.filter.until = FilterDate("2026-05")  // the end of May
/// ```
public struct FilterDate: Hashable, Sendable {
    /// The first second of the year, month or day.
    let first: DateTime
    /// Its last second.
    let last: DateTime

    /// Parses a date; nil when `text` is not one.
    ///
    /// - Parameters:
    ///   - text: an ISO 8601 date such as `2026`, `2026-05`, `2026-05-01` or `2026-05-01T12:00Z`, or a number of hours, days,
    ///     weeks or years before `now`: `12h`, `7d`, `2w`, `1y`. Times are in UTC where no zone is given.
    ///   - now: the present in seconds since 1970.
    public init?(_ text: String, now: Int = WallClock.secondsSince1970) {
        if let span = Self.seconds(in: text) {
            let time = DateTime(secondsSince1970: now - span)
            guard (0...9_999).contains(time.day.date.year) else { return nil }
            self.init(first: time, last: time)
        } else {
            self.init(iso8601: text)
        }
    }

    /// Reads an ISO 8601 date; nil when there is no such day.
    init?(iso8601 text: String) {
        guard let date = ISO8601Date(text) else { return nil }
        if date.time != nil {
            guard let time = DateTime(iso8601: text) else { return nil }
            self.init(first: time, last: time)
            return
        }
        let lastMonth = date.month ?? 12
        guard let start = CalendarDay(year: date.year, month: date.month ?? 1, day: date.day ?? 1),
            let end = date.day.map({ _ in start })
                ?? (28...31).reversed().lazy.compactMap({ CalendarDay(year: date.year, month: lastMonth, day: $0) })
                .first
        else { return nil }
        self.init(
            first: DateTime(secondsSince1970: start.number * 86_400),
            last: DateTime(secondsSince1970: end.number * 86_400 + 86_399))
    }

    private init(first: DateTime, last: DateTime) {
        self.first = first
        self.last = last
    }

    private static func seconds(in text: String) -> Int? {
        let units: [Character: Int] = ["h": 3_600, "d": 86_400, "w": 604_800, "y": 31_557_600]
        guard let unit = text.last.flatMap({ units[$0] }), let count = Int(text.dropLast()),
            (0...100_000).contains(count)
        else { return nil }
        return count * unit
    }
}

extension FilterDate: Encodable {
    /// Encodes the first and the last second as a string.
    ///
    /// - Parameter encoder: receives a string such as `2026-05-01T00:00:00Z..2026-05-31T23:59:59Z`.
    /// - Throws: an error of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("\(first.iso8601)..\(last.iso8601)")
    }
}
