import HTTPTransport
import ProviderModel

/// Downloads files from their plans to their places: open, fetch, verify, keep, note.
///
/// All but the fetching is done at once, without a step of its own in the task: what is local to a task's steps takes
/// room for as long as its file is on the way, and hundreds may be.
final class DownloadJob: Sendable {
    enum Outcome: Sendable {
        case finished(DownloadedFile)
        case skipped(SkipReason)
        case failed(DownloadError)
        case cancelled

        /// The error after which nothing else can be had either.
        var fatalError: DownloadError? {
            if case .failed(let error) = self, error.stopsEverything { error } else { nil }
        }
    }

    let store: any DownloadStore
    let archive: DownloadArchive?
    let companions: [any DownloadPostprocessor]
    let limiter: RateLimiter?
    let now: @Sendable () -> Int
    private let transport: any Transport
    private let resolver: (any MediaResolver)?
    private let settings: QueueSettings
    private let turns = ContentTurns()
    private let buffers = FileBuffers()
    /// Whether what is done with a file at its end takes next to no time.
    private let keepsAtOnce: Bool

    init(
        transport: any Transport, store: any DownloadStore, archive: DownloadArchive?,
        resolver: (any MediaResolver)?, companions: [any DownloadPostprocessor], settings: QueueSettings,
        now: @escaping @Sendable () -> Int
    ) {
        self.transport = transport
        self.store = store
        self.archive = archive
        self.resolver = resolver
        self.companions = companions
        var settings = settings
        // What is not to be kept twice is compared by a hash that nobody can forge.
        if settings.duplicates != .keep || store.needsSHA256 || companions.contains(where: \.needsSHA256) {
            settings.fetch.computesSHA256 = true
        }
        self.settings = settings
        self.now = now
        limiter = settings.maximumRate.map { RateLimiter(bytesPerSecond: $0) }
        // What lies beside images, and a shard, read and write whole files, which would hold up the transfers of a thread.
        keepsAtOnce = companions.allSatisfy(\.isQuick) && store is FolderStore
    }

    nonisolated(nonsending) func run(_ planned: PlannedDownload, _ counter: DownloadCounter) async -> Outcome {
        do {
            let part = try store.open(planned)
            if let path = try existing(planned, part) {
                if !companions.isEmpty { try await tellCompanions(of: planned.wanted, presentAt: path) }
                return .skipped(.present(path: path))
            }
            let fetch =
                resolver == nil
                ? try fetch(of: planned, as: planned.wanted, into: part, counter)
                : try await resolvedFetch(of: planned, into: part, counter)
            let arrival: Arrival
            do { arrival = Arrival(fetch: fetch, file: try await fetch.run()) } catch let error as DownloadError {
                // What nobody can go on with is not left lying about.
                if !fetch.canBeGoneOnWith { part.remove() }
                throw error
            }
            guard keepsAtOnce, settings.duplicates == .keep else { return try await settle(arrival) }
            arrival.part.mark(with: planned.key)
            let kept = try keep(arrival, nil)
            if kept.needsFlush { try await flush() }
            return .finished(kept.file)
        } catch is CancellationError {
            return .cancelled
        } catch let error as DownloadError {
            return error.code == .busy ? .skipped(.otherProcess) : .failed(error)
        } catch {
            return .failed(DownloadError(.transport, "\(error)", subject: planned.key, cause: error))
        }
    }

    /// Where the file is that another process may have finished since it was planned; under the lock that is certain.
    private func existing(_ planned: PlannedDownload, _ part: PartFile) throws -> String? {
        // What has another ending than was planned is in the archive, where there is one.
        guard part.lengthAtOpening == 0, let path = try store.arrived(planned, underAnyEnding: archive == nil)
        else { return nil }
        part.remove()
        return path
    }

    private func tellCompanions(of wanted: WantedFile, presentAt path: String) async throws {
        try await withTaskExecutorPreference(globalConcurrentExecutor) {
            try note(wanted, presentAt: path)
            try writeWhatIsDue()
        }
    }

    /// Notes a file that was there before.
    func note(_ wanted: WantedFile, presentAt path: String) throws {
        for companion in companions {
            try companion.note(wanted, presentAt: path) { try archive?.record(of: wanted.key) }
        }
    }

    private nonisolated(nonsending) func resolvedFetch(
        of planned: PlannedDownload, into part: PartFile, _ counter: DownloadCounter
    ) async throws -> FileFetch {
        var wanted = planned.wanted
        do {
            if let media = try await resolver?.media(for: planned) { wanted = wanted.coming(from: media) }
        } catch {
            if part.lengthAtOpening == 0 { part.remove() }
            throw error
        }
        return try fetch(of: planned, as: wanted, into: part, counter)
    }

