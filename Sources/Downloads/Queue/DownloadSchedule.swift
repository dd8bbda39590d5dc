import Synchronization

/// What waits and who may begin, shared by the task that plans and those that download.
final class DownloadSchedule: Sendable {
    /// A download that may begin, and on which executor.
    struct Turn: Sendable {
        let planned: PlannedDownload
        let place: Int
        let executor: (any TaskExecutor)?
    }

    private struct State {
        var lanes: HostQueues<PlannedDownload>
        var loads: ExecutorLoads
        var wantsInput = true

        /// Whether somebody should plan on now.
        var isShort: Bool { wantsInput && lanes.wantsMore }

        mutating func next() -> Turn? {
            guard let planned = lanes.next() else { return nil }
            let (place, executor) = loads.begin()
            return Turn(planned: planned, place: place, executor: executor)
        }
    }

    private let state: Mutex<State>

    init(jobs: QueueSettings.Jobs, perHost: Int?, executors: [any TaskExecutor]) {
        state = Mutex(State(lanes: HostQueues(jobs: jobs, perHost: perHost), loads: ExecutorLoads(executors)))
    }

    /// Whether the caller is to plan on; nobody else is told so before it has added what came of it.
    func asksForInput() -> Bool {
        state.withLock { state in
            guard state.isShort else { return false }
            state.wantsInput = false
            return true
        }
    }

    func add(_ planned: [PlannedDownload], isLast: Bool) {
        state.withLock { state in
            for planned in planned { state.lanes.add(planned, host: planned.host) }
            state.wantsInput = !isLast
        }
    }

    /// The next download that may begin.
    func next() -> Turn? { state.withLock { $0.next() } }

    /// Notes the end of a download; returns what may begin instead, nothing when it is time to plan on.
    ///
    /// The first takes the place of the one that has ended, or goes to an executor that has less to do: a host that takes
    /// fewer than before leaves uneven numbers. There are more where its host turned out to take more.
    func ended(_ turn: Turn, _ counter: DownloadCounter, at now: Duration, mayFollow: Bool) -> [Turn] {
        state.withLock { state in
            state.lanes.ended(host: turn.planned.host, counter, at: now)
            guard mayFollow, !state.isShort, let first = state.lanes.next() else {
                state.loads.end(turn.place)
                return []
            }
            let (place, executor) = state.loads.follow(turn.place)
            var following = [Turn(planned: first, place: place, executor: executor)]
            while let more = state.next() { following.append(more) }
            return following
        }
    }

    /// Notes that the host's answers share connections; true when that is news.
    func share(host: String) -> Bool { state.withLock { $0.lanes.share(host: host) } }

    /// Gives up what waits.
    func removeWaiting() -> [PlannedDownload] { state.withLock { $0.lanes.removeWaiting() } }
}
