import Synchronization

/// A few values on their way from one task to another; whoever is ahead waits.
final class HandOver<Value: Sendable>: Sendable {
    private struct State {
        var values: [Value] = []
        var isOver = false
        var failure: (any Error)?
        var giver: CheckedContinuation<Void, Never>?
        var taker: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())
    private let capacity: Int

    /// A way on which so many values wait at most, or a few more where several are handed on at once.
    init(capacity: Int) { self.capacity = capacity }

    /// Hands a value on, once there is room; false when nobody takes any more.
    func give(_ value: Value) async -> Bool { await give([value]) }

    /// Hands several values on, once there is room; false when nobody takes any more.
    func give(_ values: [Value]) async -> Bool {
        while true {
            let (isTaken, isOver) = state.withLock { state in
                guard !state.isOver, state.values.count < capacity else { return (false, state.isOver) }
                state.values += values
                state.taker.take()?.resume()
                return (true, false)
            }
            if isTaken { return true }
            if isOver { return false }
            await wait(as: .giver)
        }
    }

    /// The next value; nil when there will be none, or the task is cancelled.
    func take() async throws -> Value? { try await take(1).first }

    /// All that is there, at least one value; none when there will be none, or the task is cancelled.
    func takeAll() async throws -> [Value] { Array(try await take(.max)) }

    /// Says that no more values come; those that are here may still be taken.
    func finish(throwing failure: (any Error)? = nil) {
        state.withLock { state in
            guard !state.isOver else { return }
            state.isOver = true
            state.failure = failure
            state.giver.take()?.resume()
            state.taker.take()?.resume()
        }
    }

    /// Ends it for both sides; what is under way is dropped.
    func close() {
        finish()
        state.withLock { $0.values = [] }
    }

    private func take(_ limit: Int) async throws -> ArraySlice<Value> {
        while true {
            let (values, isOver, failure) = state.withLock { state -> (ArraySlice<Value>, Bool, (any Error)?) in
                guard !state.values.isEmpty else { return ([], state.isOver, state.failure.take()) }
                let values = state.values.prefix(limit)
                state.values.removeFirst(values.count)
                state.giver.take()?.resume()
                return (values, false, nil)
            }
            if !values.isEmpty { return values }
            if let failure { throw failure }
            if isOver || Task.isCancelled { return [] }
            await wait(as: .taker)
        }
    }

    private enum Side {
        case giver
        case taker
    }

    private func wait(as side: Side) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    guard !state.isOver, !Task.isCancelled else { return false }
                    switch side {
                    case .giver where state.values.count >= capacity: state.giver = continuation
                    case .taker where state.values.isEmpty: state.taker = continuation
                    default: return false
                    }
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            close()
        }
    }
}
