/// When the thread of libcurl last began to do something with transfers: exact enough for deadlines of seconds, and
/// read once instead of for every line of every head.
///
/// Used on one thread only.
final class RoundClock {
    @exclusivity(unchecked) private(set) var now = ContinuousClock.now

    /// Notes that a round begins.
    func beginRound() { now = .now }
}
