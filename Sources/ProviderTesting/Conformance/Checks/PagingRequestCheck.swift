import HTTPTransport
import ProviderModel

/// The second page has another request than the first, and the first page is the first.
struct PagingRequestCheck: ConformanceCheck {
    let name = "the second page has its own request"
    let reason = "A page number that is not sent, or has another name, gives the first page again and again."

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        guard subject.manifest.paging != .none, !subject.recorded.isEmpty else {
            return .skipped(subject.recorded.isEmpty ? "no recorded listing" : "listings have one page")
        }
        var findings = CheckFindings()
        for known in subject.recorded {
            guard let query = known.call.query, let page = known.result.page, query.page == 1,
                let next = ListingWalk.next(after: page, of: query, in: subject.manifest)
                    ?? Self.counted(query, after: page, subject),
                case .success(let requests) = await subject.firstRequests(of: known.call.with(next)),
                let first = known.requests.first, let second = requests.first
            else { continue }
            // A script may take another part of the same response for each page.
            if first.wire == second.wire, await !givesTheSame(next, as: known, on: subject) { continue }
            check(first, second, known, on: subject, &findings)
        }
        return findings
    }

    /// Whether the second page has the items of the first.
    private func givesTheSame(
        _ next: ProviderQuery, as known: ConformanceSubject.Recorded, on subject: ConformanceSubject
    ) async -> Bool {
        guard case .success(let second) = await subject.play(known.call.with(next)).result, !second.items.isEmpty else {
            return false
        }
        return second.items.map(\.id) == known.result.items.map(\.id)
    }

    /// The second page of a listing that the host counts, whether or not there is one.
    private static func counted(
        _ query: ProviderQuery, after page: Page, _ subject: ConformanceSubject
    ) -> ProviderQuery? {
        guard [.page, .page0, .offset].contains(subject.manifest.paging), case .counted = page.next else { return nil }
        var next = query
        next.page += 1
        next.offset += query.limit
        return next
    }

    private func check(
        _ first: TransportRequest, _ second: TransportRequest, _ known: ConformanceSubject.Recorded,
        on subject: ConformanceSubject, _ findings: inout CheckFindings
    ) {
        let location = subject.requestLocation(of: known.call.operation)
        guard first.wire != second.wire else {
            findings.fail(
                "\(known.call): found the same request for the second page, expected another one",
                hint: "send q.page, q.offset or q.cursor; a listing with one page has paging: 'none'",
                location: location)
            return
        }
        let sent = Set(second.url.queryItems.map(\.name))
        let before = Dictionary(
            first.url.queryItems.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        let moving = second.url.queryItems.filter { before[$0.name] != $0.value }
        if let told = ResponseFacts(known.answers).links.first(where: { $0.path == second.url.path }) {
            // What the link has and the first request had not is what leads on.
            let leading = told.queryItems.filter { before[$0.name] != $0.value }.map(\.name)
            let missing = leading.filter { name in !sent.contains(name) }
            if !missing.isEmpty, moving.allSatisfy({ !leading.contains($0.name) }) {
                findings.fail(
                    "\(known.call): found \(moving.map(\.name).listed) in the request of the second page, expected "
                        + "\(missing.listed), as the response's link to it has",
                    hint: "rename the parameter", location: location)
            }
        }
        for pair in moving where [.page, .page0].contains(subject.manifest.paging) {
            guard let number = before[pair.name].flatMap({ Int($0) }), Int(pair.value) == number + 1, number > 1 else {
                continue
            }
            findings.fail(
                "\(known.call): found \(pair.name)=\(number) in the request of the first page, expected 0 or 1",
                hint: "send q.page as it is; with paging: 'page0' it begins with 0", location: location)
        }
    }
}

extension [String] {
    /// `` `page`, `size` ``.
    fileprivate var listed: String { isEmpty ? "no parameter" : map { "`\($0)`" }.joined(separator: ", ") }
}
