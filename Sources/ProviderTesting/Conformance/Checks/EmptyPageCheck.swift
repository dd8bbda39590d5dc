import ProviderModel

/// A search that nothing matches gives an empty page and no more.
struct EmptyPageCheck: ConformanceCheck {
    let name = "nothing found is an empty page"
    let reason = "“Nothing matches” is an answer, not an error, and there is no page after it."

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        guard !subject.emptyCalls.isEmpty else {
            return .skipped("no recorded search that nothing matches (cassettes/\(subject.manifest.id)/empty.json)")
        }
        var findings = CheckFindings()
        for call in subject.emptyCalls {
            let place = subject.location(of: call.operation)
            switch await subject.play(call).result {
            case .failure(let error):
                findings.fail(
                    TestReport.Problem(
                        error, during: "\(call): found an error, expected an empty page",
                        hint: "return { items: [] }", at: place))
            case .success(let result):
                if !result.items.isEmpty {
                    findings.fail(
                        TestReport.Problem(
                            "\(call): found \(result.items.count.counted("item")), expected none", location: place)
                    )
                } else if let page = result.page, let query = call.query, case .cursor = page.next,
                    ListingWalk.next(after: page, of: query, in: subject.manifest) != nil
                {
                    findings.fail(
                        TestReport.Problem(
                            "\(call): found an empty page with next \(page.next), expected the end",
                            hint: "give next: null where there is nothing", location: place))
                }
            }
        }
        return findings
    }
}
