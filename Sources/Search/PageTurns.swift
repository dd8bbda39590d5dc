import ProviderModel
import Synchronization

/// The turns of one provider's pages: so many requests at a time, in the order in which the pages were wanted.
final class PageTurns: Sendable {
    private struct State {
        /// Pages that have not ended their turn, in order; the first of them have one.
        var line: [Int] = []
        /// Those that have sent a request.
        var begun: Set<Int> = []
        var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
    }

    private let count: Int
    private let state = Mutex(State())

    /// So many turns at a time.
    init(_ count: Int) { self.count = max(count, 1) }

    /// A page's place in the line, until it ends; `answered` is called once its answer is there.
    func turn(of number: Int, answered: @escaping @Sendable () -> Void) -> PageTurn {
        state.withLock { $0.line.append(number) }
        return PageTurn(
            begin: { try await self.begin(number) },
            end: {
                if self.end(number) { answered() }
            })
    }

    /// Ends a page's turn and gives up its place; false when it had none, or ended before.
    @discardableResult
    func end(_ number: Int) -> Bool {
        let (hadTurn, next) = state.withLock { state in
            state.line.removeAll { $0 == number }
            let next = state.line.prefix(count).compactMap { number in
                state.waiting.removeValue(forKey: number).map { (number, $0) }
            }
            state.begun.formUnion(next.map(\.0))
            return (state.begun.remove(number) != nil, next.map(\.1))
        }
        for continuation in next { continuation.resume() }
        return hadTurn
    }

    private func begin(_ number: Int) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let answer: Result<Void, any Error>? = state.withLock { state in
                    guard !Task.isCancelled else { return .failure(CancellationError()) }
                    // A generator's second request belongs to the turn of its first.
                    guard !state.begun.contains(number) else { return .success(()) }
                    guard state.line.prefix(count).contains(number) else {
                        state.waiting[number] = continuation
                        return nil
                    }
                    state.begun.insert(number)
                    return .success(())
                }
                if let answer { continuation.resume(with: answer) }
                if case .failure = answer { end(number) }
            }
        } onCancel: {
            let waiting = state.withLock { $0.waiting.removeValue(forKey: number) }
            guard let waiting else { return }
            waiting.resume(throwing: CancellationError())
            end(number)
        }
    }
}
