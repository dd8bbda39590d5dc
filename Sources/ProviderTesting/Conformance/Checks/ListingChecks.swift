import ProviderModel

/// No item comes on two pages of a listing.
struct PagesCheck: ConformanceCheck {
    let name = "pages are disjoint"
    let reason = "A repeated item means that another one is missing, or that the pages are the same."

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
                    "\(walk.call): found \(repeated.count) of the \(page.items.count) items of page \(index + 1) on "
                        + "page \(place + 1) already (\(first.id.quoted)), expected others",
                    hint:
                        "use q.page, q.offset or q.cursor in the request, and check which number the first page has",
                    location: subject.requestLocation(of: walk.call.operation))
            }
        }
        findings.note = walks.map { "\($0.call): \($0.pages.map { "\($0.items.count)" }.joined(separator: " + "))" }
            .joined(separator: "; ")
        return findings
    }
}

/// A listing that is followed comes to an end.
struct EndingCheck: ConformanceCheck {
    let name = "listings end"
    let reason = "A listing without an end sends requests forever."

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        guard !subject.walks.isEmpty else { return .skipped("no recorded listing") }
        var findings = CheckFindings()
        for walk in subject.walks {
            switch walk.end {
            case .reached: break
            case .unrecorded where walk.goesOnBeyondItsTotal:
                findings.fail(
                    "\(walk.call): found a next page after all \(walk.pages.last?.total ?? 0) items that total "
                        + "counts, expected next: null", hint: "return next: null after the last page",
                    location: subject.location(of: walk.call.operation))
            case .unrecorded where walk.endsAtItsTotal: break
            case .unrecorded where walk.pages.count >= walk.recordedPages ?? .max: break
            case .unrecorded(let request):
                findings.warn(
                    "\(walk.call): after \(walk.pages.count.counted("page")) there is \(request)",
                    hint: .several([
                        .recordCall(subject.toRecord(walk.call, allPages: true), file: subject.provider.file.path),
                        "or say that the rest is left out: \"pages\": \(walk.pages.count) beside the call's operation",
                    ]))
            case .endless:
                findings.fail(
                    "\(walk.call): found more than \(ListingWalk.longest) pages, expected an end",
                    hint: "return next: null after the last page",
                    location: subject.location(of: walk.call.operation))
            case .failed(let error):
                findings.fail(error, during: "\(walk.call), page \(walk.pages.count + 1)")
            }
        }
        findings.note =
            subject.walks.count.counted("listing") + ", "
            + subject.walks.reduce(0) { $0 + $1.pages.count }.counted("page")
        return findings
    }
}

/// A search that nothing matches gives an empty page and no more.
struct EmptyPageCheck: ConformanceCheck {
    let name = "no results are an empty page"
    let reason = "\"Nothing matches\" is a result, not an error, and the last page."

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        guard !subject.emptyCalls.isEmpty else {
            return .skipped("no recorded search without results (cassettes/\(subject.manifest.id)/empty.json)")
        }
        var findings = CheckFindings()
        for call in subject.emptyCalls {
            let place = subject.location(of: call.operation)
            switch await subject.play(call).result {
            case .failure(let error):
                findings.fail(
                    error, during: "\(call): found an error, expected an empty page",
                    hint: "return { items: [] }", at: place)
            case .success(let result):
                if !result.items.isEmpty {
                    findings.fail(
                        "\(call): found \(result.items.count.counted("item")), expected none", location: place)
                } else if let page = result.page, let query = call.query, case .cursor = page.next,
                    ListingWalk.next(after: page, of: query, in: subject.manifest) != nil
                {
                    findings.fail(
                        "\(call): found an empty page with next \(page.next), expected the end",
                        hint: "return next: null if there are no more items", location: place)
                }
            }
        }
        return findings
    }
}
