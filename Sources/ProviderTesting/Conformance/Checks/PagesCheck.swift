import ProviderModel

/// No item comes on two pages of a listing.
struct PagesCheck: ConformanceCheck {
    let name = "pages are disjoint"
    let reason = "An item that comes twice means that another was left out, or that the pages are the same one."

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        let walks = subject.walks.filter { $0.pages.count > 1 }
        guard !walks.isEmpty else { return .skipped("no listing with two recorded pages") }
        var findings = CheckFindings()
        for walk in walks {
            var places: [String: Int] = [:]
            for (index, page) in walk.pages.enumerated() {
                let repeated = page.items.filter { places[$0.id].map { $0 < index } ?? false }
                for item in page.items where places[item.id] == nil { places[item.id] = index }
                guard let first = repeated.first, let place = places[first.id] else { continue }
                findings.fail(
                    TestReport.Problem(
                        "\(walk.call): found \(repeated.count) of the \(page.items.count) items of page \(index + 1) on "
                            + "page \(place + 1) already (\(first.id.quoted)), expected others",
                        hint:
                            "use q.page, q.offset or q.cursor in the request, and check which number the first page has",
                        location: subject.requestLocation(of: walk.call.operation)))
            }
        }
        findings.note = walks.map { "\($0.call): \($0.pages.map { "\($0.items.count)" }.joined(separator: " + "))" }
            .joined(separator: "; ")
        return findings
    }
}
