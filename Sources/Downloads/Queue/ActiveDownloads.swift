import Synchronization

/// The files that wait or are under way: the names they have claimed, how far they are, and how they are cancelled.
final class ActiveDownloads: Sendable {
    private struct Fetch {
        let meter: DownloadMeter
        let begun: ContinuousClock.Instant
        let task: Task<Void, Never>

        /// The time it still needs at its speed so far; without end where that is unknown.
        func timeLeft(at now: ContinuousClock.Instant) -> Duration {
            guard let length = meter.length, meter.bytes > 0 else { return .seconds(1 << 40) }
            return (now - begun) * (Double(length - meter.bytes) / Double(meter.bytes))
        }
    }

    private struct State {
        /// The name that each has claimed, as file systems see it that ignore case.
        var claims: [MediaKey: String] = [:]
        var names: Set<String> = []
        var fetches: [MediaKey: Fetch] = [:]
    }

    private let state = Mutex(State())

    /// Claims a name for a file, a distinct one where another file has it; nil when the file is under way already.
    func claim(_ planned: PlannedFile) -> PlannedFile? {
        state.withLock { state in
            guard state.claims[planned.key] == nil else { return nil }
            var planned = planned
            if state.names.contains(planned.path.lowercased()) { planned = planned.renamed() }
            state.claims[planned.key] = planned.path.lowercased()
            state.names.insert(planned.path.lowercased())
            return planned
        }
    }

    /// Releases a claim.
    func release(_ planned: PlannedFile) {
        state.withLock { state in
            if let name = state.claims.removeValue(forKey: planned.key) { state.names.remove(name) }
        }
    }

    /// Begins a fetch; its task is created under the lock, so that it cannot end before it is known.
    func begin(_ planned: PlannedFile, _ meter: DownloadMeter, _ task: () -> Task<Void, Never>) {
        state.withLock { $0.fetches[planned.key] = Fetch(meter: meter, begun: .now, task: task()) }
    }

    /// Ends a fetch, and returns its task; the claim stays until the file has its name.
    func end(_ planned: PlannedFile) -> Task<Void, Never>? {
        state.withLock { $0.fetches.removeValue(forKey: planned.key)?.task }
    }

    /// Cancels the fetches that need more time than this.
    func cancel(ifLongerThan time: Duration) {
        let fetches = state.withLock { Array($0.fetches.values) }
        for fetch in fetches where fetch.timeLeft(at: .now) > time { fetch.task.cancel() }
    }

    /// Cancels all fetches.
    func cancelAll() {
        for fetch in state.withLock({ Array($0.fetches.values) }) { fetch.task.cancel() }
    }
}
