import ProviderModel
import Synchronization

/// The turns of one provider's pages: so many requests at a time, in the order in which the pages were wanted.
final class RequestPermits: Sendable {
    private struct State {
        /// Pages that have not ended their turn, in order; the first of them have one.
        var line: [Int] = []
        /// Those that have sent a request.
        var begun: Set<Int> = []
        var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
        /// The first page that has no turn yet however few are before it.
        var held = Int.max

        /// Gives a turn to those who wait and now have one.
        mutating func admit(_ count: Int) -> [CheckedContinuation<Void, any Error>] {
            let next = line.prefix(count).filter { $0 < held }.compactMap { number in
                waiting.removeValue(forKey: number).map { (number, $0) }
            }
            begun.formUnion(next.map(\.0))
            return next.map(\.1)
        }
    }

    private let count: Int
    private let state = Mutex(State())

    /// So many turns at a time.
    init(_ count: Int) { self.count = max(count, 1) }

    /// Holds back the pages from a number on, until `letGo`.
    func hold(from number: Int) { state.withLock { $0.held = number } }

    /// Holds nobody back any more.
    func letGo() {
        let next = state.withLock { state in
            state.held = .max
            return state.admit(count)
        }
        for continuation in next { continuation.resume() }
    }

    /// A page's place in the line, until it ends; `answered` is called once its answer is there.
    func turn(of number: Int, answered: @escaping @Sendable () -> Void) -> RequestPermit {
        state.withLock { $0.line.append(number) }
        return RequestPermit(
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
            let hadTurn = state.begun.remove(number) != nil
            return (hadTurn, state.admit(count))
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
                    guard number < state.held, state.line.prefix(count).contains(number) else {
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
