import HTTPTransport
import ProviderRuntime
import ProviderModel

/// A provider that asks the real service: what its cassettes were recorded for, or what any source can be asked.
struct LiveSubject {
    let subject: ConformanceSubject
    let provider: ScriptProvider
    let stub: StubTransport
    private let service: LiveService

    /// The file of a subject once more, with the user's keys.
    init(_ subject: ConformanceSubject, _ service: LiveService) async throws {
        self.subject = subject
        self.service = service
        stub = StubTransport()
        var environment = ScriptProvider.Environment(
            pool: subject.environment.pool, transport: stub, credentials: service.credentials)
        environment.instance = subject.environment.instance
        environment.recordedInstance = subject.environment.recordedInstance
        provider = try await ScriptProvider(subject.provider.file, in: environment)
    }

    /// Asks the service.
    func ask(_ call: ProviderCall, over transport: (any Transport)? = nil) async -> StubTransport.CallCapture<ProviderCall.Result> {
        let transport = transport ?? service.transport
        return await stub.perform({ request, _ in try await transport.send(request) }) {
            try await call.run(on: provider)
        }
    }

    /// Asks for up to so many pages of a listing.
    func walk(_ call: ProviderCall, pages: Int, over transport: (any Transport)? = nil) async -> ListingWalk {
        var walk = ListingWalk(call: call, pages: [], end: .reached)
        guard var query = call.query else { return walk }
        while walk.pages.count < pages {
            switch await ask(call.with(query), over: transport).result {
            case .failure(let error):
                walk.end = .failed(error)
                return walk
            case .success(let result):
                guard let page = result.page else { return walk }
                walk.pages.append(page)
                guard let next = ListingWalk.next(after: page, of: query, in: provider.manifest) else { return walk }
                query = next
            }
        }
        return walk
    }

    /// The search that is asked: the recorded one, else a common word.
    var search: ProviderCall? {
        guard provider.manifest.description(of: .search) != nil else { return nil }
        return subject.recorded.first { $0.call.operation == .search }?.call
            ?? ProviderCall(.search(provider.manifest.standardQuery(for: .search, text: "coffee")))
    }

    /// The search that nothing matches.
    var emptySearch: ProviderCall? {
        guard provider.manifest.description(of: .search) != nil else { return nil }
        return subject.emptyCalls.first
            ?? ProviderCall(.search(provider.manifest.standardQuery(for: .search, text: "zzzznothing")))
    }

    var feed: ProviderCall? {
        guard provider.manifest.description(of: .feed) != nil else { return nil }
        return ProviderCall(.feed(provider.manifest.standardQuery(for: .feed)))
    }

    /// Details of a recorded item, else of the first that the service has just given.
    func details(after items: [Item]) -> ProviderCall? {
        guard provider.manifest.description(of: .details) != nil else { return nil }
        return subject.recorded.first { $0.call.operation == .details }?.call
            ?? items.first { $0.type == .image }.map { ProviderCall(.details($0)) }
    }
}
