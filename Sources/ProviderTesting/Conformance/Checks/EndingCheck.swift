import ProviderModel

/// A listing that is followed comes to an end.
struct EndingCheck: ConformanceCheck {
    let name = "listings end"
    let reason = "A listing without end asks its source for ever."

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        guard !subject.walks.isEmpty else { return .skipped("no recorded listing") }
        var findings = CheckFindings()
        for walk in subject.walks {
            switch walk.end {
            case .reached: break
            case .unrecorded where walk.goesOnBeyondItsTotal:
                findings.fail(
                    TestReport.Problem(
                        "\(walk.call): found a next page after all of the \(walk.pages.last?.total ?? 0) items that total "
                            + "counts, expected next: null", hint: "give next: null after the last page",
                        location: subject.location(of: walk.call.operation)))
            case .unrecorded where walk.endsAtItsTotal: break
            case .unrecorded(let request):
                findings.warn(
                    TestReport.Problem(
                        "\(walk.call): after \(walk.pages.count.counted("page")) there is \(request)",
                        hint: "record the last page, too, or say where the listing ends with next: null or total"))
            case .endless:
                findings.fail(
                    TestReport.Problem(
                        "\(walk.call): found more than \(ListingWalk.longest) pages, expected an end",
                        hint: "give next: null after the last page",
                        location: subject.location(of: walk.call.operation)))
            case .failed(let error):
                findings.fail(TestReport.Problem(error, during: "\(walk.call), page \(walk.pages.count + 1)"))
            }
        }
        findings.note =
            subject.walks.count.counted("listing") + ", "
            + subject.walks.reduce(0) { $0 + $1.pages.count }.counted("page")
        return findings
    }
}
