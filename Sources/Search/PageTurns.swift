import ProviderModel
import Synchronization

/// The turns of one provider's pages: so many requests at a time, in the order in which they were made.
final class PageTurns: Sendable {
    private struct State {
        var free: Int
        var waiting: [(number: Int, continuation: CheckedContinuation<Void, any Error>)] = []
        /// Those that have begun and not ended.
        var active: Set<Int> = []
    }

    private let state: Mutex<State>

    /// So many turns at a time.
    init(_ count: Int) { state = Mutex(State(free: max(count, 1))) }

    /// The turn of a page; `answered` is called once its answer is there.
    func turn(of number: Int, answered: @escaping @Sendable () -> Void) -> PageTurn {
        PageTurn(
            begin: { try await self.begin(number) },
            end: {
                if self.end(number) { answered() }
            })
    }

    /// Ends a page's turn, if it has one; false when it had none, or ended before.
    @discardableResult
    func end(_ number: Int) -> Bool {
        let (hadTurn, next) = state.withLock { state in
            guard state.active.remove(number) != nil else {
                return (false, nil as CheckedContinuation<Void, any Error>?)
            }
            guard !state.waiting.isEmpty else {
                state.free += 1
                return (true, nil)
            }
            let next = state.waiting.removeFirst()
            state.active.insert(next.number)
            return (true, next.continuation)
        }
        next?.resume()
        return hadTurn
    }

    private func begin(_ number: Int) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let answer: Result<Void, any Error>? = state.withLock { state in
                    guard !Task.isCancelled else { return .failure(CancellationError()) }
                    // A generator's second request belongs to the turn of its first.
                    guard !state.active.contains(number) else { return .success(()) }
                    guard state.free > 0 else {
                        state.waiting.append((number, continuation))
                        return nil
                    }
                    state.free -= 1
                    state.active.insert(number)
                    return .success(())
                }
                if let answer { continuation.resume(with: answer) }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0).continuation }
            }
            waiting?.resume(throwing: CancellationError())
        }
    }
}
