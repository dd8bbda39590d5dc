import Foundation
import HTTPTransport
import ProviderModel
import Synchronization
import TestSupport
import Testing

@testable import Downloads

/// The record of failures of a folder, over several runs.
@Suite struct FailedDownloadsTests {
    private let rig = FailureRig()

    @Test func failureIsListedOnceWithItsReasonAndTheNumberOfAttempts() async throws {
        rig.answers = ["/1.jpg": 503, "/2.jpg": 404]
        try await rig.run(["/1.jpg", "/2.jpg", "/3.jpg"])
        rig.time += 60
        try await rig.run(["/1.jpg", "/2.jpg", "/3.jpg"])
        let lines = try rig.listed()
        #expect(lines.map { $0["url"]?.textValue } == ["/1.jpg", "/2.jpg"].map { rig.origin + $0 })
        let failed = lines.compactMap { $0["failed"] }
        #expect(failed.map { $0["code"]?.textValue } == ["status", "notFound"])
        #expect(failed.map { $0["reason"]?.textValue } == ["server error (503)", "gone (404)"])
        #expect(failed.map { $0["status"]?.integerValue } == [503, 404])
        #expect(failed.map { $0["attempts"]?.integerValue } == [2, 1])
        #expect(failed.first?["time"]?.textValue == "2023-11-14T22:14:20Z")
        #expect(failed.first?["message"]?.textValue?.contains("answered 503 for \"/1.jpg\"") == true)
    }

    @Test func fileThatComesIsTakenOffTheList() async throws {
        rig.answers = ["/1.jpg": 503, "/2.jpg": 503]
        try await rig.run(["/1.jpg", "/2.jpg"])
        rig.answers = ["/2.jpg": 503]
        try await rig.run(["/1.jpg"])
        #expect(try rig.listed().map { $0["url"]?.textValue } == [rig.origin + "/2.jpg"])
        rig.answers = [:]
        try await rig.run(["/2.jpg"])
        #expect(!rig.hasList)
    }

    @Test func deadLinkIsAskedForAgainWhenItIsOld() async throws {
        rig.answers = ["/1.jpg": 404]
        try await rig.run(["/1.jpg", "/2.jpg"])
        rig.time += 6 * 86_400
        let soon = try await rig.run(["/1.jpg", "/2.jpg"])
        #expect(soon.failedBefore == 1 && soon.skipped == 1 && soon.done == 2)
        #expect(rig.requests("/1.jpg") == 1)
        rig.time += 2 * 86_400
        let later = try await rig.run(["/1.jpg", "/2.jpg"])
        #expect(later.failed == 1 && later.failedBefore == 0)
        #expect(rig.requests("/1.jpg") == 2)
        rig.options.deadLinkAge = .zero
        try await rig.run(["/1.jpg"])
        #expect(rig.requests("/1.jpg") == 3)
    }

    @Test func deadLinkIsAskedForOnceInARun() async throws {
        rig.answers = ["/1.jpg": 404]
        let tally = try await rig.run(["/1.jpg"] + (2...400).map { "/\($0).jpg" } + ["/1.jpg"])
        #expect(tally.failed == 1 && tally.failedBefore == 1)
    }

    @Test func whatMayPassIsAskedForInEachRun() async throws {
        rig.answers = ["/1.jpg": 403]
        for _ in 1...3 { try await rig.run(["/1.jpg"]) }
        #expect(rig.requests("/1.jpg") == 3)
    }

    @Test func retryAsksForAllThatFailedAndForNothingElse() async throws {
        rig.answers = ["/1.jpg": 404, "/2.jpg": 503, "/3.jpg": 404]
        try await rig.run((1...4).map { "/\($0).jpg" })
        rig.answers = ["/3.jpg": 404]
        let tally = try await rig.retry()
        #expect(tally.finished == 2 && tally.failed == 1)
        #expect(rig.requests("/4.jpg") == 1)
        let left = try rig.listed()
        #expect(left.map { $0["failed"]?["attempts"]?.integerValue } == [2])
        rig.answers = [:]
        #expect(try await rig.retry().finished == 1)
        #expect(!rig.hasList)
        #expect(try await rig.retry().done == 0)
    }

    @Test func removedListIsForgotten() async throws {
        rig.answers = ["/1.jpg": 404]
        try await rig.run(["/1.jpg"])
        try FileManager.default.removeItem(atPath: rig.listPath)
        #expect(try await rig.plan(["/1.jpg"]).failedBefore == 0)
        #expect(try await rig.run(["/1.jpg"]).failed == 1)
        #expect(try rig.listed().map { $0["failed"]?["attempts"]?.integerValue } == [1])
    }

    @Test func listCanBeReadAsInput() async throws {
        rig.answers = ["/1.jpg": 503]
        try await rig.run(["/1.jpg", "/2.jpg"], references: ["example:gone"])
        var inputs: [DownloadInput] = []
        for try await batch in DownloadInputList(path: rig.listPath) { inputs += batch }
        #expect(Set(inputs.map(\.subject)) == [.reference(rig.origin + "/1.jpg"), .reference("example:gone")])
    }

    @Test func imageThatItsSourceDoesNotHaveIsLookedUpOnce() async throws {
        try await rig.run([], references: ["example:gone"])
        #expect(try await rig.run([], references: ["example:gone"]).failedBefore == 1)
        #expect(rig.lookups == ["gone"])
        #expect(try await rig.retry().failed == 1)
        #expect(rig.lookups == ["gone", "gone"])
    }

    @Test func planShowsDeadLinksAndChangesNothing() async throws {
        rig.answers = ["/1.jpg": 404]
        try await rig.run(["/1.jpg"])
        let before = try rig.listed()
        let plan = try await rig.plan(["/1.jpg", "/2.jpg"])
        #expect(plan.failedBefore == 1 && plan.finished == 1)
        #expect(try rig.listed() == before)
    }

