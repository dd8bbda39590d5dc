import ProviderModel
import Synchronization

/// Gives fetched files their names, several at a time: their credits are committed first, in one transaction.
final class FinishStage: Sendable {
    private let store: any DownloadStore
    private let archive: DownloadArchive?
    private let credits: CreditLedger?
    private let sidecars: SidecarWriter?
    private let duplicates: DownloadOptions.Duplicates
    private let nearDuplicates: DownloadOptions.NearDuplicates?
    private let now: @Sendable () -> Int
    private let failure = Mutex<DownloadError?>(nil)
    private let fetched = BatchChannel<FetchedDownload>()

    /// How many files may wait until no more are fetched.
    private static let limit = 64
    /// How many files are finished without waiting for others, and how long others are waited for.
    private static let batch = 32
    private static let batchTime = Duration.milliseconds(5)
    /// How many archive records may wait while other files do.
    private static let recordLimit = 256

    init(
        store: any DownloadStore, archive: DownloadArchive?, credits: CreditLedger?, sidecars: SidecarWriter?,
        duplicates: DownloadOptions.Duplicates, nearDuplicates: DownloadOptions.NearDuplicates?,
        now: @escaping @Sendable () -> Int
    ) {
        self.store = store
        self.archive = archive
        self.credits = credits
        self.sidecars = sidecars
        self.duplicates = duplicates
        self.nearDuplicates = nearDuplicates
        self.now = now
    }

    enum Outcome {
        case finished(FinishedFile)
        case skipped(SkipReason)
        case failed(DownloadError)
    }

    /// Whether so many files wait that no more should be fetched.
    var isFull: Bool { fetched.count >= Self.limit }

    /// Adds a fetched file.
    func add(_ file: FetchedDownload) { fetched.send(file) }

    /// Says that no more files are added.
    func close() { fetched.finish() }

    /// Finishes files as they come, until it is closed; `isBusy` says whether others may come soon.
    func run(
        isBusy: @Sendable () -> Bool, tell: @Sendable ([(file: FetchedDownload, outcome: Outcome)]) -> Void
    ) async {
        while await fetched.wait() {
            if fetched.count < Self.batch, isBusy() {
                // The result is not awaited: a host's place is free as soon as its file has come.
                try? await Task.sleep(for: Self.batchTime)
            }
            finishWaiting(tell)
        }
        finishWaiting(tell)
    }

    private func finishWaiting(_ tell: ([(file: FetchedDownload, outcome: Outcome)]) -> Void) {
        let files = fetched.takeAll()
        // Of several files of the same content, the second is to find the first in the archive.
        let isOneByOne = duplicates != .keep || nearDuplicates != nil
        let batches = isOneByOne ? files.map { [$0] } : [files]
        for batch in batches where !batch.isEmpty { tell(finish(batch)) }
        do {
            if fetched.count == 0 || archive?.pendingCount ?? 0 >= Self.recordLimit { try archive?.flush() }
            try credits?.updateIfDue()
        } catch { fail(DownloadError(any: error)) }
    }

    /// Ends the run: writes what waits, and the files of credits.
    func end(isComplete: Bool) throws {
        // What is not in the archive is found by its name the next time.
        do { try archive?.flush() } catch { fail(error) }
        do { try credits?.update() } catch { fail(DownloadError(any: error)) }
        do { try store.finish(isComplete: isComplete) } catch { fail(error) }
        if let failure = failure.withLock(\.self) { throw failure }
    }

    private func fail(_ error: DownloadError) { failure.withLock { $0 = $0 ?? error } }

    /// A file with the path that it will have, and the record whose content it shares.
    private struct Prepared {
        var file: FetchedDownload
        let path: String?
        let isLinked: Bool
    }

    private func finish(_ batch: [FetchedDownload]) -> [(file: FetchedDownload, outcome: Outcome)] {
        var outcomes: [(file: FetchedDownload, outcome: Outcome)] = []
        var prepared: [Prepared] = []
        var paths: Set<String> = []
        for file in batch {
            do throws(DownloadError) {
                if duplicates == .skip, let original = try duplicate(of: file) {
                    outcomes.append((file, .skipped(skip(file, original))))
                    continue
                }
                let near = try nearDuplicate(of: file)
                if nearDuplicates == .skip, let near {
                    outcomes.append((file, .skipped(skipAlike(file, near.record))))
                    continue
                }
                var file = file
                file.nearDuplicate = near.map { NearDuplicate(path: $0.record.path, distance: $0.distance) }
                var next = try prepare(file, near?.record)
                if let path = next.path, paths.contains(path) {
                    // Its name is free again to look at once the other one has taken it.
                    outcomes += keep(prepared)
                    (prepared, paths) = ([], [])
                    next = try prepare(file, near?.record)
                }
                if let path = next.path { paths.insert(path) }
                prepared.append(next)
            } catch { outcomes.append((file, failed(file, error))) }
        }
        return outcomes + keep(prepared)
    }

