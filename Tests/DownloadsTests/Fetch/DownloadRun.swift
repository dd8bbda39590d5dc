import Crypto
import Foundation
import HTTPTransport
import ProviderModel
import Synchronization
import TestSupport

@testable import Downloads

/// A queue over a folder of its own, and what it told.
struct DownloadRun {
    let folder: TemporaryFolder
    var settings = QueueSettings()
    var template = "{name}.{ext}"
    var hasArchive = false
    var transportSettings: (inout TransportSettings) -> Void = { _ in }
    var resolver: (any MediaResolver)?
    /// What goes along with the files of a folder.
    var companions: (DownloadFolder) throws -> [any DownloadPostprocessor] = { _ in [] }
    var shardSize: ShardSize?
    /// Of what kind the file system is said to be.
    var holdsNamelessFiles: Bool?

    init(_ folder: TemporaryFolder = TemporaryFolder(), anyContent: Bool = true) {
        self.folder = folder
        settings.fetch.takesAnyContent = anyContent
        settings.fetch.retries.firstWait = .milliseconds(1)
        settings.jobs = .fixed(4)
    }

    func callAsFunction(_ urls: [String]) async throws -> Told {
        try await run(
            urls.enumerated().map { index, url in
                DownloadRequest(.file(try! WebURL(url)), from: .bareURLs, index: index + 1)
            })
    }

    func run(_ requests: [DownloadRequest], in path: String? = nil) async throws -> Told {
        let told = Told()
        let queue = try queue(telling: told, in: path)
        told.set(try await queue.run(Listed(requests)))
        return told
    }

    func queue(telling told: Told, in path: String? = nil) throws -> DownloadQueue {
        var transport = TransportSettings(version: "1.2.3")
        transport.allowedHosts = try AllowedHosts(["127.0.0.1", "localhost"])
        transportSettings(&transport)
        let target = try DownloadFolder(path: path ?? folder.path, holdsNamelessFiles: holdsNamelessFiles)
        let shards = try shardSize.map { try ShardStore(folder: target, limit: $0, now: { 1_700_000_000 }) }
        return DownloadQueue(
            planner: DownloadPlanner(template: try NameTemplate(template)),
            transport: RedirectingTransport(over: CurlTransport(settings: transport), deadline: .seconds(600)),
            store: shards ?? FolderStore(target),
            archive: hasArchive ? try DownloadArchive(path: folder.path + "/.archive/a.sqlite") : nil,
            resolver: resolver, companions: try companions(target) + (shards.map { [$0] } ?? []), settings: settings,
            now: { 1_700_000_000 }, observer: { told.take($0) })
    }

    /// A word for the bytes of a file, short enough for a failing test's report; nil where there is none.
    func content(of name: String) -> String? {
        FileManager.default.contents(atPath: folder.path + "/" + name).map { fingerprint(Array($0)) }
    }

    /// The text of a file; empty where there is none.
    func text(of name: String) -> String {
        FileManager.default.contents(atPath: folder.path + "/" + name).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// The names in the folder, without what is hidden.
    var names: [String] {
        (try! FileManager.default.contentsOfDirectory(atPath: folder.path)).filter { !$0.hasPrefix(".") }.sorted()
    }
}

/// What a queue told.
final class Told: Sendable {
    fileprivate let state = Mutex((events: [DownloadEvent](), summary: DownloadSummary()))

    func take(_ event: DownloadEvent) { state.withLock { $0.events.append(event) } }

    func set(_ summary: DownloadSummary) { state.withLock { $0.summary = summary } }

    var summary: DownloadSummary { state.withLock { $0.summary } }

    var finished: [DownloadedFile] {
        state.withLock { $0.events.compactMap { if case .finished(let file) = $0 { file } else { nil } } }
    }

    var errors: [DownloadError] {
        state.withLock { $0.events.compactMap { if case .failed(_, let error) = $0 { error } else { nil } } }
    }

    var skips: [SkipReason] {
        state.withLock { $0.events.compactMap { if case .skipped(_, let reason) = $0 { reason } else { nil } } }
    }
}

/// Requests from an array.
struct Listed: AsyncSequence, Sendable {
    let all: [DownloadRequest]

    init(_ all: [DownloadRequest]) { self.all = all }

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<DownloadRequest>

        mutating func next() async -> DownloadRequest? { rest.popFirst() }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: all[...]) }
}

/// A word for bytes.
func fingerprint(_ bytes: [UInt8]) -> String {
    "\(bytes.count) bytes, SHA-256 "
        + Crypto.SHA256.hash(data: bytes).prefix(6).map { String($0, radix: 16) }.joined(separator: ".")
}

extension Told {
    /// Waits until so many bytes of the first file have come.
    func received(atLeast count: Int) async {
        while true {
            let bytes = state.withLock { state in
                state.events.lazy.compactMap { if case .started(_, let counter) = $0 { counter.bytes } else { nil } }
                    .first
            }
            if bytes ?? 0 >= count { return }
            await Task.yield()
        }
    }
}