    private func fetch(
        of planned: PlannedDownload, as wanted: WantedFile, into part: PartFile, _ counter: DownloadCounter
    ) throws -> FileFetch {
        try FileFetch(
            planned, as: wanted, into: part, over: transport, settings: settings.fetch, limiter: limiter,
            counter: counter, buffers: buffers, now: now
        )
    }

    /// A file that came whole and is verified, before it has its place.
    private struct Arrival {
        let fetch: FileFetch
        let file: FetchedFile

        var part: PartFile { fetch.assembly.part }
        var planned: PlannedDownload { fetch.planned }
        var media: Media { fetch.media }
    }

    /// Puts a file in its place, where that may take time.
    private func settle(_ arrival: Arrival) async throws -> Outcome {
        guard settings.duplicates != .keep else { return try await keepUnlessDuplicate(arrival) }
        return try await turns.take(arrival.file.hash) { try await keepUnlessDuplicate(arrival) }
    }

    /// Puts a file in its place, unless its content is there and is not to be kept twice.
    private func keepUnlessDuplicate(_ arrival: Arrival) async throws -> Outcome {
        let original = try duplicate(of: arrival)
        if let original, settings.duplicates == .skip {
            arrival.part.remove()
            if note(arrival, as: original.file(arrival.file), at: original.path) { try await flush() }
            return .skipped(.duplicate(path: original.path))
        }
        arrival.part.mark(with: arrival.planned.key)
        let kept =
            keepsAtOnce
            ? try keep(arrival, original)
            : try await withTaskExecutorPreference(globalConcurrentExecutor) { try keep(arrival, original) }
        if kept.needsFlush { try await flush() }
        return .finished(kept.file)
    }

    /// Puts what was fetched in its place, with all that goes along with it.
    private func keep(
        _ arrival: Arrival, _ original: ArchiveRecord?
    ) throws -> (file: DownloadedFile, needsFlush: Bool) {
        let (part, planned, media, fetched) = (arrival.part, arrival.planned, arrival.media, arrival.file)
        let shared = original.flatMap { store.share(part, contentOf: $0, fetched) ? $0.file(fetched) : nil }
        var file = shared ?? fetched
        if shared == nil {
            for companion in companions { file = try companion.change(part, of: planned, from: media, file) }
        }
        let paths = companions.isEmpty ? [] : store.paths(for: planned, file)
        for companion in companions { try companion.announce(planned, from: media, at: paths) }
        let path = try store.keep(part, of: planned, from: media, file)
        let needsFlush = note(arrival, as: file, at: path)
        let done = DownloadedFile(planned: planned, media: media, path: path, file: file, isDuplicate: shared != nil)
        for companion in companions { try companion.note(done) }
        return (done, needsFlush || companions.contains(where: \.isDue))
    }

    private func duplicate(of arrival: Arrival) throws -> ArchiveRecord? {
        guard settings.duplicates != .keep, let archive,
            let record = try archive.record(withContent: arrival.file.hash),
            record.key != arrival.planned.key, store.holds(record, arrival.file.hash)
        else { return nil }
        return record
    }

    /// Notes a file in the archive; true when that is to be written now.
    private func note(_ arrival: Arrival, as file: FetchedFile, at path: String) -> Bool {
        guard let archive else { return false }
        let record = ArchiveRecord(
            key: arrival.planned.key, url: arrival.fetch.place, hash: file.hash, bytes: file.bytes, time: now(),
            path: path, content: arrival.file.hash
        )
        // Without its record, a file whose ending is not the planned one would not be found again.
        return archive.note(record) || path != arrival.planned.expectedPath
    }

    /// Writes what waits, elsewhere: a disk that is slow, or another process that writes, must not hold up transfers.
    private func flush() async throws {
        try await withTaskExecutorPreference(globalConcurrentExecutor) {
            try archive?.flush()
            try writeWhatIsDue()
        }
    }

    /// Has the companions write what they noted, where that is due.
    func writeWhatIsDue() throws {
        for companion in companions where companion.isDue { try companion.write() }
    }

    /// Writes all that waits to be written, in the archive and by the companions.
    func write() throws {
        try archive?.flush()
        for companion in companions { try companion.write() }
    }
}

extension ArchiveRecord {
    /// A file that turned out to have this record's content, as it lies there.
    fileprivate func file(_ fetched: FetchedFile) -> FetchedFile {
        var file = fetched
        (file.hash, file.bytes) = (hash, bytes)
        return file
    }
}
