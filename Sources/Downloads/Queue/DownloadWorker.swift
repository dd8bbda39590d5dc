import Synchronization

/// A task that downloads one file after another, and that can be broken off from anywhere.
final class DownloadWorker: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var isCancelled = false
    }

    private let state = Mutex(State())

    /// Begins the work, whose task holds the worker until it ends.
    func begin(on executor: (any TaskExecutor)?, _ work: @escaping @Sendable (DownloadWorker) async -> Void) {
        let task = Task(executorPreference: executor) {
            await work(self)
            self.state.withLock { $0.task = nil }
        }
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    /// Breaks the work off, also before it has begun.
    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }
}
