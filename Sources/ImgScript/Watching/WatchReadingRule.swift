import Downloads
import Synchronization

/// The reading of a run's listings, as the download follows it.
package final class WatchReadingRule: ReadingRule {
    private let state: Mutex<WatchReading>

    /// A rule for a run that has read nothing.
    package init(_ reading: WatchReading) { state = Mutex(reading) }

    /// What has been read so far.
    package var reading: WatchReading { state.withLock(\.self) }

    package func admits(_ key: MediaKey, isNew: Bool) -> Bool {
        let parts = key.itemReference.split(separator: ":", maxSplits: 1).map(String.init)
        // A bare URL is of no provider's listing.
        guard parts.count == 2, !key.isBareURL else { return true }
        return state.withLock { $0.admits(parts[1], of: parts[0], isNew: isNew) }
    }

    package var isOver: Bool { state.withLock(\.isOver) }

    /// Whether no more images of a provider are wanted.
    package func isOver(_ provider: String) -> Bool { state.withLock { $0.isOver(provider) } }

    /// Notes that a provider's listing has ended by itself.
    package func finish(_ provider: String, _ end: WatchReading.End) { state.withLock { $0.finish(provider, end) } }
}
