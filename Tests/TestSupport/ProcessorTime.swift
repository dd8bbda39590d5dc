import Glibc

/// What this process has had of the processors: what others do on the machine is not counted.
package enum ProcessorTime {
    /// The time of all its threads since it began.
    package static var used: Duration {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
