import Synchronization

/// What goes on beside the arrival of a large file: its digest is computed, and further parts may be fetched.
final class LargeFileWork: Sendable {
    private struct State {
        var isLarge = false
        var following: Task<ContentHasher.Result?, any Error>?
        /// The stretch that is being fetched, and whose.
        var stretch: (segment: FileSegment, fetch: FileFetch)?
        var splitter: FileSplitter?

        /// The splitter of the stretch, which only a large file needs.
        mutating func makeSplitter() -> FileSplitter? {
            guard isLarge, let stretch else { return nil }
            splitter = FileSplitter(stretch.segment, of: stretch.fetch)
            return splitter
        }
    }

    private let state = Mutex(State())

    /// Begins, now that a file is known to be large.
    func begin(_ assembly: FileAssembly) {
        let start = assembly.start
        let splitter = state.withLock { state in
            state.isLarge = true
            if state.following == nil, let feed = assembly.feed() {
                state.following = Task {
                    try await HashFollower.digests(of: assembly, start: start, following: feed)
                }
            }
            return state.makeSplitter()
        }
        splitter?.begin()
    }

    /// Has a stretch of the file split, once the file is large.
    func split(_ segment: FileSegment, of fetch: FileFetch) {
        let splitter = state.withLock { state in
            state.stretch = (segment, fetch)
            return state.makeSplitter()
        }
        splitter?.begin()
    }

    /// Splits the stretch no more; the splitter, where there is one, has parts under way that are to be waited for.
    func endSplitting() -> FileSplitter? {
        state.withLock { state in
            state.stretch = nil
            return state.splitter.take()
        }
    }

    /// The digests; nil where nothing was followed to its end.
    func digests() async throws -> ContentHasher.Result? {
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
            (state.stretch, state.splitter) = (nil, nil)
        }
    }
}
