import HTTPTransport
import ProviderModel
import ProviderRuntime

/// A provider under test: its script in a worker of its own, its cassettes, and what is known of both.
package struct ConformanceSubject: Sendable {
    /// A call that the cassettes answer, with what came of it.
    package struct Recorded: Sendable {
        package var call: ProviderCall
        package var result: ProviderCall.Result
        var requests: [TransportRequest]
        var answers: [TransportResponse]
        var duration: Duration
    }

    package let provider: ScriptProvider
    package let stub: StubTransport
    /// What the provider runs in, for another one beside it.
    let environment: ScriptProvider.Environment
    /// What the script writes with `console`.
    let log: ScriptLog
    package let cassettes: [Cassette]
    /// What the cassettes hold, to be looked up.
    let entries: RecordedEntries
    package let settings: ConformanceSettings
    /// The script's process; nil when it cannot be told.
    let worker: Int32?
    /// The server in use, for software that runs on many.
    package let instance: WebURL?
    /// Calls that succeed over the cassettes; of a listing the first page.
    package var recorded: [Recorded] = []
    /// The listings among them, walked to their end.
    package var walks: [ListingWalk] = []
    /// Searches that were recorded because nothing matches them.
    var emptyCalls: [ProviderCall] = []
    /// Calls whose recorded answers are good, and that fail all the same.
    package var unreadCalls: [(call: ProviderCall, error: any Error)] = []
    /// Calls that were recorded because they fail.
    var failingCalls: [(call: ProviderCall, status: Int)] = []

    package var manifest: ProviderManifest { provider.manifest }

    /// Runs a call over the cassettes.
    func play(_ call: ProviderCall) async -> StubTransport.CallCapture<ProviderCall.Result> {
        let cassette = CassetteTransport(entries, playback: .repeated, onUse: settings.uses?.note)
        return await stub.perform({ request, _ in try await cassette.send(request) }) {
            try await call.run(on: provider)
        }
    }

    /// Runs a call over the cassettes, with one answer changed on its way.
    func play(
        _ call: ProviderCall, changing index: Int,
        _ change: @escaping @Sendable (TransportResponse) -> TransportResponse
    ) async -> StubTransport.CallCapture<ProviderCall.Result> {
        let cassette = CassetteTransport(entries, playback: .repeated, onUse: settings.uses?.note)
        return await stub.perform({ request, number in
            let response = try await cassette.send(request)
            return number == index ? change(response) : response
        }) { try await call.run(on: provider) }
    }

    /// The requests a call begins with, in an order of their own; the error, where it makes none.
    func firstRequests(of call: ProviderCall) async -> Result<[TransportRequest], any Error> {
        let take = await stub.perform({ _, _ in throw ProbeEnd() }) { try await call.run(on: provider) }
        guard take.requests.isEmpty else { return .success(take.requests.sorted { $0.wire < $1.wire }) }
        switch take.result {
        case .success: return .success([])
        case .failure(let error): return .failure(error)
        }
    }

    /// A call of each listing and of details: a recorded one, else what can be asked without knowing the source.
    var sampleCalls: [ProviderCall] {
        Operation.allCases.compactMap { operation -> ProviderCall? in
            if let known = recorded.first(where: { $0.call.operation == operation }) { return known.call }
            guard manifest.description(of: operation) != nil else { return nil }
            switch operation {
            case .search: return ProviderCall(.search(manifest.standardQuery(for: .search, text: "coffee")))
            case .feed: return ProviderCall(.feed(manifest.standardQuery(for: .feed)))
            default: return nil
            }
        }
    }

    /// Where an operation stands in the provider's file.
    package func location(of operation: Operation) -> SourceLocation? { manifest.description(of: operation)?.location }

    /// Where an operation makes its requests.
    package func requestLocation(of operation: Operation) -> SourceLocation? {
        manifest.description(of: operation)?.requestLocation ?? location(of: operation)
    }

    /// Every item of every recorded answer, with the call it came from.
    package var recordedItems: [(call: ProviderCall, index: Int, item: Item)] {
        let walked = walks.flatMap { walk in
            walk.pages.flatMap(\.items).enumerated().map { (walk.call, $0.offset, $0.element) }
        }
        let single = recorded.filter { $0.call.operation == .details }.flatMap { known in
            known.result.items.enumerated().map { (known.call, $0.offset, $0.element) }
        }
        return walked + single
    }
}

extension TransportRequest {
    /// Everything that a server sees of it but the credentials.
    var wire: String {
        let lines = headers.map { "\($0.name.canonicalName): \($0.value)" }.joined(separator: "\n")
        return "\(method.rawValue) \(url)\n\(lines)\n\n" + String(decoding: body, as: UTF8.self)
    }
}
