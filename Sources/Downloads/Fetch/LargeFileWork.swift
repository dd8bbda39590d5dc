import Synchronization

/// What goes on beside the arrival of a large file: its digest is computed, and further parts may be fetched.
final class LargeFileWork: Sendable {
    private typealias Digests = (sha256: [UInt8], other: [UInt8]?)

    private struct State {
        var isLarge = false
        var following: Task<Digests?, any Error>?
        var splitter: FileSplitter?
    }

    private let state = Mutex(State())

    /// Begins, now that a file is known to be large.
    func begin(_ assembly: FileAssembly) {
        let start = assembly.start
        let splitter = state.withLock { state in
            state.isLarge = true
            if state.following == nil {
                state.following = Task { try await HashFollower.digests(of: assembly, start: start) }
            }
            return state.splitter
        }
        splitter?.begin()
    }

    /// Has a stretch of the file split, once the file is large.
    func split(by splitter: FileSplitter) {
        let isLarge = state.withLock { state in
            state.splitter = splitter
            return state.isLarge
        }
        if isLarge { splitter.begin() }
    }

    /// The digests; nil where nothing was followed to its end.
    func digests() async throws -> (sha256: [UInt8], other: [UInt8]?)? {
        guard let task = state.withLock({ $0.following }) else { return nil }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Ends the work of a fetch that is over.
    func cancel() {
        state.withLock { state in
            state.following?.cancel()
            state.splitter = nil
        }
    }
}
