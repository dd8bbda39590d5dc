import HTTPTransport
import ProviderModel
import ProviderRuntime
import Synchronization

/// A provider under test: its script in its own worker, its cassettes, and the results of the recorded calls.
package struct ConformanceSubject: Sendable {
    /// A call that the cassettes answer, with what came of it.
    package struct Recorded: Sendable {
        package var call: ProviderCall
        package var result: ProviderCall.Result
        var requests: [TransportRequest]
        var answers: [TransportResponse]
        var duration: Duration

        init(_ call: ProviderCall, _ result: ProviderCall.Result, _ capture: CallCapture) {
            self.call = call
            self.result = result
            requests = capture.requests
            answers = capture.answers
            duration = capture.duration
        }
    }

    package let provider: ScriptProvider
    package let stub: StubTransport
    /// What the provider runs in, for another one beside it.
    let environment: ScriptProvider.Environment
    /// What the script writes with `console`.
    let log: ScriptLog
    /// The lines that it wrote while it read the recorded answers.
    private(set) var recordedLines: [String] = []
    /// The recorded answers.
    package let library: CassetteLibrary
    package let settings: TestSettings
    /// The script's process; nil when it is not known.
    let worker: Int32?
    /// The server in use, for software that runs on many.
    package let instance: WebURL?
    /// Calls that succeed over the cassettes; of a listing the first page.
    package internal(set) var recorded: [Recorded] = []
    /// The listings among them, walked to their end.
    package internal(set) var walks: [ListingWalk] = []
    /// Searches that were recorded because nothing matches them.
    var emptyCalls: [ProviderCall] = []
    /// Calls whose recorded answers are good, and that fail all the same; also those whose requests have none.
    package internal(set) var unreadCalls: [(call: RecordedCall, error: any Error)] = []
    /// Calls that were recorded because they fail.
    var failingCalls: [(call: ProviderCall, status: Int)] = []

    package var manifest: ProviderManifest { provider.manifest }

    // MARK: Loading

    /// Runs a suite over a file's subject; a file that cannot be used is the suite's one failure.
    package static func withSubject(
        _ file: ProviderFile, _ settings: TestSettings, named name: String, isLive: Bool = false,
        _ work: (ConformanceSubject, inout TestReport.Suite) async throws -> Void
    ) async -> TestReport.Suite {
        let start = ContinuousClock.now
        var suite = TestReport.Suite(name, provider: file.id.description, folder: file.folder, isLive: isLive)
        let log = ScriptLog()
        let pool = WorkerPool(settings: settings.workerSettings(of: file, log: log))
        do {
            var subject = try await ConformanceSubject(file, settings, pool: pool, log: log)
            await subject.runRecordedCalls()
            try await work(subject, &suite)
        } catch {
            suite.cases.append(TestReport.Case(failed: "the file loads", error, output: log.lines))
        }
        await pool.close()
        suite.duration = ContinuousClock.now - start
        return suite
    }

    private init(
        _ file: ProviderFile, _ settings: TestSettings, pool: WorkerPool, log: ScriptLog
    ) async throws {
        let library = try settings.library(of: file)
        let stub = StubTransport()
        var environment = ScriptProvider.Environment(pool: pool, transport: stub, credentials: .none)
        environment.instance = try settings.instance.map { text throws(TransportError) in try WebURL(server: text) }
        environment.recordedInstance = { _ in library.origin }
        let others = WorkerMemory.workers()
        let provider = try await ScriptProvider(file, in: environment)
        self.provider = provider
        worker = WorkerMemory.workers().subtracting(others).max()
        self.stub = stub
        self.environment = environment
        self.log = log
        self.library = library
        self.settings = settings
        instance = environment.instance(of: provider.manifest)
    }

    /// The same file in a provider of its own, with other answers and keys.
    func provider(over stub: StubTransport, _ credentials: CredentialSource) async throws -> ScriptProvider {
        var other = ScriptProvider.Environment(pool: environment.pool, transport: stub, credentials: credentials)
        other.instance = environment.instance
        other.recordedInstance = environment.recordedInstance
        return try await ScriptProvider(provider.file, in: other)
    }

    // MARK: Recorded calls

    /// Makes every call that the cassettes name, listings first: their items are what details are asked of.
    private mutating func runRecordedCalls() async {
        var items: [String: Item] = [:]
        let recordings = library.recordings
        for operation in [ProviderOperation.search, .feed, .collection, .similar, .details, .download] {
            guard manifest.description(of: operation) != nil else { continue }
            for recording in recordings where recording.call.operation == operation {
                await run(recording, listed: &items)
            }
        }
        recordedLines = log.lines
    }

    /// Makes a call and files it under what it shows.
    private mutating func run(
        _ recording: CassetteLibrary.Recording, listed items: inout [String: Item]
    ) async {
        guard let (call, capture) = await play(recording.call, listed: recording.call.item.flatMap { items[$0] })
        else {
            unreadCalls.append((recording.call, UnlistedItem()))
            return
        }
        switch capture.result {
        case .success(let result):
            if recording.cassette == "empty" {
                emptyCalls.append(call)
            } else if recording.cassette == "errors" {
                failingCalls.append((call, recording.status))
            } else {
                recorded.append(Recorded(call, result, capture))
                let found =
                    if result.page == nil { result.items } else { await walk(call, recording.call, from: result) }
                for item in found where items[item.id] == nil { items[item.id] = item }
            }
        case .failure(let error):
            if error is UnmatchedRequest {
                unreadCalls.append((recording.call, error))
            } else if recording.cassette == "empty" {
                emptyCalls.append(call)
            } else if recording.cassette != "errors", recording.status == 200, Self.isFault(error) {
                unreadCalls.append((recording.call, error))
            } else {
                failingCalls.append((call, recording.status))
            }
        }
    }

    /// Makes a recorded call; an item is asked of by its id alone, else as a listing has shown it.
    private func play(_ recorded: RecordedCall, listed: Item?) async -> (ProviderCall, CallCapture)? {
        if let call = ProviderCall(recorded, of: manifest) {
            let capture = await play(call)
            guard listed != nil, case .failure(let error) = capture.result, error is UnmatchedRequest else {
                return (call, capture)
            }
        }
        guard let listed, let call = ProviderCall(recorded, listed: listed, of: manifest) else { return nil }
        return (call, await play(call))
    }

    /// Whether an error is the script's and not one that the source gave.
    private static func isFault(_ error: any Error) -> Bool {
        guard let error = error as? ProviderError else { return true }
        return [.script, .result, .changed, .worker, .timeout, .memory].contains(error.code)
    }

    /// Follows a listing as far as there are recorded answers; all of its items.
    private mutating func walk(
        _ call: ProviderCall, _ recorded: RecordedCall, from first: ProviderCall.Result
    ) async -> [Item] {
        var walk = await ListingWalk(of: call, in: manifest, first: first.page, most: ListingWalk.longest) { call in
            await play(call).result
        }
        walk.recordedPages = recorded.pages
        walks.append(walk)
        return walk.pages.flatMap(\.items)
    }

    // MARK: Making calls

    /// Makes a call over the cassettes, with the answer of one request changed on its way where that is asked for.
    func play(
        _ call: ProviderCall, changing index: Int? = nil,
        _ change: @escaping @Sendable (TransportResponse) -> TransportResponse = { $0 }
    ) async -> CallCapture {
        let cassette = ReplayTransport(library, onUse: settings.uses?.note)
        return await stub.capture(call, of: provider) { request, number in
            let response = try await cassette.send(request)
            return number == index ? change(response) : response
        }
    }

    /// The requests a call begins with, in an order of their own; the error, where it makes none.
    package func firstRequests(of call: ProviderCall) async -> Result<[TransportRequest], any Error> {
        let capture = await stub.capture(call, of: provider) { _, _ in throw ProbeEnd() }
        guard capture.requests.isEmpty else { return .success(capture.requests.sorted { $0.wire < $1.wire }) }
        return capture.result.map { _ in [] }
    }

    /// A call of each listing and of details: a recorded one, else what can be asked without knowing the source.
    var sampleCalls: [ProviderCall] {
        ProviderOperation.allCases.compactMap { operation -> ProviderCall? in
            if let known = recorded.first(where: { $0.call.operation == operation }) { return known.call }
            guard manifest.description(of: operation) != nil else { return nil }
            switch operation {
            case .search: return ProviderCall(.search(manifest.defaultQuery(for: .search, text: "coffee")))
            case .feed: return ProviderCall(.feed(manifest.defaultQuery(for: .feed)))
            default: return nil
            }
        }
    }

    /// A call for a hint on recording it.
    func toRecord(_ call: ProviderCall, allPages: Bool = false) -> Hint.CallToRecord {
        toRecord(call.recorded(of: manifest), allPages: allPages)
    }

    /// A recorded call for a hint on recording it once more.
    package func toRecord(_ call: RecordedCall, allPages: Bool = false) -> Hint.CallToRecord {
        call.toRecord(pageSize: manifest.limits.pageSize.default, allPages: allPages)
    }

    /// Where an operation stands in the provider's file.
    package func location(of operation: ProviderOperation) -> SourceLocation? {
        manifest.description(of: operation)?.location
    }

    /// Where an operation makes its requests.
    package func requestLocation(of operation: ProviderOperation) -> SourceLocation? {
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

/// A download was recorded of an item that no recorded answer shows with its files.
private struct UnlistedItem: Error, CustomStringConvertible {
    var description: String { "found no recorded response with this item and its files, expected one" }
}

extension TransportRequest {
    /// Everything that a server sees of it but the credentials.
    var wire: String {
        let lines = headers.map { "\($0.name.canonicalName): \($0.value)" }.joined(separator: "\n")
        return "\(method.rawValue) \(url)\n\(lines)\n\n" + String(decoding: body, as: UTF8.self)
    }
}

/// The lines that scripts write with `console`, up to a limit.
final class ScriptLog: Sendable {
    /// The maximum number of lines of one test.
    static let limit = 500

    private let kept = Mutex<[String]>([])

    /// Adds a line while there is space.
    func add(_ line: String) {
        kept.withLock { lines in
            if lines.count < Self.limit { lines.append(line) }
            if lines.count == Self.limit { lines.append("console: further output was dropped") }
        }
    }

    /// The lines, in order.
    var lines: [String] { kept.withLock { $0 } }

    /// The lines since this was asked last.
    func take() -> [String] {
        kept.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }
}
