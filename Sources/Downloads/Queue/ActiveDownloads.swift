import Synchronization

/// What waits and what is under way: whose it is, how far it is, and how it is broken off.
final class ActiveDownloads: Sendable {
    /// One that is under way.
    struct Work {
        var planned: PlannedDownload
        var counter: DownloadCounter
        var begun: ContinuousClock.Instant
        var cancel: @Sendable () -> Void
    }

    /// One that waits, or is under way.
    fileprivate struct Entry {
        /// The name that it has taken.
        var claim: String
        var work: Work?
    }

    /// How far one file is, for the decision whether to wait for it.
    struct Standing {
        /// The time it still needs at its speed so far; without end where that is unknown.
        var timeLeft: Duration
    }

    fileprivate struct State {
        var entries: [MediaKey: Entry] = [:]
        var names: [String: MediaKey] = [:]
        var finishedBytes = 0

        /// With room for twice as many as usually wait and are under way: few share a place then, and taking one out
        /// moves no others.
        init() {
            entries.reserveCapacity(768)
            names.reserveCapacity(768)
        }

        var active: some Sequence<Work> { entries.values.lazy.compactMap(\.work) }
    }

    private let state = Mutex(State())

    /// Takes a name for a file, a distinct one where another file has it; nil when the file is under way already.
    func claim(_ planned: PlannedDownload) -> PlannedDownload? {
        state.withLock { state in
            guard state.entries[planned.key] == nil else { return nil }
            var (planned, claim) = (planned, planned.claim)
            if let owner = state.names.updateValue(planned.key, forKey: claim) {
                state.names[claim] = owner
                planned.name = planned.name.distinct(for: planned.key)
                claim = planned.claim
                state.names[claim] = planned.key
            }
            state.entries[planned.key] = Entry(claim: claim)
            return planned
        }
    }

    /// Gives up what was claimed.
    func forget(_ planned: PlannedDownload) { state.withLock { $0.forget(planned.key) } }

    func begin(
        _ planned: PlannedDownload, _ counter: DownloadCounter, at now: ContinuousClock.Instant,
        cancel: @escaping @Sendable () -> Void
    ) {
        state.withLock {
            $0.entries[planned.key]?.work = Work(planned: planned, counter: counter, begun: now, cancel: cancel)
        }
    }

    func end(_ planned: PlannedDownload, bytes: Int) {
        state.withLock { state in
            state.finishedBytes += bytes
            state.forget(planned.key)
        }
    }

    /// Breaks off those that are chosen.
    func cancel(where isChosen: (Standing) -> Bool) {
        let chosen = state.withLock { state in state.active.filter { isChosen($0.standing(at: .now)) } }
        for entry in chosen { entry.cancel() }
    }

    var progress: DownloadProgress {
        state.withLock { state in
            let active = state.active.map { entry in
                DownloadProgress.Active(
                    key: entry.planned.key, path: entry.planned.expectedPath, bytes: entry.counter.bytes,
                    length: entry.counter.length
                )
            }
            return DownloadProgress(active: active, bytes: active.reduce(state.finishedBytes) { $0 + $1.bytes })
        }
    }
}

extension ActiveDownloads.State {
    fileprivate mutating func forget(_ key: MediaKey) {
        guard let claim = entries.removeValue(forKey: key)?.claim,
            let owner = names.removeValue(forKey: claim), owner != key
        else { return }
        names[claim] = owner
    }
}

extension PlannedDownload {
    /// The name as file systems see it that do not tell capitals from small letters.
    fileprivate var claim: String { expectedPath.lowercased() }
}

extension ActiveDownloads.Work {
    fileprivate func standing(at now: ContinuousClock.Instant) -> ActiveDownloads.Standing {
        guard let length = counter.length, counter.bytes > 0 else { return .init(timeLeft: .seconds(1 << 40)) }
        return .init(timeLeft: (now - begun) * (Double(length - counter.bytes) / Double(counter.bytes)))
    }
}
