import Downloads
import ImgScript
import ProviderModel
import Synchronization

/// One download that goes on whether somebody looks or not, until it is done or cancelled.
final class DownloadTask: Sendable {
    /// How far a download is.
    enum Phase: String, Sendable {
        case running
        case finished
        case cancelled
        case failed
    }

    /// What has come of a download so far.
    struct State: Sendable {
        var phase = Phase.running
        var tally = DownloadTally()
        /// Why nothing more can be downloaded.
        var error: String?
        /// What happened, for those who come to look later.
        var files: [ServerSentEvent] = []
    }

    let id: String
    /// The folder, an absolute path.
    let folder: String
    /// What does the work; nil once it has ended, for it holds its inputs, their images and a transport.
    private let run: Mutex<DownloadRun?>
    private let count: Int
    /// The images that it is of, until it has succeeded: it can be begun once more.
    private let inputs: Mutex<[DownloadInput]>
    private let state = Mutex(State())
    private let listeners = Mutex<[Int: AsyncStream<Void>.Continuation]>([:])
    private let isCancelled = Atomic(false)
    private let task = Mutex<Task<Void, Never>?>(nil)

    init(id: String, run: DownloadRun, folder: String, inputs: [DownloadInput]) {
        self.id = id
        self.run = Mutex(run)
        self.folder = folder
        self.inputs = Mutex(inputs)
        count = inputs.count
    }

    /// The images to begin it once more with; none while it goes on, and when all of them are there.
    var remembered: [DownloadInput] { current.phase == .running ? [] : inputs.withLock(\.self) }

    /// What has come of it so far.
    var current: State { state.withLock(\.self) }

    /// Begins.
    func start() {
        guard let run = run.withLock(\.self) else { return }
        task.withLock { task in
            // Owned by this: `cancel` ends it.
            task = Task { await self.download(run) }
        }
    }

    /// How long files that are nearly there may go on.
    private static let grace = Duration.seconds(1)

    /// Stops: files that are nearly there may go on for a moment, and a server that sends nothing does not delay it.
    func cancel() {
        guard !isCancelled.exchange(true, ordering: .acquiringAndReleasing) else { return }
        run.withLock(\.self)?.stop()
        let task = task.withLock(\.self)
        // Ends by itself, soon.
        Task {
            // Nobody cancels it.
            try? await Task.sleep(for: Self.grace)
            task?.cancel()
        }
    }

    /// Waits for the end.
    func wait() async { await task.withLock(\.self)?.value }

    private func download(_ run: DownloadRun) async {
        var failure: (any Error)?
        do {
            for try await event in run { note(event) }
        } catch { failure = error }
        let wasCancelled = isCancelled.load(ordering: .acquiring)
        state.withLock { state in
            state.tally = run.tally
            state.phase = wasCancelled ? .cancelled : failure == nil ? .finished : .failed
            if let failure, !wasCancelled { state.error = "\(failure)" }
        }
        self.run.withLock { $0 = nil }
        if current.phase == .finished, current.tally.failed == 0 { inputs.withLock { $0 = [] } }
        wake()
    }

    private func note(_ event: DownloadEvent) {
        state.withLock { state in
            state.tally.add(event)
            if let file = ServerSentEvent(event) { state.files.append(file) }
        }
        wake()
    }

    private func wake() { for listener in listeners.withLock({ Array($0.values) }) { listener.yield() } }

    /// Passes on what has happened and what happens, to the end.
    func report(to send: (ServerSentEvent) -> Void) async throws {
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = listeners.withLock { listeners in
            let number = (listeners.keys.max() ?? 0) + 1
            listeners[number] = continuation
            return number
        }
        defer { listeners.withLock { _ = $0.removeValue(forKey: number) } }
        continuation.yield()
        var reported = 0
        for await _ in changes {
            let current = current
            for file in current.files[reported...] { send(file) }
            reported = current.files.count
            send(ServerSentEvent("progress") { write(current, to: &$0) })
            guard current.phase == .running else { break }
        }
        try Task.checkCancellation()
        send(ServerSentEvent("end") { write(current, to: &$0) })
    }

    /// Writes what has come of it as members.
    func write(_ state: State, to json: inout JSONWriter) {
        json.member("id", id)
        json.member("state", state.phase.rawValue)
        json.member("total", state.tally.expected ?? count)
        json.member("done", state.tally.done)
        json.member("finished", state.tally.finished)
        json.member("skipped", state.tally.skipped)
        json.member("failed", state.tally.failed)
        json.member("bytes", state.tally.bytes)
        json.name("cancelled")
        json.value(state.phase == .cancelled)
        json.member("folder", folder)
        json.member("error", state.error)
    }
}

extension SkipReason {
    /// The reason in JSON.
    fileprivate var name: String {
        switch self {
        case .archived, .present: "present"
        case .repeated: "repeated"
        case .otherProcess: "otherProcess"
        case .duplicate: "duplicate"
        case .nearDuplicate: "nearDuplicate"
        case .failedBefore: "failedBefore"
        }
    }
}

extension ServerSentEvent {
    /// The event of a file that is done with; nil for what only the tally has.
    fileprivate init?(_ event: DownloadEvent) {
        switch event {
        case .finished(let file):
            self.init("file") { json in
                json.member("ref", file.item.map { "\($0.provider):\($0.id)" } ?? file.url.description)
                json.member("path", file.path)
            }
        case .skipped(let key, let reason):
            self.init("file") { json in
                json.member("ref", key.itemReference)
                json.member("path", reason.path)
                json.member("skipped", reason.name)
            }
        case .failed(let error):
            self.init("file") { json in
                json.member("ref", error.subject ?? error.place)
                json.member("error", error.message)
            }
        case .planned, .started, .commandEnded, .bundled, .leftOut, .excluded, .collection, .inputEnded: return nil
        }
    }
}
