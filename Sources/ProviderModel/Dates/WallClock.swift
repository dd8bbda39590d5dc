import Glibc

/// The time of day, as the system has it.
public enum WallClock {
    /// The time in seconds since 1970.
    public static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The time in whole seconds since 1970.
    public static var secondsSince1970: Int { Int(now) }

    /// The time in whole milliseconds since 1970.
    public static var millisecondsSince1970: Int64 { Int64(now * 1_000) }
}
