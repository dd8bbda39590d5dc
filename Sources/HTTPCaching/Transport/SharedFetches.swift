import HTTPTransport
import Synchronization

/// Joins equal requests: one is sent, and the others wait for it.
final class SharedFetches: Sendable {
    /// How a fetch ended.
    enum Ending: Sendable {
        /// There is a response, which may have been stored.
        case answered
        /// There is none, for a reason that holds for every caller.
        case failed(TransportError)
        /// The caller that fetched was cancelled.
        case abandoned
    }

    /// What a caller has to do.
    enum Part: Sendable {
        /// To fetch, and to report how it ended.
        case lead
        /// Nothing: it has waited.
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

    /// The number of waiting callers.
    var waitingCount: Int { state.withLock { $0.waiting.values.reduce(0) { $0 + $1.count } } }

    /// Becomes the fetching caller, or waits for it; cancelling a waiting caller ends its wait only.
    ///
    /// Where the same fetch has ended since `start`, its response may be stored.
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

    /// Whether this caller becomes the fetching one; false while the same fetch is under way.
    func beginUnlessBusy(_ key: CacheKey) -> Bool {
        state.withLock { state in
            guard state.waiting[key] == nil else { return false }
            state.waiting[key] = [:]
            return true
        }
    }

    /// Ends a fetch, and the wait of all callers.
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
