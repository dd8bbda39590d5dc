import Downloads
import HTTPTransport
import ProviderModel
import Search
import Synchronization

/// Downloads images into a folder: one run, which can be stopped and gone on with by another.
///
/// A file has its name only when it is whole and verified. What is there already is not fetched again.
public final class Downloader: Sendable {
    /// The folder below that of the downloads that is the program's own: the archive, and what failed.
    static let ownFolder = ".imgscript"

    let engine: ImageEngine
    let folder: String
    let options: ImageEngine.DownloadOptions
    let planner: DownloadPlanner
    let sources: DownloadSources
    private let failures: FailedDownloads
    private let onEvent: @Sendable (ImageEngine.DownloadEvent) -> Void
    private let run = Mutex(Run())

    /// What goes on, and what the queue does not count.
    private struct Run {
        var requests: HandOver<DownloadRequest>?
        var queue: DownloadQueue?
        var failedInputs = 0
        var isStopped = false
    }

    init(
        _ engine: ImageEngine, folder: String, options: ImageEngine.DownloadOptions,
        onEvent: @escaping @Sendable (ImageEngine.DownloadEvent) -> Void
    ) throws {
        self.engine = engine
        self.folder = folder
        self.options = options
        planner = try options.planner
        sources = DownloadSources(engine.providers, in: engine.directory, instance: engine.instance)
        failures = FailedDownloads(folder: "\(folder)/\(Self.ownFolder)")
        self.onEvent = onEvent
    }

    /// Downloads what the inputs stand for.
    ///
    /// A file that cannot be had is told of as an event, and the others go on.
    /// Throws what makes all further files impossible (`ImgScript.DownloadFailure`: a full disk, a folder that is gone),
    /// or what the inputs throw. Complete files stay, and another run goes on from there.
    public func download<Inputs: AsyncSequence & Sendable>(_ inputs: Inputs) async throws -> ImageEngine.DownloadSummary
    where Inputs.Element == ImageEngine.DownloadInput {
        do {
            try FileLook.checkFolder(folder)
            let client = try client()
            let folder = try DownloadFolder(path: folder)
            let archive = try archive(isMade: true)
            let wishes = MediaSubstitutions(planner.choice)
            let queue = try queue(folder, archive, wishes, client)
            let requests = HandOver<DownloadRequest>(capacity: 64)
            let isStopped = run.withLock { run in
                run.queue = queue
                run.requests = requests
                return run.isStopped
            }
            if isStopped { return stoppedSummary }
            let feed = feed(archive, wishes)
            return try await withThrowingTaskGroup(of: Void.self) { group in
                defer { group.cancelAll() }
                group.addTask { await feed.fill(requests, from: inputs) }
                let summary = try await queue.run(HandedRequests(requests: requests))
                requests.close()
                return complete(ImageEngine.DownloadSummary(summary))
            }
        } catch let error as DownloadError { throw ImageEngine.DownloadFailure(error) }
    }

    /// Tells what would be fetched and where it would go, in the order of the inputs; nothing is made, fetched or noted.
    public func plan<Inputs: AsyncSequence & Sendable>(
        _ inputs: Inputs, _ tell: (ImageEngine.PlannedFile, ImageEngine.SkippedFile?) throws -> Void
    ) async throws -> ImageEngine.DownloadSummary where Inputs.Element == ImageEngine.DownloadInput {
        do {
            try FileLook.checkFolder(folder)
            let archive = try archive(isMade: false)
            let requests = HandOver<DownloadRequest>(capacity: 64)
            run.withLock { $0.requests = requests }
            // A plan leaves no trace, not of what fails either.
            let feed = feed(archive, MediaSubstitutions(planner.choice), notesFailures: false)
            return try await withThrowingTaskGroup(of: Void.self) { group in
                defer { group.cancelAll() }
                group.addTask { await feed.fill(requests, from: inputs) }
                var plan = FolderPlan(folder: folder, planner: planner, archive: archive)
                var summary = ImageEngine.DownloadSummary()
                while let request = try await requests.take() {
                    do {
                        let (planned, skip) = try plan.file(for: request)
                        if skip == nil { summary.finished += 1 } else { summary.skipped += 1 }
                        try tell(planned, skip)
                    } catch let error as DownloadError {
                        summary.failed += 1
                        onEvent(.failed(.init(error, subject: request.subject.name)))
                    }
                }
                requests.close()
                return complete(summary)
            }
        } catch let error as DownloadError { throw ImageEngine.DownloadFailure(error) }
    }