    @Test func failuresAreKnownWithoutAnArchiveToo() async throws {
        rig.options.archive = .none
        rig.options.credits = []
        try await rig.run(["/2.jpg"])
        #expect(!FileManager.default.fileExists(atPath: rig.folder.path + "/.imgscript"))
        rig.answers = ["/1.jpg": 404]
        try await rig.run(["/1.jpg"])
        #expect(try await rig.run(["/1.jpg", "/2.jpg"]).failedBefore == 1)
    }

    @Test func totalsNeverRunAheadOfTheEventsThatWereRead() async throws {
        rig.answers = ["/3.jpg": 404]
        let run = try rig.makeRun((1...200).map { "/\($0).jpg" } + ["/1.jpg"])
        var ended = 0
        for try await event in run {
            switch event {
            case .finished, .skipped, .failed: ended += 1
            default: break
            }
            #expect(run.tally.done == ended)
        }
        #expect(run.tally.done == 201)
    }
}

/// Runs over a folder whose server answers as the test says.
private final class FailureRig: Sendable {
    private struct State {
        var time = 1_700_000_000
        var options = DownloadOptions()
        var lookups: [String] = []
    }

    let folder = TemporaryFolder()
    private let server: LoopbackServer
    private let shared: SharedAnswers
    private let state = Mutex(State())

    init() {
        let shared = SharedAnswers()
        server = try! LoopbackServer { request in
            if let status = shared.status(of: request.path) { return .answer(status, text: "no") }
            return .answer(body: ImageBytes.png() + Array(request.path.utf8))
        }
        self.shared = shared
        state.withLock { state in
            state.options.jobs = 1
            state.options.fetch.retries.attempts = 1
            state.options.fetch.takesAnyContent = true
        }
    }

    var origin: String { server.origin }
    var listPath: String { folder.path + "/.imgscript/failed.jsonl" }
    var hasList: Bool { FileManager.default.fileExists(atPath: listPath) }
    var lookups: [String] { state.withLock(\.lookups) }

    var answers: [String: Int] {
        get { shared.all }
        set { shared.all = newValue }
    }

    var time: Int {
        get { state.withLock(\.time) }
        set { state.withLock { $0.time = newValue } }
    }

    var options: DownloadOptions {
        get { state.withLock(\.options) }
        set { state.withLock { $0.options = newValue } }
    }

    func requests(_ path: String) -> Int { server.requests.count { $0.path == path } }

    func listed() throws -> [JSONValue] {
        try String(contentsOfFile: listPath, encoding: .utf8).split(separator: "\n")
            .map { try #require(JSONValue.found(in: $0.utf8)) }
    }

    @discardableResult
    func run(_ paths: [String], references: [String] = []) async throws -> DownloadTally {
        try await makeRun(paths, references: references).finish()
    }

    func plan(_ paths: [String]) async throws -> DownloadTally {
        var options = options
        options.isDryRun = true
        return try await makeRun(paths, options: options).finish()
    }

    func retry() async throws -> DownloadTally {
        try await DownloadRun(retryingIn: folder.path, options: options, environment()).finish()
    }

    func makeRun(
        _ paths: [String], references: [String] = [], options: DownloadOptions? = nil
    ) throws -> DownloadRun {
        let inputs = (paths.map { origin + $0 } + references).map { DownloadInput(.reference($0)) }
        let batches = AsyncStream { stream in
            for start in stride(from: 0, to: inputs.count, by: 64) {
                stream.yield(Array(inputs[start..<min(start + 64, inputs.count)]))
            }
            stream.finish()
        }
        return DownloadRun(batches, to: folder.path, options: options ?? self.options, try environment())
    }

    private func environment() throws -> DownloadRun.Environment {
        var settings = TransportSettings(version: "1.2.3")
        settings.allowedHosts = try AllowedHosts(["127.0.0.1"])
        let now = time
        return DownloadRun.Environment(
            resolver: Resolver(source: ItemSource(origin).source) { id in self.state.withLock { $0.lookups.append(id) }
            },
            now: { now }, warning: { _ in },
            makeTransport: { [settings] in
                RedirectingTransport(over: CurlTransport(settings: settings), deadline: .seconds(60))
            })
    }

    /// The server's answers, which change from run to run.
    private final class SharedAnswers: Sendable {
        private let answers = Mutex<[String: Int]>([:])

        var all: [String: Int] {
            get { answers.withLock(\.self) }
            set { answers.withLock { $0 = newValue } }
        }

        func status(of path: String) -> Int? { all[path] }
    }

    /// Knows no image at all.
    private struct Resolver: RequestResolver {
        let source: DownloadSource
        let asked: @Sendable (String) -> Void

        func resolve(_ inputs: [DownloadInput]) async throws -> [ResolvedInput] {
            try inputs.map { input in
                guard case .reference(let text) = input.subject else { preconditionFailure("only references here") }
                if text.hasPrefix("http") { return .file(try WebURL(text), .bareURLs) }
                return .image(Item(provider: source.provider, id: String(text.dropFirst("example:".count))), source)
            }
        }

        func details(of item: Item) async throws -> Item {
            asked(item.id)
            throw ProviderError(.notFound, provider: "example", message: "no image \(item.id)")
        }

        func images(
            of collection: Item, excluded: @escaping @Sendable (Exclusion, _ count: Int) -> Void
        ) throws -> any AsyncSequence<Item, any Error> & Sendable {
            AsyncThrowingStream { $0.finish() }
        }

        func media(for planned: PlannedFile) async throws -> Media? { nil }
    }
}
