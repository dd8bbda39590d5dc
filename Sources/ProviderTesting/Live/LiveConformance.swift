import HTTPTransport
import ProviderModel
import ProviderRuntime

/// Runs the checks that hold for every item on live responses.
package enum LiveConformance {
    /// Checks that look at items and pages; those that send odd requests are kept from real services.
    private static let checks: [any ConformanceCheck] = [
        PagesCheck(), MediaHostsCheck(), IdentityCheck(), SizesCheck(), MediaKindsCheck(), DatesCheck(),
        MissingValueCheck(), MisspeltFieldsCheck(), ResponseFactsCheck(),
    ]

    /// The live conformance of one file: two pages of a search, one of the feed, and one item's details.
    package static func suite(
        of file: ProviderFile, _ settings: TestSettings, _ service: LiveService
    ) async -> TestReport.Suite {
        await ConformanceSubject.withSubject(file, settings, named: "\(file.id) conformance", isLive: true) {
            recorded, suite in
            let live = try await LiveSubject(recorded, service)
            var subject = recorded
            (subject.recorded, subject.walks, subject.emptyCalls, subject.failingCalls) = ([], [], [], [])
            for (call, pages) in [(live.search, 2), (live.feed, 1)] {
                guard let call else { continue }
                let start = ContinuousClock.now
                let walk = await live.walk(call, pages: pages)
                subject.walks.append(walk)
                suite.cases.append(result(of: walk, took: ContinuousClock.now - start))
            }
            if let call = live.details(after: subject.walks.flatMap { $0.pages.flatMap(\.items) }) {
                let capture = await live.ask(call)
                suite.cases.append(result(of: capture, call))
                if case .success(let result) = capture.result {
                    subject.recorded.append(ConformanceSubject.Recorded(call, result, capture))
                }
            }
            if let first = await PageBeforeFirst.result(of: subject.walks, live) { suite.cases.append(first) }
            for check in checks { suite.cases.append(await check.result(on: subject)) }
        }
    }

    private static func result(of walk: ListingWalk, took duration: Duration) -> TestReport.Case {
        let items = walk.pages.reduce(0) { $0 + $1.items.count }
        return answered(
            walk.call, walk.error, note: "\(items.counted("item")) on \(walk.pages.count.counted("page"))",
            took: duration)
    }

    private static func result(of capture: CallCapture, _ call: ProviderCall) -> TestReport.Case {
        let error: (any Error)? = if case .failure(let error) = capture.result { error } else { nil }
        return answered(call, error, note: nil, took: capture.duration)
    }

    private static func answered(
        _ call: ProviderCall, _ error: (any Error)?, note: String?, took duration: Duration
    ) -> TestReport.Case {
        TestReport.Case(
            "\(call) succeeds", error == nil ? .passed : .failed, note: note,
            problems: error.map { [TestReport.Problem($0, during: "\(call)")] } ?? [], duration: duration)
    }
}

/// Whether the source has a page before the one that is asked for first, as where pages are counted from 0.
private enum PageBeforeFirst {
    static func result(of walks: [ListingWalk], _ live: LiveSubject) async -> TestReport.Case? {
        guard let walk = walks.first(where: { !($0.pages.first?.items.isEmpty ?? true) }), let query = walk.call.query,
            [.page, .page0, .offset].contains(live.provider.manifest.paging)
        else { return nil }
        var next = query
        next.page += 1
        next.offset += query.limit
        guard case .success(let first) = await live.subject.firstRequests(of: walk.call),
            case .success(let second) = await live.subject.firstRequests(of: walk.call.with(next)),
            let asked = first.first?.url, let later = second.first?.url,
            let pair = asked.queryItems.first(where: { pair in
                later.queryItems.contains { $0.name == pair.name && $0.value != pair.value }
            }), let number = Int(pair.value), number > 0
        else { return nil }
        let start = ContinuousClock.now
        let step = live.provider.manifest.paging == .offset ? number : 1
        let capture = await live.ask(walk.call, replacing: pair.name, by: "\(number - step)", in: asked)
        let known = Set(walk.pages.flatMap(\.items).map(\.id))
        let name = "nothing comes before the first page"
        guard case .success(let result) = capture.result, !result.items.isEmpty,
            known.isDisjoint(with: result.items.map(\.id))
        else { return TestReport.Case(name, .passed, duration: ContinuousClock.now - start) }
        let problem = TestReport.Problem(
            "\(walk.call): found \(result.items.count.counted("item")) at \(pair.name)=\(number - step), before the first page",
            hint: "the source counts from 0: paging: 'page0', or send q.offset as it is",
            location: live.subject.requestLocation(of: walk.call.operation))
        return TestReport.Case(name, .failed, problems: [problem], duration: ContinuousClock.now - start)
    }
}

