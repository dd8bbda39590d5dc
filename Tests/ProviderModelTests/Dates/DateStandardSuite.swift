import Foundation
import ProviderModel
import TestSupport
import Testing

/// The dates of feedparser's tests.
@Suite(.enabled(if: StandardSuite.folder != nil, "IMGSCRIPT_SUITES names no folder of suites"))
struct DateStandardSuite {
    @Test func datesOfFeeds() throws {
        var suite = StandardSuite("feedparser, dates", against: "`parseDate`")
        let folder = try #require(
            try suite.files(in: "sdists").first { $0.hasPrefix("feedparser-") && !$0.hasSuffix(".gz") })
        let source = try suite.text(of: "sdists/\(folder)/tests/runtests.py")
        let start = try #require(source.range(of: "date_tests = {"))
        let dates = source[start.upperBound...].prefix(8_000).matches(
            of: /\('((?:[^'\\]|\\.)*)', (?:(None)|\((\d+), (\d+), (\d+), (\d+), (\d+), (\d+))/)
        for date in dates {
            let text = Self.unescaped(String(date.1))
            let numbers = [date.3, date.4, date.5, date.6, date.7, date.8].compactMap { $0.flatMap { Int($0) } }
            let found = WrittenDate(text).map { Self.moment($0.iso8601) }
            let expected = numbers.count == 6 ? numbers : nil
            suite.note(found == expected, "\(text): \(String(describing: found))", exception: Self.exception(for: text))
        }
        #expect(dates.count > 50)
        #expect(suite.faults == [])
    }

    private static func exception(for text: String) -> String? {
        if text.utf8.contains(where: { $0 >= 0x80 }) { return "months and times in Greek, Hungarian and Korean" }
        if text.hasSuffix("T") || text.wholeMatch(of: /.* [A-Z]T/) != nil {
            return "`ET`, `CT` and their like, which stand for winter and summer time: the time is read without a zone"
        }
        if text.prefixMatch(of: /\d{4}-\d{3}-/) != nil { return "a month of three digits" }
        if text.hasPrefix("-") || text.wholeMatch(of: /[\d-]{4,8}/) != nil {
            return "years of two digits without a month's name, which could be days"
        }
        return nil
    }

    private static func unescaped(_ text: String) -> String {
        text.replacing(/\\u([0-9a-f]{4})/) { String(UnicodeScalar(UInt32($0.1, radix: 16) ?? 0) ?? " ") }
            .replacing(/\\x([0-9a-f]{2})/) { String(UnicodeScalar(UInt32($0.1, radix: 16) ?? 0) ?? " ") }
    }

    /// The six numbers of a date in UTC, with the first day where none is written.
    private static func moment(_ iso: String) -> [Int] {
        let full = iso.count == 4 ? "\(iso)-01-01" : iso.count == 7 ? "\(iso)-01" : iso
        guard let date = DateTime(iso8601: full) else { return [] }
        let (year, month, day) = date.day.date
        let second = date.secondsSince1970 - date.day.number * 86_400
        return [year, month, day, second / 3_600, second / 60 % 60, second % 60]
    }
}
