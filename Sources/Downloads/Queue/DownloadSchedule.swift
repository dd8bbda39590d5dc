import ProviderModel
import Synchronization

/// The files that wait to be fetched: a bounded channel whose reader takes the next one that its host has a place for.
final class DownloadSchedule: Sendable {
    private struct State {
        var queues: HostQueues<PlannedFile>
        var isInputOver = false
    }

    private let state: Mutex<State>
    private let start = ContinuousClock.now
    /// Says that something may begin, or that all is over.
    let changed = AsyncSignal()
    /// Says that more may be added.
    private let hasRoom = AsyncSignal()

    init(jobs: Int?, perHost: Int?) { state = Mutex(State(queues: HostQueues(jobs: jobs, perHost: perHost))) }

    /// Adds files, and waits until there is use for more; false when no more are wanted.
    func add(_ files: [PlannedFile]) async -> Bool {
        state.withLock { state in for file in files { state.queues.add(file, host: file.host) } }
        changed.send()
        while true {
            let (isOver, wantsMore) = state.withLock { ($0.isInputOver, $0.queues.wantsMore) }
            if isOver { return false }
            if wantsMore { return true }
            guard await hasRoom.wait() else { return false }
        }
    }

    /// Says that no more are added.
    func endInput() {
        state.withLock { $0.isInputOver = true }
        hasRoom.send()
        changed.send()
    }

    /// The next file that may begin.
    func next() -> PlannedFile? {
        let (file, wantsMore) = state.withLock { ($0.queues.next(), $0.queues.wantsMore) }
        if wantsMore { hasRoom.send() }
        return file
    }

    /// Ends a file's use of its host, and returns the file that may take its place at once.
    func end(_ file: PlannedFile, _ meter: DownloadMeter, takesNext: Bool) -> PlannedFile? {
        let (next, mayBeginMore, wantsMore) = state.withLock { state in
            let mayBeginMore = state.queues.end(host: file.host, meter, at: .now - start)
            let next = takesNext ? state.queues.next() : nil
            return (next, mayBeginMore, state.queues.wantsMore)
        }
        if wantsMore { hasRoom.send() }
        if next == nil || mayBeginMore { changed.send() }
        return next
    }

    /// Notes that a host's answers share a connection: more may begin there at once.
    func share(host: String) {
        state.withLock { $0.queues.share(host: host) }
        changed.send()
    }

    /// Whether anything is under way.
    var isActive: Bool { state.withLock { $0.queues.active > 0 } }

    /// Whether nothing waits, is under way or will come.
    var isOver: Bool { state.withLock { $0.isInputOver && $0.queues.waiting == 0 && $0.queues.active == 0 } }

    /// Removes what waits, and takes no more.
    func close() -> [PlannedFile] {
        let removed = state.withLock { $0.queues.removeWaiting() }
        endInput()
        return removed
    }
}
