import Glibc

/// A clock that nobody sets.
///
/// Swift's own belongs to the runtime of tasks, which a worker has no use for: it would bring thousands of pointers that are
/// moved at every start.
enum UpTime {
    /// The time since the machine started.
    static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
