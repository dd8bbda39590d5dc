import Foundation
import ProviderModel
import Synchronization
import TestSupport

@testable import Downloads

/// One simulation: processes that end anywhere download from a server that fails anyhow, and then one does what is left.
struct DownloadSimulation {
    let seed: UInt64
    private let scenario: DownloadScenario
    private let server: ScriptedServer
    private let folder = SimulationFolder()

    init(seed: UInt64) {
        self.seed = seed
        scenario = DownloadScenario(seed: seed)
        server = ScriptedServer(scenario.files)
    }

    /// The scenario in words.
    var summary: String {
        let options = scenario.options
        let files = scenario.files.map { "\($0.item == nil ? "" : "item ")\($0.path) \($0.name ?? "") \($0.answers)" }
        return """
            \(options.name) \(options.output) \(options.archive) \(options.duplicates) bundle \(options.bundle?.format.rawValue ?? "-") \
            jobs \(options.jobs ?? 0) credits \(options.credits.count) sidecars \(options.writesSidecars)
            \(files.joined(separator: "\n"))
            \(scenario.sessions.map { "\($0.isRetry ? "retry" : "run") \($0.ends) +\($0.days) d" }.joined(separator: "\n"))
            """
    }

    /// What is not as the model says; nothing where all is.
    func violations() async throws -> [String] {
        var time = 1_700_000_000
        for session in scenario.sessions {
            time += session.days * 86_400
            await work(session, at: time)
        }
        server.settle()
        // Long enough for dead links to be asked for again.
        time += 10 * 86_400
        await work(.init(ends: [.none], days: 0), at: time)
        let model = FolderModel(scenario: scenario, folder: folder.path)
        let violations = try model.violations()
        guard violations.isEmpty else { return violations }
        return try await repeated(at: time, model)
    }

    /// Another run changes nothing, and asks for nothing that is there or known to be dead.
    private func repeated(at time: Int, _ model: FolderModel) async throws -> [String] {
        let (requests, before) = (server.requests, try folder.contents())
        await work(.init(ends: [.none], days: 0), at: time + 1)
        var violations = try model.violations().map { "after another run, \($0)" }
        for file in scenario.files where file.isThere || [.status(404), .page].contains(file.answers.last) {
            if server.requests[file.path] != requests[file.path] {
                violations.append("\(file.path) was asked for again")
            }
        }
        for (path, bytes) in try folder.contents() where before[path] != bytes {
            violations.append("\(path) was changed")
        }
        return violations
    }

    private func work(_ session: DownloadScenario.Session, at time: Int) async {
        await withTaskGroup(of: Void.self) { group in
            for end in session.ends { group.addTask { await run(session, SimulatedProcess(end), at: time) } }
        }
    }

    private func run(_ session: DownloadScenario.Session, _ process: SimulatedProcess, at time: Int) async {
        var environment = DownloadRun.Environment(
            resolver: Resolver(), now: { time }, warning: { _ in },
            makeTransport: { ScriptedServer.Connection(server: server, process: process) })
        environment.observer = process
        let run =
            session.isRetry
            ? DownloadRun(retryingIn: folder.path, options: scenario.options, environment)
            : DownloadRun(
                AsyncStream { [inputs = scenario.inputs] stream in
                    stream.yield(inputs)
                    stream.finish()
                }, to: folder.path, options: scenario.options, environment)
        process.onStop { run.stop() }
        // What ended it is part of the simulation; what it left is looked at in the end.
        _ = try? await run.finish()
    }

    /// The images as they are listed.
    private struct Resolver: RequestResolver {
        private static let source: DownloadSource = {
            var manifest = ProviderManifest(id: ProviderID("example")!, name: "Example", version: "1.0.0")
            manifest.mediaHosts = [HostPattern(ScriptedServer.origin)!]
            return DownloadSource(manifest)
        }()

        func resolve(_ inputs: [DownloadInput]) async throws -> [ResolvedInput] {
            try inputs.map { input in
                switch input.subject {
                case .item(let item): .image(item, Self.source)
                case .reference(let text): .file(try WebURL(text), .bareURLs)
                case .unreadable(let reason): .failure(DownloadError(.input, reason), input.subject)
                }
            }
        }

        func details(of item: Item) async throws -> Item { item }

        func images(
            of collection: Item, excluded: @escaping @Sendable (Exclusion, _ count: Int) -> Void
        ) throws -> any AsyncSequence<Item, any Error> & Sendable {
            AsyncThrowingStream { $0.finish() }
        }

        func media(for planned: PlannedFile) async throws -> Media? { nil }
    }
}

/// A folder in memory, where the system has one: databases would wait for the disk.
private final class SimulationFolder: Sendable {
    let path: String

    init() {
        let memory = "/dev/shm"
        let parent =
            FileManager.default.isWritableFile(atPath: memory) ? memory : FileManager.default.temporaryDirectory.path
        path = "\(parent)/imgscript-simulation-\(UUID().uuidString)"
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }  // what is left harms no other

    /// All files but the program's own, with what they hold.
    func contents() throws -> [String: Data?] {
        let paths = FolderListing.allFiles(under: path).filter { !$0.contains("/.imgscript/") }
        return Dictionary(uniqueKeysWithValues: paths.map { ($0, FileManager.default.contents(atPath: $0)) })
    }
}
