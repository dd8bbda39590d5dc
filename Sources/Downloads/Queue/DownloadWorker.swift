import Synchronization

/// A task that downloads one file after another, and that can be broken off from anywhere.
final class DownloadWorker: Sendable {
    private struct State {
        var cancelTask: (@Sendable () -> Void)?
        var isCancelled = false
    }

    private let state = Mutex(State())

    /// Runs the work, and returns what comes of it.
    func run<Result: Sendable>(
        on executor: (any TaskExecutor)?, _ work: @escaping @Sendable () async -> Result
    ) async -> Result {
        let task = Task(executorPreference: executor, operation: work)
        let isCancelled = state.withLock { state in
            state.cancelTask = { task.cancel() }
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
        defer { state.withLock { $0.cancelTask = nil } }
        return await task.value
    }

    /// Breaks the work off, also before it has begun.
    func cancel() {
        let cancelTask = state.withLock { state in
            state.isCancelled = true
            return state.cancelTask
        }
        cancelTask?()
    }
}
