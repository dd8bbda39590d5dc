import Testing

@testable import Search

@Suite("A date of a filter is a date or a time span")
struct FilterDateTests {
    /// Noon of 20 May 2026 in UTC.
    private static let now = 1_779_278_400

    @Test(arguments: [
        ("2026", "2026-01-01T00:00:00Z", "2026-12-31T23:59:59Z"),
        ("2024-02", "2024-02-01T00:00:00Z", "2024-02-29T23:59:59Z"),
        ("2026-05-01", "2026-05-01T00:00:00Z", "2026-05-01T23:59:59Z"),
        ("2026-05-01T12:00+02:00", "2026-05-01T10:00:00Z", "2026-05-01T10:00:00Z"),
        ("7d", "2026-05-13T12:00:00Z", "2026-05-13T12:00:00Z"),
        ("12h", "2026-05-20T00:00:00Z", "2026-05-20T00:00:00Z"),
        ("2w", "2026-05-06T12:00:00Z", "2026-05-06T12:00:00Z"),
    ])
    func datesBeginAndEnd(text: String, first: String, last: String) throws {
        let date = try #require(FilterDate(text, now: Self.now))
        #expect(date.first.iso8601 == first)
        #expect(date.last.iso8601 == last)
    }

    @Test(arguments: ["", "d", "-7d", "7x", "2026-02-30", "2026-13", "yesterday", "99999999d", "100000y", "7 d"])
    func otherTextsAreNoDates(_ text: String) { #expect(FilterDate(text, now: Self.now) == nil) }
}
