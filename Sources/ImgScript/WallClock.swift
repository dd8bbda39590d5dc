import Glibc

/// The time of day.
enum WallClock {
    static var secondsSince1970: Int { Int(millisecondsSince1970 / 1_000) }

    static var millisecondsSince1970: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
