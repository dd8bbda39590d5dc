import Glibc

/// The time of day.
enum WallClock {
    static var secondsSince1970: Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return time.tv_sec
    }
}
