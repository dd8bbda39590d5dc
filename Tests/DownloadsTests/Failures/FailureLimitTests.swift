import Testing

@testable import Downloads

@Suite struct FailureLimitTests {
    /// The totals of a run with so many files and failures.
    private func tally(_ skipped: Int, _ failed: Int) throws -> DownloadTally {
        var tally = DownloadTally()
        let key = MediaKey(stored: "url:https://example.com/a.jpg")
        for _ in 0..<skipped { tally.add(.skipped(key, .repeated)) }
        for _ in 0..<failed { tally.add(.failed(DownloadError(.notFound, "gone"))) }
        return tally
    }

    @Test(arguments: [
        ("5%", 95, 5, false), ("5%", 94, 6, true), ("0", 5, 0, false), ("0", 5, 1, true), ("10", 0, 10, false),
        ("10", 0, 11, true), ("0.5%", 995, 5, false), ("0.5%", 994, 6, true), ("100%", 0, 200, false),
    ])
    func limitIsANumberOrAShare(_ text: String, _ skipped: Int, _ failed: Int, _ isExceeded: Bool) throws {
        #expect(try FailureLimit(text).isExceeded(by: tally(skipped, failed), isAtEnd: false) == isExceeded)
    }

    @Test func shareOfFewFilesCountsAtTheEnd() throws {
        let limit = try FailureLimit("5%")
        #expect(try !limit.isExceeded(by: tally(0, 99), isAtEnd: false))
        #expect(try limit.isExceeded(by: tally(0, 99), isAtEnd: true))
        #expect(try !limit.isExceeded(by: tally(0, 0), isAtEnd: true))
    }

    @Test(arguments: ["", "%", "-1", "101%", "nan%", "5 %", "five", "1e3"])
    func othersAreRefused(_ text: String) {
        #expect(throws: DownloadError.self) { try FailureLimit(text) }
    }
}
