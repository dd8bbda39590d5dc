import HTTPTransport
import Synchronization

/// Lets the same request wait for the one that is already under way.
final class SharedFetches: Sendable {
    /// How the one under way ended.
    enum Ending: Sendable {
        /// There is a response, perhaps in the storage.
        case answered
        /// There is none, for a reason that holds for all.
        case failed(TransportError)
        /// It is no longer awaited.
        case abandoned
    }

    /// What a caller does.
    enum Part: Sendable {
        /// It fetches, and says how that ended.
        case lead
        /// It has waited.
        case follow(Ending)
    }

    private struct State {
        /// The fetches that have ended, counted, and the last of each key; older ones are forgotten together.
        var lastEnd = 0
        var ends: [CacheKey: Int] = [:]
        var waiting: [CacheKey: [Int: AsyncStream<Ending>.Continuation]] = [:]
        var lastNumber = 0
    }

    private let state = Mutex(State())

    /// The number of the fetch that has ended last.
    var lastEnd: Int { state.withLock(\.lastEnd) }

    /// How many wait at the moment.
    var waitingCount: Int { state.withLock { $0.waiting.values.reduce(0) { $0 + $1.count } } }

    /// Begins, or waits for whoever has begun; a caller that is cancelled stops waiting, and only it.
    ///
    /// Where the same fetch has ended since `start`, its response may be stored, and it is no longer awaited.
    func join(_ key: CacheKey, since start: Int) async throws -> Part {
        let (endings, continuation) = AsyncStream<Ending>.makeStream()
        let part: Part? = state.withLock { state in
            guard state.waiting[key] == nil else {
                state.lastNumber += 1
                let number = state.lastNumber
                state.waiting[key]?[number] = continuation
                continuation.onTermination = { [weak self] _ in self?.forget(number, key) }
                return nil
            }
            if let end = state.ends[key], end > start { return .follow(.answered) }
            state.waiting[key] = [:]
            return .lead
        }
        if let part { return part }
        for await ending in endings { return .follow(ending) }
        throw CancellationError()
    }

    /// Whether a fetch begins now; false when one is under way.
    func beginUnlessBusy(_ key: CacheKey) -> Bool {
        state.withLock { state in
            guard state.waiting[key] == nil else { return false }
            state.waiting[key] = [:]
            return true
        }
    }

    /// Ends a fetch, and everybody's waiting for it.
    func end(_ key: CacheKey, _ ending: Ending) {
        let waiting = state.withLock { state in
            if state.ends.count >= 1_024 { state.ends = [:] }
            state.lastEnd += 1
            state.ends[key] = state.lastEnd
            return state.waiting.removeValue(forKey: key) ?? [:]
        }
        for continuation in waiting.values { continuation.yield(ending) }
    }

    private func forget(_ number: Int, _ key: CacheKey) {
        state.withLock { _ = $0.waiting[key]?.removeValue(forKey: number) }
    }
}
