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

    /// A way that holds so many values at most.
    init(capacity: Int) { self.capacity = capacity }

    /// Hands a value on, once there is room; false when nobody takes any more.
    func give(_ value: Value) async -> Bool {
        while true {
            let (isTaken, isOver) = state.withLock { state in
                guard !state.isOver, state.values.count < capacity else { return (false, state.isOver) }
                state.values.append(value)
                state.taker.take()?.resume()
                return (true, false)
            }
            if isTaken { return true }
            if isOver { return false }
            await wait(as: \.giver) { $0.values.count >= self.capacity }
        }
    }

    /// The next value; nil when there will be none, or the task is cancelled.
    func take() async throws -> Value? {
        while true {
            let (value, isOver, failure) = state.withLock { state -> (Value?, Bool, (any Error)?) in
                guard !state.values.isEmpty else { return (nil, state.isOver, state.failure.take()) }
                let value = state.values.removeFirst()
                state.giver.take()?.resume()
                return (value, false, nil)
            }
            if let value { return value }
            if let failure { throw failure }
            if isOver || Task.isCancelled { return nil }
            await wait(as: \.taker) { $0.values.isEmpty }
        }
    }

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

    private func wait(
        as place: WritableKeyPath<State, CheckedContinuation<Void, Never>?> & Sendable,
        while hasToWait: (borrowing State) -> Bool
    ) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    guard hasToWait(state), !state.isOver, !Task.isCancelled else { return false }
                    state[keyPath: place] = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            close()
        }
    }
}
