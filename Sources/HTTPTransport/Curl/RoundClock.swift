/// When the thread of libcurl last began to do something with transfers: exact enough for deadlines of seconds, and
/// read once instead of for every line of every head.
///
/// Used on one thread only.
final class RoundClock {
    @exclusivity(unchecked) private(set) var now = ContinuousClock.now
    /// How many rounds there were: told apart faster than times are.
    @exclusivity(unchecked) private(set) var round = 0

    /// Notes that a round begins.
    func beginRound() {
        now = .now
        round &+= 1
    }
}
