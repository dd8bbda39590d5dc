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
        /// Nobody waits for it any more.
        case abandoned
    }

    /// What a caller does.
    enum Part: Sendable {
        /// It fetches, and says how that ended.
        case lead
        /// It has waited.
        case follow(Ending)
    }

    private enum Entry: Equatable {
        case leading
        case waiting(Int)
        case ended
    }

    private struct State {
        /// The fetches that have ended, counted, and the last of each key; older ones are forgotten together.
        var lastEnd = 0
        var ends: [CacheKey: Int] = [:]
        var waiting: [CacheKey: [Int: CheckedContinuation<Part, any Error>]] = [:]
        var cancelled: Set<Int> = []
        var lastNumber = 0
    }

    private let state = Mutex(State())

    /// The number of the fetch that has ended last.
    var lastEnd: Int { state.withLock(\.lastEnd) }

    /// Begins, or waits for whoever has begun; a caller that is cancelled stops waiting, and only it.
    ///
    /// Where the same fetch has ended since `start`, its response may be stored, and nobody waits.
    func join(_ key: CacheKey, since start: Int) async throws -> Part {
        let entry: Entry = state.withLock { state in
            if state.waiting[key] != nil {
                state.lastNumber += 1
                return .waiting(state.lastNumber)
            }
            if let end = state.ends[key], end > start { return .ended }
            state.waiting[key] = [:]
            return .leading
        }
        guard case .waiting(let number) = entry else {
            return entry == .leading ? .lead : .follow(.answered)
        }
        defer { state.withLock { _ = $0.cancelled.remove(number) } }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { wait(for: key, number, $0) }
        } onCancel: {
            cancel(number, waitingFor: key)
        }
    }

    /// How many wait at the moment.
    var waitingCount: Int { state.withLock { $0.waiting.values.reduce(0) { $0 + $1.count } } }

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
        for continuation in waiting.values { continuation.resume(returning: .follow(ending)) }
    }

    private func wait(for key: CacheKey, _ number: Int, _ continuation: CheckedContinuation<Part, any Error>) {
        let result: Result<Part, any Error>? = state.withLock { state in
            if state.cancelled.remove(number) != nil { return .failure(CancellationError()) }
            // It may have ended between asking and waiting.
            guard state.waiting[key] != nil else { return .success(.follow(.answered)) }
            state.waiting[key]?[number] = continuation
            return nil
        }
        if let result { continuation.resume(with: result) }
    }

    private func cancel(_ number: Int, waitingFor key: CacheKey) {
        let continuation = state.withLock { state in
            let continuation = state.waiting[key]?.removeValue(forKey: number)
            if continuation == nil { state.cancelled.insert(number) }
            return continuation
        }
        continuation?.resume(throwing: CancellationError())
    }
}
