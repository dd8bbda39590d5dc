import Crypto
import Foundation
import HTTPTransport
import ProviderModel
import Synchronization
import TestSupport

@testable import Downloads

/// A queue over a folder of its own, and its events.
struct QueueRun {
    let folder: TemporaryFolder
    var options = DownloadOptions()
    var template = "{name}.{ext}"
    var hasArchive = false
    var transportSettings: (inout TransportSettings) -> Void = { _ in }
    var resolver: (any MediaResolver)?
    var hasCredits = false
    var hasSidecars = false
    var sidecarFormats: Set<SidecarFormat> = [.json]
    var shardSize: ShardSize?

    init(_ folder: TemporaryFolder = TemporaryFolder(), anyContent: Bool = true, computesSHA256: Bool = false) {
        self.folder = folder
        options.computesSHA256 = computesSHA256
        options.fetch.takesAnyContent = anyContent
        options.fetch.retries.firstWait = .milliseconds(1)
        options.jobs = 4
    }

    func callAsFunction(_ urls: [String]) async throws -> RecordedEvents {
        try await run(urls.enumerated().map { index, url in DownloadRequest(try WebURL(url), index: index + 1) })
    }

    func run(_ requests: [DownloadRequest], in path: String? = nil) async throws -> RecordedEvents {
        let outcome = RecordedEvents()
        _ = try await queue(reportingTo: outcome, in: path).run(requests)
        return outcome
    }

    func queue(reportingTo outcome: RecordedEvents, in path: String? = nil) throws -> RunningQueue {
        var transport = TransportSettings(version: "1.2.3")
        transport.allowedHosts = try AllowedHosts(["127.0.0.1", "localhost"])
        transportSettings(&transport)
        var options = options
        options.name = template
        let now: @Sendable () -> Int = { 1_700_000_000 }
        let folder = try DownloadFolder(path: path ?? folder.path)
        var target = DownloadQueue.Target(
            try shardSize.map { try ShardStore(folder: folder, limit: $0, now: now) } ?? FolderStore(folder))
        if hasArchive { target.archive = try DownloadArchive(path: self.folder.path + "/.archive/a.sqlite") }
        if hasCredits { target.credits = try CreditLedger(folder: folder, formats: CreditFormat.allCases) }
        if hasSidecars { target.sidecars = SidecarWriter(folder: folder, formats: sidecarFormats, now: now) }
        target.pictures = try PictureStage(options)
        target.bundles = try options.bundle.map {
            try BundleStage($0, folder: folder, archive: target.archive, credits: target.credits, now: now)
        }
        if options.writesMetadata { target.metadata = try MetadataWriter() }
        let queue = try DownloadQueue(
            target, options: options,
            transport: RedirectingTransport(over: CurlTransport(settings: transport), deadline: .seconds(600)),
            resolver: resolver, events: outcome.events, now: now)
        return RunningQueue(queue: queue, outcome: outcome)
    }

    /// A word for the bytes of a file, short enough for a failing test's report; nil where there is none.
    func content(of name: String) -> String? {
        FileManager.default.contents(atPath: folder.path + "/" + name).map { fingerprint(Array($0)) }
    }

    /// The text of a file; empty where there is none.
    func text(of name: String) -> String {
        FileManager.default.contents(atPath: folder.path + "/" + name).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Changes every bit of some bytes of a file.
    func damage(_ name: String, in range: Range<Int>) throws {
        let path = folder.path + "/" + name
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for place in range { bytes[place] = ~bytes[place] }
        try bytes.write(to: URL(fileURLWithPath: path))
    }

    /// The names in the folder, without what is hidden.
    var names: [String] {
        (try! FileManager.default.contentsOfDirectory(atPath: folder.path)).filter { !$0.hasPrefix(".") }.sorted()
    }
}

/// A queue whose events go to `RecordedEvents`.
struct RunningQueue {
    let queue: DownloadQueue
    let outcome: RecordedEvents

    func run(_ requests: [DownloadRequest]) async throws -> DownloadTally {
        try await run { add in _ = try await add(requests) }
    }

    func run(
        _ feed: @escaping @Sendable (_ add: @escaping DownloadQueue.Add) async throws -> Void
    ) async throws -> DownloadTally {
        let reading = Task { await outcome.read() }
        defer { outcome.events.finish() }
        do { try await queue.run(feed) } catch {
            outcome.events.finish()
            await reading.value
            throw error
        }
        outcome.events.finish()
        await reading.value
        return outcome.summary
    }

    func stop() { queue.stop() }
}

/// The events of a queue.
final class RecordedEvents: Sendable {
    let events = DownloadEvents(isRead: true)
    private let all = Mutex<[DownloadEvent]>([])

    fileprivate func read() async {
        while case let events = await events.next(), !events.isEmpty { all.withLock { $0 += events } }
    }

    var summary: DownloadTally { events.tally }

    var finished: [FinishedFile] {
        all.withLock { $0.compactMap { if case .finished(let file) = $0 { file } else { nil } } }
    }

    var errors: [DownloadError] {
        all.withLock { $0.compactMap { if case .failed(let error) = $0 { error } else { nil } } }
    }

    var bundles: [BundleResult] {
        all.withLock { $0.compactMap { if case .bundled(let result) = $0 { result } else { nil } } }
    }

    var skips: [SkipReason] {
        all.withLock { $0.compactMap { if case .skipped(_, let reason) = $0 { reason } else { nil } } }
    }
}

/// A word for bytes.
func fingerprint(_ bytes: [UInt8]) -> String {
    "\(bytes.count) bytes, SHA-256 "
        + Crypto.SHA256.hash(data: bytes).prefix(6).map { String($0, radix: 16) }.joined(separator: ".")
}

extension RecordedEvents {
    /// Waits until so many bytes of the first file have come.
    func received(atLeast count: Int) async {
        while true {
            let bytes = all.withLock { events in
                events.lazy.compactMap { if case .started(_, let meter) = $0 { meter.bytes } else { nil } }.first
            }
            if bytes ?? 0 >= count { return }
            await Task.yield()
        }
    }
}

extension DownloadArchive {
    convenience init(path: String) throws { self.init(try DownloadArchive.open(path)) }
}

extension CreditLedger {
    convenience init(folder: DownloadFolder, formats: [CreditFormat]) throws {
        let database = try DownloadArchive.open("\(folder.path)/\(DownloadFolder.ownName)/archive.sqlite")
        try self.init(folder: folder, formats: formats, in: database)
    }
}
