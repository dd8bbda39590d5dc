import Synchronization

/// Counts what comes of the downloads.
final class DownloadTally: Sendable {
    private struct State {
        var summary = DownloadSummary()
        var skipsInARow = 0
    }

    private let state = Mutex(State())

    /// How many were skipped since the last that was not.
    var skipsInARow: Int { state.withLock { $0.skipsInARow } }

    func summary(wasStopped: Bool) -> DownloadSummary {
        state.withLock { state in
            state.summary.wasStopped = wasStopped
            return state.summary
        }
    }

    func add(_ file: DownloadedFile) {
        state.withLock { state in
            state.summary.finished += 1
            state.summary.bytes += file.file.bytes
            state.skipsInARow = 0
        }
    }

    func addSkip() {
        state.withLock { state in
            state.summary.skipped += 1
            state.skipsInARow += 1
        }
    }

    func addFailure() {
        state.withLock { state in
            state.summary.failed += 1
            state.skipsInARow = 0
        }
    }
}
