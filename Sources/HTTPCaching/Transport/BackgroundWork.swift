import Synchronization

/// Tasks that continue after the response was returned; their owner waits for them or cancels them.
final class BackgroundWork: Sendable {
    private struct State {
        var tasks: [Int: Task<Void, Never>] = [:]
        var lastNumber = 0
    }

    private let state = Mutex(State())

    deinit { cancel() }

    /// Starts a task.
    func begin(_ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            state.lastNumber += 1
            let number = state.lastNumber
            state.tasks[number] = Task { [weak self] in
                await work()
                self?.forget(number)
            }
        }
    }

    /// Waits for all tasks, and cancels those that take longer than `limit`.
    func finish(within limit: Duration) async {
        let tasks = state.withLock { Array($0.tasks.values) }
        guard !tasks.isEmpty else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for task in tasks { await task.value }
            }
            group.addTask {
                // Being cancelled is how this ends when the work is done first.
                try? await Task.sleep(for: limit)
            }
            await group.next()
            for task in tasks { task.cancel() }
            group.cancelAll()
        }
    }

    /// Cancels all tasks.
    func cancel() {
        for task in state.withLock({ Array($0.tasks.values) }) { task.cancel() }
    }

    private func forget(_ number: Int) { state.withLock { _ = $0.tasks.removeValue(forKey: number) } }
}
