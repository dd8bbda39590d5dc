import Synchronization

/// What waits and what is under way: whose it is, how far it is, and how it is broken off.
final class ActiveDownloads: Sendable {
    struct Entry {
        var planned: PlannedDownload
        var counter: DownloadCounter
        var begun: ContinuousClock.Instant
        var cancel: @Sendable () -> Void
    }

    /// How far one file is, for the decision whether to wait for it.
    struct Standing {
        /// The time it still needs at its speed so far; without end where that is unknown.
        var timeLeft: Duration
    }

    fileprivate struct State {
        var entries: [MediaKey: Entry] = [:]
        var names: [String: MediaKey] = [:]
        /// The name that each has taken.
        var claims: [MediaKey: String] = [:]
        var finishedBytes = 0
    }

    private let state = Mutex(State())

    /// Takes a name for a file, a distinct one where another file has it; nil when the file is under way already.
    func claim(_ planned: PlannedDownload) -> PlannedDownload? {
        state.withLock { state in
            guard state.claims[planned.key] == nil else { return nil }
            var (planned, claim) = (planned, planned.claim)
            if state.names[claim] != nil {
                planned.name = planned.name.distinct(for: planned.key)
                claim = planned.claim
            }
            state.names[claim] = planned.key
            state.claims[planned.key] = claim
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
            $0.entries[planned.key] = Entry(planned: planned, counter: counter, begun: now, cancel: cancel)
        }
    }

    func end(_ planned: PlannedDownload, bytes: Int) {
        state.withLock { state in
            state.entries[planned.key] = nil
            state.finishedBytes += bytes
            state.forget(planned.key)
        }
    }

    /// Breaks off those that are chosen.
    func cancel(where isChosen: (Standing) -> Bool) {
        let chosen = state.withLock { state in state.entries.values.filter { isChosen($0.standing(at: .now)) } }
        for entry in chosen { entry.cancel() }
    }

    var progress: DownloadProgress {
        state.withLock { state in
            let active = state.entries.values.map { entry in
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
        guard let claim = claims.removeValue(forKey: key), names[claim] == key else { return }
        names[claim] = nil
    }
}

extension PlannedDownload {
    /// The name as file systems see it that do not tell capitals from small letters.
    fileprivate var claim: String { expectedPath.lowercased() }
}

extension ActiveDownloads.Entry {
    fileprivate func standing(at now: ContinuousClock.Instant) -> ActiveDownloads.Standing {
        guard let length = counter.length, counter.bytes > 0 else { return .init(timeLeft: .seconds(1 << 40)) }
        return .init(timeLeft: (now - begun) * (Double(length - counter.bytes) / Double(counter.bytes)))
    }
}
