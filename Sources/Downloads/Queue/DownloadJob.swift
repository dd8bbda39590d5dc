import HTTPTransport
import ProviderModel

/// One download from its plan to its place: open, fetch, verify, keep, note.
struct DownloadJob: Sendable {
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

    let transport: any Transport
    let store: any DownloadStore
    let archive: DownloadArchive?
    let resolver: (any MediaResolver)?
    let companions: [any DownloadCompanion]
    let limiter: RateLimiter?
    let settings: QueueSettings
    let now: @Sendable () -> Int
    private let turns = ContentTurns()
    private let buffers = FileBuffers()

    func run(_ planned: PlannedDownload, _ counter: DownloadCounter) async -> Outcome {
        do {
            return try await fetch(planned, counter)
        } catch is CancellationError {
            return .cancelled
        } catch let error as DownloadError {
            return error.code == .busy ? .skipped(.otherProcess) : .failed(error)
        } catch {
            return .failed(DownloadError(.transport, "\(error)", subject: planned.key, cause: error))
        }
    }

    private func fetch(_ planned: PlannedDownload, _ counter: DownloadCounter) async throws -> Outcome {
        let part = try store.open(planned)
        // Another process may have finished it since it was planned; under the lock that is certain.
        // What has another ending than was planned is in the archive, where there is one.
        if part.lengthAtOpening == 0, let path = try store.existing(planned, underAnyEnding: archive == nil) {
            part.remove()
            return .skipped(.present(path: path))
        }
        let media: Media
        do { media = try await resolver?.media(for: planned) ?? planned.media } catch {
            if part.lengthAtOpening == 0 { part.remove() }
            throw error
        }
        let fetch = try FileFetch(
            planned, media: media, into: part, over: transport, settings: settings.fetch, limiter: limiter,
            counter: counter, buffers: buffers, now: now
        )
        let fetched: FetchedFile
        do { fetched = try await fetch.run() } catch let error as DownloadError {
            // What nobody can go on with is not left lying about.
            if !fetch.canBeGoneOnWith { part.remove() }
            throw error
        }
        let arrival = Arrival(part: part, planned: planned, media: media, place: fetch.place, file: fetched)
        guard settings.duplicates != .keep else { return try await settle(arrival) }
        return try await turns.take(fetched.sha256) { try await settle(arrival) }
    }

    /// A file that came whole and is verified, before it has its place.
    private struct Arrival {
        let part: PartFile
        let planned: PlannedDownload
        let media: Media
        /// Where it came from, without the query.
        let place: String
        let file: FetchedFile
    }

    /// Puts a file in its place, unless its content is there and is not to be kept twice.
    private func settle(_ arrival: Arrival) async throws -> Outcome {
        let original = try duplicate(of: arrival)
        if let original, settings.duplicates == .skip {
            arrival.part.remove()
            try await note(arrival, as: original.file(arrival.file), at: original.path)
            return .skipped(.duplicate(path: original.path))
        }
        arrival.part.mark(with: arrival.planned.key)
        guard !companions.isEmpty || !(store is FolderStore) else {
            return .finished(try await keep(arrival, original))
        }
        // What lies beside images, and a shard, read and write whole files, which would hold up the transfers of this thread.
        return try await withTaskExecutorPreference(globalConcurrentExecutor) {
            .finished(try await keep(arrival, original))
        }
    }

    /// Puts what was fetched in its place, with all that goes along with it.
    private func keep(_ arrival: Arrival, _ original: ArchiveRecord?) async throws -> DownloadedFile {
        let (part, planned, media, fetched) = (arrival.part, arrival.planned, arrival.media, arrival.file)
        let shared = original.flatMap { store.share(part, contentOf: $0, fetched) ? $0.file(fetched) : nil }
        var file = shared ?? fetched
        if shared == nil {
            for companion in companions { file = try companion.change(part, of: planned, from: media, file) }
        }
        let paths = companions.isEmpty ? [] : store.paths(for: planned, file)
        for companion in companions { try companion.announce(planned, from: media, at: paths) }
        let path = try store.keep(part, of: planned, from: media, file)
        try await note(arrival, as: file, at: path)
        let done = DownloadedFile(planned: planned, media: media, path: path, file: file, isDuplicate: shared != nil)
        for companion in companions { try companion.note(done) }
        return done
    }

    private func duplicate(of arrival: Arrival) throws -> ArchiveRecord? {
        guard settings.duplicates != .keep, let archive,
            let record = try archive.record(withContent: arrival.file.sha256),
            record.key != arrival.planned.key, store.holds(record)
        else { return nil }
        return record
    }

    private func note(_ arrival: Arrival, as file: FetchedFile, at path: String) async throws {
        guard let archive else { return }
        let record = ArchiveRecord(
            key: arrival.planned.key, url: arrival.place, sha256: file.sha256, bytes: file.bytes, time: now(),
            path: path, content: arrival.file.sha256
        )
        // Without its record, a file whose ending is not the planned one would not be found again.
        guard archive.note(record) || path != arrival.planned.expectedPath else { return }
        // A disk that is slow, or another process that writes, must not hold up the transfers of this thread.
        try await withTaskExecutorPreference(globalConcurrentExecutor) { try archive.flush() }
    }
}

extension ArchiveRecord {
    /// A file that turned out to have this record's content, as it lies there.
    fileprivate func file(_ fetched: FetchedFile) -> FetchedFile {
        var file = fetched
        (file.sha256, file.bytes) = (sha256, bytes)
        return file
    }
}