/// The live services: the network, and the user's own keys.
package struct LiveService: Sendable {
    /// Sends requests, with redirects, retries and rate limits.
    package let transport: any Transport
    /// Where keys come from.
    package let credentials: CredentialSource
    /// The day, for what is recorded.
    package let today: CalendarDay
    /// Loads a file of an item, and throws where it is none; nil where files are not loaded.
    package let loadFile: (@Sendable (Media, Item) async throws -> Void)?

    /// Creates a service.
    package init(
        transport: any Transport, credentials: CredentialSource, today: CalendarDay,
        loadFile: (@Sendable (Media, Item) async throws -> Void)? = nil
    ) {
        self.transport = transport
        self.credentials = credentials
        self.today = today
        self.loadFile = loadFile
    }
}

/// A provider that asks the real service: what its cassettes were recorded for, or what any source can be asked.
struct LiveSubject {
    let subject: ConformanceSubject
    let provider: ScriptProvider
    let stub: StubTransport
    let service: LiveService

    /// The file of a subject once more, with the user's keys.
    init(_ subject: ConformanceSubject, _ service: LiveService) async throws {
        self.subject = subject
        self.service = service
        stub = StubTransport()
        provider = try await subject.provider(over: stub, service.credentials)
    }

    /// Asks the service.
    func ask(_ call: ProviderCall, over transport: (any Transport)? = nil) async -> CallCapture {
        let transport = transport ?? service.transport
        return await stub.capture(call, of: provider) { request, _ in try await transport.send(request) }
    }

    /// Asks the service with another value of a query pair in one request.
    func ask(_ call: ProviderCall, replacing name: String, by value: String, in url: WebURL) async -> CallCapture {
        let pairs = url.queryItems.map { (name: $0.name, value: $0.name == name ? value : $0.value) }
        // The same names, and a shorter value.
        let other = (try? WebURL(url.origin + url.path).appending(query: pairs)) ?? url
        let transport = service.transport
        return await stub.capture(call, of: provider) { request, _ in
            var request = request
            if request.url == url { request.url = other }
            return try await transport.send(request)
        }
    }

    /// Asks for up to so many pages of a listing.
    func walk(_ call: ProviderCall, pages: Int, over transport: (any Transport)? = nil) async -> ListingWalk {
        await ListingWalk(of: call, in: provider.manifest, most: pages) { await ask($0, over: transport).result }
    }

    /// The search that is asked: for a text, else the recorded one; nil where neither is known.
    func recordedSearch(for text: String? = nil) -> ProviderCall? {
        let manifest = provider.manifest
        guard manifest.description(of: .search) != nil else { return nil }
        if let text { return ProviderCall(.search(manifest.defaultQuery(for: .search, text: text))) }
        let read = subject.recorded.first { $0.call.operation == .search }?.call
        // A search that no recorded response answers any more is one all the same.
        let unread = subject.unreadCalls.first { $0.call.operation == .search }?.call
        return read ?? unread.flatMap { ProviderCall($0, of: manifest) }
    }

    /// The recorded search, else one for a word that most sources find.
    var search: ProviderCall? { recordedSearch() ?? recordedSearch(for: "coffee") }

    /// The search that nothing matches.
    var emptySearch: ProviderCall? {
        guard provider.manifest.description(of: .search) != nil else { return nil }
        return subject.emptyCalls.first
            ?? ProviderCall(.search(provider.manifest.defaultQuery(for: .search, text: "zzzznothing")))
    }

    var feed: ProviderCall? {
        guard provider.manifest.description(of: .feed) != nil else { return nil }
        return ProviderCall(.feed(provider.manifest.defaultQuery(for: .feed)))
    }

    /// Details of the recorded item where the service has just listed it, else of the first that it has; of the recorded
    /// one where it has listed none.
    func details(after items: [Item]) -> ProviderCall? {
        guard provider.manifest.description(of: .details) != nil else { return nil }
        let known = subject.recorded.filter { $0.call.operation == .details }.map(\.call)
        let listed = Set(items.map(\.id))
        return known.first { listed.contains($0.item?.id ?? "") }
            ?? items.first { $0.type == .image }.map { ProviderCall(.details($0)) } ?? known.first
    }
}
