import Foundation
import ProviderModel
import TestSupport
import Testing

@testable import ProviderRuntime

@Suite("The status of a source says since when it is broken, and what mends it")
struct SourceStatusTests {
    private static let start = DateTime(iso8601: "2026-09-03T04:00:00Z")!

    private func version(_ number: String, pack: String? = nil) -> ProviderVersion {
        ProviderVersion(provider: number, pack: pack.map { _ in "@anna/boards" }, packVersion: pack)
    }

    private func check(
        _ version: ProviderVersion, _ faults: [SourceStatus.Part] = [], outcome: SourceCheck.Outcome = .answered
    ) -> SourceCheck {
        var check = SourceCheck(of: version, listing: .search)
        check.outcome = outcome
        check.faults = faults.map { .init($0, "no images") }
        return check
    }

    private func status(_ checks: [SourceCheck], hoursApart: Int = 24) -> SourceStatus {
        var status: SourceStatus?
        for (index, check) in checks.enumerated() {
            let time = DateTime(secondsSince1970: Self.start.secondsSince1970 + index * hoursApart * 3_600)
            status = SourceStatus(after: status, check, at: time)
        }
        return status!
    }

    private func known(_ status: SourceStatus, made: String = "2026-11-28T04:00:00Z") -> SourceHealth {
        SourceHealth([StatusReport(made: DateTime(iso8601: made)!, providers: ["boards": status])])
    }

    @Test func dayOfTheFirstFaultIsKept() {
        let status = status([check(version("1.2.0"), [.search]), check(version("1.2.0"), [.search, .details])])
        let fault = known(status).fault(of: "boards", version("1.2.0"))
        #expect(fault?.description == "broken since 3 Sept" && fault?.pack == nil)
        #expect(status.checked == "2026-09-04T04:00:00Z" && status.broken?.parts == [.search, .details])
    }

    @Test func newerVersionThatWorksMendsTheFormerOnes() {
        let status = status([check(version("1.2.0", pack: "1.3.0"), [.search]), check(version("1.3.0", pack: "1.4.0"))])
        let health = known(status)
        for installed in [version("1.2.0", pack: "1.3.0"), version("1.1.9"), version("1.2.0")] {
            let fault = health.fault(of: "boards", installed)
            #expect(fault?.description == "broken since 3 Sept, mended in @anna/boards 1.4.0", "\(installed)")
            #expect(fault?.pack == "@anna/boards")
        }
        for installed in [version("1.3.0", pack: "1.4.0"), version("1.2.1"), version("2.0.0")] {
            #expect(health.fault(of: "boards", installed) == nil, "\(installed)")
        }
    }

    /// A pack may change what its providers share, and not their versions.
    @Test func packsVersionDecidesWhereTheProvidersIsTheSame() {
        let status = status([check(version("1.2.0", pack: "1.3.0"), [.feed]), check(version("1.2.0", pack: "1.4.0"))])
        #expect(status.fault(of: version("1.2.0", pack: "1.3.0"))?.mended?.packVersion == "1.4.0")
        #expect(status.fault(of: version("1.2.0", pack: "1.4.0")) == nil)
    }

    @Test func sourceThatGoesBackIsWholeAgain() {
        let status = status([check(version("1.2.0"), [.search]), check(version("1.2.0"))])
        #expect(status.broken == nil && status.fault(of: version("1.2.0")) == nil)
    }

    @Test func partThatIsBrokenIsNamedAndIsNotTheWhole() {
        let health = known(status([check(version("1.0.0"), [.nextPage, .details])]))
        let fault = health.fault(of: "boards", version("1.0.0"))
        #expect(fault?.description == "next page, details broken since 3 Sept")
        #expect(fault?.fault.isWhole == false)
    }

    @Test func yearIsNamedWhereItIsNotTheReports() {
        let status = status([check(version("1.0.0"), [.search])])
        let fault = known(status, made: "2027-01-02T00:00:00Z").fault(of: "boards", version("1.0.0"))
        #expect(fault?.description == "broken since 3 Sept 2026")
    }

    @Test func sourceThatIsAwayForAnHourIsNotBroken() {
        let away = check(version("1.0.0"), outcome: .unreachable("could not resolve host"))
        #expect(status([away, away], hoursApart: 1).broken == nil)
        let gone = status([away, away], hoursApart: 12)
        #expect(gone.broken?.since == "2026-09-03" && gone.broken?.isWhole == true)
        #expect(status([away, check(version("1.0.0"))]).unreachable == nil)
    }

    @Test func whatIsNotAskedStaysAsItWasKnown() {
        let unasked = check(version("1.1.0"), outcome: .unchecked("a key is required"))
        let status = status([check(version("1.0.0"), [.search]), unasked])
        #expect(status.unchecked == "a key is required" && status.version == version("1.0.0"))
        #expect(status.broken?.since == "2026-09-03" && status.checked == "2026-09-03T04:00:00Z")
    }

    @Test func newestOfSeveralStatusesCounts() {
        let broken = StatusReport(
            made: Self.start, providers: ["boards": status([check(version("1.0.0"), [.search])])])
        let works = StatusReport(
            made: Self.start, providers: ["boards": status([check(version("1.0.0")), check(version("1.0.0"))])])
        for reports in [[broken, works], [works, broken]] {
            #expect(SourceHealth(reports).fault(of: "boards", version("1.0.0")) == nil)
        }
        #expect(SourceHealth([broken]).fault(of: "boards", version("1.0.0")) != nil)
        #expect(SourceHealth([broken]).fault(of: "others", version("1.0.0")) == nil)
    }

    @Test func indexesAndAddressesHaveTheirStatuses() throws {
        let folder = TemporaryFolder()
        let store = StatusStore(stateFolder: folder.path)
        let url = "https://example.org/status.json"
        #expect(store.reports(from: [url]) == [] && store.fetched(from: url) == nil)
        let reports = (0..<3).map { StatusReport(made: DateTime(secondsSince1970: $0)) }
        try store.store(reports[0])
        var fetched = StatusStore.Fetched(url: url)
        fetched.report = reports[1]
        try store.store(fetched)
        try FileManager.default.createDirectory(atPath: "\(folder.path)/indexes", withIntermediateDirectories: true)
        for (name, text) in [
            ("anna.status.json", try reports[2].text), ("broken.status.json", "{"), ("anna.json", "{}"),
        ] {
            try text.write(toFile: "\(folder.path)/indexes/\(name)", atomically: true, encoding: .utf8)
        }
        #expect(store.reports(from: [url]) == reports)
        #expect(store.reports(from: []) == [reports[0], reports[2]])
    }

    @Test func reportComesBackAsItWasWritten() throws {
        let report = StatusReport(
            made: Self.start, providers: ["boards": status([check(version("1.2.0", pack: "1.3.0"), [.file])])])
        #expect(try StatusReport(Array(report.text.utf8), of: "a") == report)
        #expect { try StatusReport(Array(report.text.replacing(": 1,", with: ": 2,").utf8), of: "a.json") } throws: {
            "\($0)" == "a.json is not a valid status: format 2 (expected 1)"
        }
        for text in ["", "[]", "{}", #"{"format": 1}"#, #"{"format": 1, "made": "x", "providers": {}}"#] {
            #expect(throws: ProviderError.self) { try StatusReport(Array(text.utf8), of: "a.json") }
        }
    }
}
