import ImgScript
import Testing

@testable import Commands

struct DownloadReportTests {
    private static func tally(_ failures: [DownloadError] = [], skipped: Int = 0) -> DownloadTally {
        var tally = DownloadTally()
        for number in 0..<skipped { tally.add(.skipped(MediaKey(stored: "foxes:\(number):large"), .repeated)) }
        for failure in failures { tally.add(.failed(failure)) }
        return tally
    }

    private static func lines(_ tally: DownloadTally, on terminal: Terminal = .pipe, isInterrupted: Bool = false)
        -> [String]
    {
        DownloadReport(
            tally: tally, folder: "foxes", elapsed: .milliseconds(1_234), wasInterrupted: isInterrupted,
            retryCommand: "imgscript download -d foxes --retry-failed"
        ).lines(on: terminal)
    }

    @Test func failuresOfAKindAreOneLine() {
        let gone = (1...4).map { DownloadError(.notFound, "gone", subject: "foxes:\($0)", status: 404) }
        let refused = DownloadError(.status, "no", subject: "foxes:9", status: 403)
        #expect(
            Self.lines(Self.tally([refused] + gone, skipped: 2)) == [
                "no files downloaded · 2 existing · 5 failed", "  4 × gone (404): foxes:1, foxes:2, foxes:3 …",
                "  1 × refused (403): foxes:9",
                "hint: imgscript download -d foxes --retry-failed retries the failed downloads",
            ])
    }

    @Test func interruptedRunSaysHowToGoOn() {
        let lines = Self.lines(DownloadTally(), on: .colorless(40), isInterrupted: true)
        #expect(lines.first == "no files downloaded")
        #expect(lines.dropFirst().first?.hasPrefix("hint: run the same command again") == true)
        #expect(lines.flatMap { $0.split(separator: "\n") }.allSatisfy { $0.count < 40 })
    }

    @Test(
        arguments: [
            ([], 0, Commands.ExitStatus.success), ([.notFound], 0, .notFound), ([.notFound], 1, .someFailed),
            ([.auth], 0, .auth),
            ([.notFound, .status], 0, .failure), ([.input], 0, .usage),
        ] as [([DownloadError.Code], Int, Commands.ExitStatus)])
    func exitCode(codes: [DownloadError.Code], skipped: Int, status: Commands.ExitStatus) {
        #expect(Self.tally(codes.map { DownloadError($0, "no") }, skipped: skipped).status == status)
    }

    @Test(
        arguments: [
            ("1000", 1_000), ("500k", 500_000), ("1.5M", 1_500_000), ("2MB/s", 2_000_000), ("1G", 1_000_000_000),
            ("2x", nil),
            ("", nil), ("-5M", nil), ("10", nil), ("1e99", nil), ("nan", nil),
        ] as [(String, Int?)])
    func rate(text: String, bytes: Int?) {
        #expect((try? ByteAmount(text))?.bytes == bytes)
    }
}