    /// Begins nothing more, lets files that are nearly there go on for a moment, and keeps what is there of the others.
    public func stop() {
        let (queue, requests) = run.withLock { run in
            run.isStopped = true
            return (run.queue, run.requests)
        }
        queue?.stop()
        requests?.close()
    }

    /// Downloads again what failed in this folder, in this run or in those before.
    public func retryFailed() async throws -> ImageEngine.DownloadSummary {
        try FileLook.checkIsThere(folder)
        guard let list = try failures.takeAll() else { return ImageEngine.DownloadSummary() }
        // What failed in several runs stands on the list as often.
        let seen = Mutex<Set<Int>>([])
        let inputs = list.filter { input in seen.withLock { $0.insert(input.subject.hashValue).inserted } }
        // The list is the program's own: its lines say nothing to anybody.
        let summary = try await download(inputs.map { ImageEngine.DownloadInput($0.subject) })
        // What was not reached stays on the list.
        if !summary.wasStopped { failures.finishRetry() }
        return summary
    }

    /// Tells what would be tried again of what failed in this folder.
    public func planFailed(
        _ tell: (ImageEngine.PlannedFile, ImageEngine.SkippedFile?) throws -> Void
    ) async throws -> ImageEngine.DownloadSummary {
        try FileLook.checkIsThere(folder)
        guard let list = failures.list else { return ImageEngine.DownloadSummary() }
        return try await plan(list, tell)
    }

    private var stoppedSummary: ImageEngine.DownloadSummary {
        var summary = ImageEngine.DownloadSummary()
        summary.wasStopped = true
        return summary
    }

    private func complete(_ summary: ImageEngine.DownloadSummary) -> ImageEngine.DownloadSummary {
        var summary = summary
        run.withLock { run in
            summary.failed += run.failedInputs
            summary.wasStopped = summary.wasStopped || run.isStopped
        }
        return summary
    }

    private func feed(
        _ archive: DownloadArchive?, _ wishes: MediaSubstitutions, notesFailures: Bool = true
    ) -> RequestFeed {
        let failures = notesFailures ? failures : nil
        let (engine, options, collection) = (engine, options, options.collection)
        return RequestFeed(
            resolver: InputResolver(sources: sources, archive: archive, wishes: wishes, part: options.part?.part),
            images: { engine.images(of: .collection($0), in: [], collection) },
            failed: { [weak self] failure, input in
                failures?.note(input)
                self?.tell(failure)
            },
            ended: { [weak self] in self?.onEvent(.inputEnded(count: $0)) })
    }

    private func tell(_ failure: ImageEngine.DownloadFailure) {
        run.withLock { $0.failedInputs += 1 }
        onEvent(.failed(failure))
    }

    /// Hands on what the queue tells, and notes what a later run has to know.
    func tell(_ event: Downloads.DownloadEvent, _ archive: DownloadArchive?, _ wishes: MediaSubstitutions) {
        switch event {
        case .started(let planned, let counter): onEvent(.started(.init(planned), .init(counter: counter)))
        case .progress: break
        case .finished(let file):
            if let wish = wishes.take(file.planned.key) {
                // Without the note, the next run asks for details again and finds the file.
                try? archive?.add(ArchiveRecord(of: file, as: wish, time: WallClock.secondsSince1970))
            }
            onEvent(.finished(.init(file)))
        case .skipped(let key, let reason):
            _ = wishes.take(key)
            onEvent(.skipped(key.description, .init(reason)))
        case .failed(let request, let error):
            failures.note(request.subject.input)
            // What ends the run is thrown, once.
            if error.stopsEverything { return }
            onEvent(.failed(.init(error, subject: request.subject.name)))
        }
    }
}

extension ArchiveRecord {
    fileprivate init(of file: DownloadedFile, as key: MediaKey, time: Int) {
        self.init(
            key: key, url: file.media.url.withoutQuery, hash: file.file.hash, bytes: file.file.bytes, time: time,
            path: file.path)
    }
}

extension DownloadRequest.Subject {
    /// What messages call it.
    var name: String {
        switch self {
        case .item(let item): "\(item.provider):\(item.id)"
        case .file(let url): url.description
        }
    }

    /// The input that stands for it.
    var input: ImageEngine.DownloadInput.Subject {
        switch self {
        case .item(let item): .item(item)
        case .file(let url): .reference(url.description)
        }
    }
}