    private func prepare(_ file: FetchedDownload, _ alike: ArchiveRecord?) throws(DownloadError) -> Prepared {
        var file = file
        file.part.mark(with: file.planned.key)
        var isLinked = false
        if duplicates == .link, let original = try duplicate(of: file), store.share(file.part, contentOf: original) {
            (file.file.sha256, file.file.bytes) = (original.sha256 ?? file.content, original.bytes)
            file.file.take(formatOf: original)
            isLinked = true
        } else if nearDuplicates == .link, let alike, store.share(file.part, contentOf: alike) {
            (file.file.sha256, file.file.bytes) = (alike.sha256, alike.bytes)
            file.file.take(formatOf: alike)
            isLinked = true
        }
        return Prepared(file: file, path: try store.path(for: file.planned, file.file), isLinked: isLinked)
    }

    private func duplicate(of file: FetchedDownload) throws(DownloadError) -> ArchiveRecord? {
        guard let archive, let content = file.content else { return nil }
        return try archive.records(withContent: content, bytes: file.file.bytes)
            .first { $0.key != file.planned.key && store.holds($0, content) }
    }

    /// A file that is there and looks the same.
    private func nearDuplicate(
        of file: FetchedDownload
    ) throws(DownloadError) -> (record: ArchiveRecord, distance: Int)? {
        guard nearDuplicates != nil, let archive, let hash = file.hash else { return nil }
        return try archive.nearest(to: hash) { $0.key != file.planned.key && store.has($0.path) }
    }

    private func skipAlike(_ file: FetchedDownload, _ original: ArchiveRecord) -> SkipReason {
        file.part.remove()
        var record = record(of: file, at: original.path)
        // It stands for another file, which has a hash of its own: what only looks like this one may look like no other.
        (record.sha256, record.bytes, record.picture) = (original.sha256, original.bytes, nil)
        archive?.add(record)
        return .nearDuplicate(path: original.path)
    }

    private func skip(_ file: FetchedDownload, _ original: ArchiveRecord) -> SkipReason {
        var file = file
        file.part.remove()
        (file.file.sha256, file.file.bytes) = (original.sha256 ?? file.content, original.bytes)
        archive?.add(record(of: file, at: original.path))
        return .duplicate(path: original.path)
    }

    /// Commits the credits of files, then gives the files their names.
    private func keep(_ files: [Prepared]) -> [(file: FetchedDownload, outcome: Outcome)] {
        do throws(DownloadError) {
            try credits?.store(
                files.map { prepared in
                    let (planned, media) = (prepared.file.planned, prepared.file.media)
                    return (planned.key, prepared.path, Credit(planned.request, from: media))
                })
        } catch { return files.map { ($0.file, failed($0.file, error)) } }
        var outcomes: [(file: FetchedDownload, outcome: Outcome)] = []
        var moved: [(key: MediaKey, path: String)] = []
        for prepared in files {
            let file = prepared.file
            do throws(DownloadError) {
                let path = try store.keep(file, at: prepared.path)
                if path != prepared.path { moved.append((file.planned.key, path)) }
                archive?.add(record(of: file, at: path))
                if let wanted = file.planned.request.substituted {
                    archive?.add(record(of: file, at: path, as: wanted))
                }
                let finished = FinishedFile(file, path: path, isLinked: prepared.isLinked)
                try sidecars?.write(finished)
                outcomes.append((file, .finished(finished)))
            } catch { outcomes.append((file, failed(file, error))) }
        }
        do { try credits?.move(moved) } catch { fail(error) }
        // Without its record, a file whose ending is not the planned one would not be found by another process.
        if files.contains(where: { $0.path != $0.file.planned.path || $0.file.isRenamed }) {
            do { try archive?.flush() } catch { fail(error) }
        }
        return outcomes
    }

    private func failed(_ file: FetchedDownload, _ error: DownloadError) -> Outcome {
        file.part.remove()
        return .failed(DownloadError(any: error, subject: file.planned.request.name))
    }

    private func record(of file: FetchedDownload, at path: String, as key: MediaKey? = nil) -> ArchiveRecord {
        ArchiveRecord(
            key: key ?? file.planned.key, url: file.url, sha256: file.file.sha256, bytes: file.file.bytes, time: now(),
            path: path, content: file.content, picture: file.hash)
    }
}

extension FetchedFile {
    /// Takes over the format of a file whose content is shared: one that was converted may have another.
    fileprivate mutating func take(formatOf record: ArchiveRecord) {
        guard let ending = record.path.split(separator: ".").last, let found = MediaFormat(named: String(ending)),
            found != format
        else { return }
        (format, size) = (found, nil)
    }
}
