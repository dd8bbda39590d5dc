import Synchronization

/// What waits and what is under way: whose it is, how far it is, and how it is broken off.
final class ActiveDownloads: Sendable {
    /// What a worker is at.
    struct Work {
        var planned: PlannedDownload
        var counter: DownloadCounter
        var begun: ContinuousClock.Instant
        var worker: DownloadWorker
    }

    /// How far one file is, for the decision whether to wait for it.
    struct Standing {
        /// The time it still needs at its speed so far; without end where that is unknown.
        var timeLeft: Duration
    }

    fileprivate struct State {
        /// The name that each has taken, of those that wait or are under way.
        var claims: [MediaKey: String] = [:]
        var names: [String: MediaKey] = [:]
        /// By their workers, of which there are few: a file's own key is long.
        var works: [ObjectIdentifier: Work] = [:]
        var finishedBytes = 0

        /// With room for twice as many as usually wait and are under way: few share a place then, and taking one out
        /// moves no others.
        init() {
            claims.reserveCapacity(768)
            names.reserveCapacity(768)
        }
    }

    private let state = Mutex(State())

    /// Takes a name for a file, a distinct one where another file has it; nil when the file is under way already.
    func claim(_ planned: PlannedDownload) -> PlannedDownload? {
        let (key, claim) = (planned.key, planned.claim)
        return state.withLock { state in
            if let known = state.claims.updateValue(claim, forKey: key) {
                state.claims[key] = known
                return nil
            }
            guard let owner = state.names.updateValue(key, forKey: claim) else { return planned }
            state.names[claim] = owner
            var planned = planned
            planned.name = planned.name.distinct(for: key)
            state.claims[key] = planned.claim
            state.names[planned.claim] = key
            return planned
        }
    }

    /// Gives up what was claimed.
    func forget(_ planned: PlannedDownload) { state.withLock { $0.forget(planned.key) } }

    /// Notes what a worker begins.
    func begin(_ work: Work) { state.withLock { $0.works[ObjectIdentifier(work.worker)] = work } }

    /// Notes that a worker is done with a file.
    func end(_ planned: PlannedDownload, of worker: DownloadWorker, bytes: Int) {
        state.withLock { state in
            state.finishedBytes += bytes
            state.works[ObjectIdentifier(worker)] = nil
            state.forget(planned.key)
        }
    }

    /// Breaks off those that are chosen.
    func cancel(where isChosen: (Standing) -> Bool) {
        let chosen = state.withLock { state in state.works.values.filter { isChosen($0.standing(at: .now)) } }
        for work in chosen { work.worker.cancel() }
    }

    var progress: DownloadProgress {
        state.withLock { state in
            let active = state.works.values.map { work in
                DownloadProgress.Active(
                    key: work.planned.key, path: work.planned.expectedPath, bytes: work.counter.bytes,
                    length: work.counter.length
                )
            }
            return DownloadProgress(active: active, bytes: active.reduce(state.finishedBytes) { $0 + $1.bytes })
        }
    }
}

extension ActiveDownloads.State {
    fileprivate mutating func forget(_ key: MediaKey) {
        guard let claim = claims.removeValue(forKey: key),
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
