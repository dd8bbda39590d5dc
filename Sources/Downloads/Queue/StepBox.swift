import Synchronization

/// What several tasks tell the one that decides what is next, in the order in which they tell it.
final class StepBox<Step: Sendable>: Sendable {
    private struct State {
        var steps: [Step] = []
        var taker: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func put(_ step: Step) {
        let taker = state.withLock { state in
            state.steps.append(step)
            return state.taker.take()
        }
        taker?.resume()
    }

    /// All that has been told since this was asked last, at least one; only one task may ask.
    func next() async -> [Step] {
        while true {
            let steps = state.withLock { state in
                defer { state.steps = [] }
                return state.steps
            }
            if !steps.isEmpty { return steps }
            await withCheckedContinuation { taker in
                let isReady = state.withLock { state in
                    if state.steps.isEmpty { state.taker = taker }
                    return !state.steps.isEmpty
                }
                if isReady { taker.resume() }
            }
        }
    }
}
