import ProviderModel

/// Ids tell items apart and stay the same from one operation to the next.
struct IdentityCheck: ConformanceCheck {
    let name = "ids are unique and stable"
    let reason = "Archives, details and links remember items by id."

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        guard !subject.recordedItems.isEmpty else { return .skipped("no recorded items") }
        var findings = CheckFindings()
        for walk in subject.walks {
            for (number, page) in walk.pages.enumerated() {
                checkUnique(page, number, of: walk.call, on: subject, &findings)
            }
        }
        for known in subject.recorded {
            if case .details(let asked) = known.call.action, let found = known.result.items.first {
                checkSame(asked, found, on: subject, &findings)
            }
        }
        checkTwins(on: subject, &findings)
        findings.note = subject.recordedItems.count.counted("item")
        return findings
    }

    private func checkUnique(
        _ page: Page, _ number: Int, of call: ProviderCall, on subject: ConformanceSubject,
        _ findings: inout CheckFindings
    ) {
        var places: [String: Int] = [:]
        for (index, item) in page.items.enumerated() {
            let path = "items[\(index)].id"
            let place = subject.location(of: call.operation)
            if let first = places[item.id] {
                findings.fail(
                    TestReport.Problem(
                        "\(call), page \(number + 1): found the id \(item.id.quoted) at items[\(first)] already, expected another",
                        hint: "an item with several images needs an id for each", location: place, path: path))
            }
            places[item.id] = index
            let hasEdges = item.id.first?.isWhitespace == true || item.id.last?.isWhitespace == true
            if hasEdges || item.id.contains(where: \.isNewline) {
                findings.fail(
                    TestReport.Problem(
                        "\(call): found the id \(item.id.quoted), expected no white space around it", hint: "trim it",
                        location: place, path: path))
            }
        }
    }

    /// The item that details give is the one they were asked for, by an id that a listing gives.
    private func checkSame(
        _ asked: Item, _ found: Item, on subject: ConformanceSubject, _ findings: inout CheckFindings
    ) {
        let isListed = subject.walks.contains { $0.pages.contains { $0.items.contains { $0.id == asked.id } } }
        guard isListed, asked.id != found.id else { return }
        findings.fail(
            TestReport.Problem(
                "details of \(asked.id.quoted): found the id \(found.id.quoted), expected the same",
                hint: "make ids the same way in listings and details", location: subject.location(of: .details),
                path: "id"))
    }

    /// Items of one page URL and one file are one item, whatever listing they come in.
    private func checkTwins(on subject: ConformanceSubject, _ findings: inout CheckFindings) {
        var ids: [String: (id: String, call: ProviderCall)] = [:]
        for (call, _, item) in subject.recordedItems {
            guard let page = item.page, let file = item.media.first?.url, item.type == .image else { continue }
            let key = "\(page) \(file)"
            if let twin = ids[key], twin.id != item.id, twin.call.operation != call.operation {
                findings.warn(
                    TestReport.Problem(
                        "found one file at one page under two ids: \(twin.id.quoted) in \(twin.call), \(item.id.quoted) in \(call)",
                        hint: "make ids the same way everywhere", location: subject.location(of: call.operation)))
            }
            ids[key] = (item.id, call)
        }
    }
}
