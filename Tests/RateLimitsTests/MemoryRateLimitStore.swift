import Synchronization

@testable import RateLimits

/// The sliding windows of one process.
final class MemoryRateLimitStore: RateLimitStore {
    private let clock: @Sendable () -> Timestamp
    private let windows = Mutex<[BucketKey: SlidingWindow]>([:])

    /// A store without any request; `now` is the time of day.
    init(now: @escaping @Sendable () -> Timestamp) { clock = now }

    func now() -> Timestamp { clock() }

    func update<Result: Sendable>(
        _ bucket: BucketKey, _ body: @escaping @Sendable (inout SlidingWindow, Timestamp) -> Result
    ) async -> Result {
        let now = now()
        return windows.withLock { body(&$0[bucket, default: SlidingWindow(startingAt: now)], now) }
    }

    func recentWindow(of bucket: BucketKey) -> SlidingWindow? { nil }
}
