import HTTPTransport
import ProviderModel

/// Converts times in a response to the local clock.
package struct ServerClock: Hashable, Sendable {
    /// Longer times are errors, or in another unit.
    private static let longest = Duration.seconds(366 * 86_400)

    /// The local time.
    let now: Timestamp
    /// The server's time at that moment.
    let serverNow: Timestamp

    /// The clock of a server by its `Date` field; the local clock without one.
    package init(_ date: String?, now: Timestamp) {
        self.now = now
        serverNow =
            date.flatMap { DateTime(http: $0, now: DateTime(secondsSince1970: now.seconds)) }.map {
                Timestamp(seconds: $0.secondsSince1970)
            } ?? now
    }

    /// `Retry-After` in either form.
    func retryAfter(_ value: String) -> Duration? {
        RetryAfter.seconds(value, now: serverNow.seconds).map { .seconds(min($0, 1 << 32)) }
    }

    /// The end of a window, read as declared where that makes sense, otherwise as what it looks like.
    package func reset(_ text: String, unit: Limits.ResetUnit? = nil) -> Timestamp? {
        let text = text.split { $0 == " " || $0 == "\t" || $0 == "\"" }.joined(separator: " ")
        let readings = ([unit].compactMap(\.self) + [.seconds, .unix, .iso]).lazy.compactMap { left(text, unit: $0) }
        if let left = readings.first(where: { $0 >= .zero && $0 <= Self.longest }) { return now + left }
        // A time in the past: the window has ended.
        return readings.contains { $0 < .zero } ? now : nil
    }

    /// The time left by one reading; nil when the text is something else.
    private func left(_ text: String, unit: Limits.ResetUnit) -> Duration? {
        switch unit {
        case .seconds: Self.number(text).flatMap { $0 < 0 ? nil : .milliseconds(Int64($0 * 1_000)) }
        case .unix:
            Self.number(text).flatMap { number in
                // Some count milliseconds.
                let milliseconds = number > 1e11 ? number : number * 1_000
                return milliseconds < 1e11 ? nil : Timestamp(milliseconds: Int64(milliseconds)) - serverNow
            }
        case .iso:
            Self.date(text, now: now).map { Timestamp(seconds: $0.secondsSince1970) - serverNow }
        }
    }

    /// An ISO 8601 date with its time, where some put a blank instead of the T, or a date as HTTP has it.
    private static func date(_ text: String, now: Timestamp) -> DateTime? {
        let iso = DateTime(iso8601: text.replacing(" ", with: "T").uppercased())
        if let iso, text.utf8.count > 10 { return iso }
        return DateTime(http: text, now: DateTime(secondsSince1970: now.seconds))
    }

    /// A number that may have decimals, within what can be counted.
    static func number(_ text: some StringProtocol) -> Double? {
        guard let first = text.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first),
            let number = Double(text), number.magnitude < 1e15
        else { return nil }
        return number
    }
}
