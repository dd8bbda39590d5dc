import ImgScript
import ProviderModel
import Synchronization

/// The images of one listing, pulled as far as they are wanted.
final class BrowseFeed: Sendable {
    private let wanted = Mutex(0)
    private let changed = AsyncSignal()

    /// Has images loaded until there are so many.
    func want(_ count: Int) {
        let isMore = wanted.withLock { wanted in
            defer { wanted = max(wanted, count) }
            return count > wanted
        }
        if isMore { changed.send() }
    }

    /// Delivers the listing's events until its end, or until the task is cancelled.
    func run(_ search: MergedSearch, deliver: (MergedSearch.Event) -> Void) async {
        let events = search.makeAsyncIterator()
        var count = 0
        while true {
            while count >= wanted.withLock(\.self) { guard await changed.wait() else { return } }
            guard let event = await events.next() else { return }
            if case .image = event { count += 1 }
            deliver(event)
        }
    }
}

/// The pictures that are being loaded: those that are wanted no more are given up.
struct BrowsePictures {
    private let loader: PictureLoader
    private let send: @Sendable (BrowseEvent) -> Void
    private var tasks: [PictureKey: Task<Void, Never>] = [:]

    /// No pictures yet.
    init(_ loader: PictureLoader, send: @escaping @Sendable (BrowseEvent) -> Void) {
        self.loader = loader
        self.send = send
    }

    /// Loads what is wanted and not there, in this order.
    mutating func update(to state: BrowseState) {
        let wanted = state.wantedPictures.filter { state.pictures[$0] == nil }
        let kept = Set(wanted)
        for (key, task) in tasks where !kept.contains(key) {
            task.cancel()
            tasks[key] = nil
        }
        for key in wanted where tasks[key] == nil {
            let item = state.items[key.index]
            tasks[key] = Task { [loader, send] in
                // What cannot be shown is a placeholder.
                let picture =
                    try? await key.isLarge
                    ? loader.picture(of: item, in: key.box) : loader.thumbnail(of: item, in: key.box)
                if !Task.isCancelled { send(.picture(key, picture)) }
            }
        }
    }

    /// Gives up all.
    mutating func cancel() {
        for task in tasks.values { task.cancel() }
        tasks = [:]
    }
}

/// The downloads of a session, one batch after the other, with the totals of all.
final class BrowseDownloads: Sendable {
    private struct State {
        var tally = DownloadTally()
        /// Images of batches that have not begun.
        var queued = 0
        /// The files that were done when the batch began, and those that it has.
        var before = 0
        var batch = 0
        var elapsed = Duration.zero
        var run: DownloadRun?
        var error: (any Error)?
        var isStopped = false

        var progress: DownloadProgress {
            DownloadProgress(
                done: tally.done, expected: before + batch + queued, failed: tally.failed, bytes: tally.bytes)
        }
    }

    /// Where files go.
    let folder: String
    private let engine: ImageEngine
    private let options: DownloadOptions
    private let selection: InputSelection
    private let batches = BatchChannel<[Item]>()
    private let state = Mutex(State())

    /// Downloads into a folder.
    init(_ engine: ImageEngine, to folder: String, _ options: DownloadOptions, selection: InputSelection) {
        self.engine = engine
        self.folder = folder
        self.options = options
        self.selection = selection
    }

    /// The totals of all batches, how long they took, and the error that ended one.
    var outcome: (tally: DownloadTally, elapsed: Duration, error: (any Error)?) {
        state.withLock { ($0.tally, $0.elapsed, $0.error) }
    }

    /// Adds images to those that are downloaded.
    func add(_ items: [Item], _ send: (BrowseEvent) -> Void) {
        state.withLock { state in
            state.queued += items.count
            send(.download(state.progress, saved: []))
        }
        batches.send(items)
    }

    /// Starts no more files, and lets ``run(_:)`` end.
    func stop() {
        let run = state.withLock { state in
            state.isStopped = true
            return state.run
        }
        run?.stop()
        batches.finish()
    }

    /// Downloads batches as they come, until ``stop()``.
    func run(_ send: @escaping @Sendable (BrowseEvent) -> Void) async {
        while true {
            let waiting = await batches.next()
            guard !waiting.isEmpty else { return }
            for items in waiting where !state.withLock(\.isStopped) { await download(items, send) }
        }
    }

    private func download(_ items: [Item], _ send: (BrowseEvent) -> Void) async {
        let start = ContinuousClock.now
        state.withLock { state in
            state.queued -= items.count
            (state.before, state.batch) = (state.tally.done, items.count)
        }
        do {
            let inputs = AsyncStream<[DownloadInput]> { stream in
                stream.yield(items.map { DownloadInput(.item($0)) })
                stream.finish()
            }
            let run = try engine.download(inputs: inputs, to: folder, options: options, selection: selection)
            let isStopped = state.withLock { state in
                state.run = run
                return state.isStopped
            }
            // It may have been stopped while it was made.
            if isStopped { run.stop() }
            for try await event in run { add(event, send) }
        } catch {
            state.withLock { $0.error = error }
            send(.notice(BrowseNotice(text: "\(error)", isError: true)))
        }
        state.withLock { state in
            state.elapsed += .now - start
            state.run = nil
            (state.before, state.batch) = (state.tally.done, 0)
            send(.download(state.progress, saved: []))
        }
    }

    private func add(_ event: DownloadEvent, _ send: (BrowseEvent) -> Void) {
        var saved: Set<String> = []
        switch event {
        case .finished(let file): saved = [file.key.itemReference]
        case .skipped(let key, let reason): if reason.path != nil { saved = [key.itemReference] }
        case .failed(let error): send(.notice(BrowseNotice(text: "\(error)", isError: true)))
        default: break
        }
        // Sent within the lock: what is known later arrives later.
        state.withLock { state in
            state.tally.add(event)
            if case .inputEnded(let count) = event { state.batch = count }
            // An image may have several files.
            state.batch = max(state.batch, state.tally.done - state.before)
            send(.download(state.progress, saved: saved))
        }
    }
}
