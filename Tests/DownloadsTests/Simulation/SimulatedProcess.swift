import ProviderModel
import Synchronization

@testable import Downloads

/// A process that ends before one of its changes on the disk: what it would have changed from then on stays as it is.
final class SimulatedProcess: ChangeObserver {
    /// What happens to it.
    enum End: Hashable, Sendable {
        /// Nothing: it does all that it has to.
        case none
        /// It is killed before the nth change of a kind.
        case killed(before: DiskChange, number: Int)
        /// Ctrl-C is pressed at the nth change of a kind.
        case stopped(at: DiskChange, number: Int)
        /// The nth change of a kind fails, as on a full disk.
        case full(at: DiskChange, number: Int)
    }

    private struct State {
        var counts: [DiskChange: Int] = [:]
        var hasEnded = false
        var stop: @Sendable () -> Void = {}
    }

    private let end: End
    private let state = Mutex(State())

    init(_ end: End) { self.end = end }

    /// Whether it was killed.
    var hasEnded: Bool { state.withLock(\.hasEnded) }

    var isOver: Bool { hasEnded }

    /// Says what Ctrl-C does.
    func onStop(_ stop: @escaping @Sendable () -> Void) { state.withLock { $0.stop = stop } }

    func willChange(_ change: DiskChange) throws(DownloadError) {
        let (number, hasEnded, stop) = state.withLock { state in
            state.counts[change, default: 0] += 1
            let number = state.counts[change, default: 0]
            if case .killed(change, number) = end { state.hasEnded = true }
            return (number, state.hasEnded, state.stop)
        }
        if hasEnded { throw DownloadError(.folderGone, "the process was killed") }
        switch end {
        case .stopped(change, number): stop()
        case .full(change, number): throw DownloadError(.diskFull, "no space left on the disk")
        default: break
        }
    }
}
