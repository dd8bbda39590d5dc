import ProviderModel
import ProviderRuntime
import ProviderTestSupport
import ProviderTesting
import Testing

@Suite("The age of recordings")
struct CassetteAgeTests {
    private func cassette(_ days: [String?]) throws -> Cassette {
        let url = try WebURL("https://api.made.example/")
        return MadeProvider.cassette(
            "search", days.map { Cassette.Entry(url: url, content: [], recorded: $0.flatMap { CalendarDay($0) }) })
    }

    @Test(
        arguments: [
            ([nil, "2026-11-20"], 90, nil), (["2026-08-23"], 90, nil), ([nil], 0, nil),
            (
                ["2026-08-22", "2026-11-20"], 90,
                "search.json: 1 entry is older than 90 days, the oldest of 2026-08-22 (91 days)"
            ),
            (
                ["2025-11-21", "2026-01-01"], 90,
                "search.json: 2 entries are older than 90 days, the oldest of 2025-11-21 (365 days)"
            ),
        ] as [([String?], Int, String?)])
    func oldEntriesAreCounted(_ days: [String?], _ oldest: Int, _ warning: String?) throws {
        let warnings = CassetteAge.warnings([try cassette(days)], today: CalendarDay("2026-11-21")!, oldest: oldest)
        #expect(warnings.count == (warning == nil ? 0 : 1))
        if let warning { #expect(warnings.first?.hasPrefix(warning) == true, "\(warnings)") }
    }

    @Test(arguments: [(["2026-01-01"], TestReport.Outcome.warning), (["2026-11-20"], .passed), ([nil], .skipped)])
    func agesAreASuiteOfTheirOwn(_ days: [String?], _ outcome: TestReport.Outcome) throws {
        let made = try MadeProvider(cassettes: [try cassette(days)])
        let suite = CassetteAge.suite(
            of: made.file, MadeProvider.settings, today: CalendarDay("2026-11-21")!, oldest: 90)
        #expect(suite.cases.map(\.outcome) == [outcome])
    }
}
