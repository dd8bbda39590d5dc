/// Determines how many files to fetch from a host at the same time, from throughput and refusals: a pure function of those.
///
/// The number grows while the throughput grows, shrinks when it does not, is tried again after a while, and is halved when
/// the server refuses requests.
package struct JobController: Hashable, Sendable {
    /// How many files may be fetched at a time.
    package private(set) var limit: Int
    private let maximum: Int
    private var best = 0.0
    private var steady: Int
    private var roundsUntilTrial = 0
    private var trialPause = 4
    private var round = Round()

    /// What has come since the limit was last looked at.
    private struct Round: Hashable, Sendable {
        var start: Duration?
        var files = 0
        var bytes = 0
        var refusals = 0
        /// Whether as many were under way as were allowed: otherwise the speed says nothing about the limit.
        var wasFull = false
    }

    /// A controller that begins with a few.
    package init(start: Int = 12, maximum: Int = DownloadOptions.automaticJobLimit) {
        limit = min(start, maximum)
        steady = min(start, maximum)
        self.maximum = maximum
    }

    /// Notes that a file has ended; `active` is how many were under way, this one included.
    package mutating func ended(bytes: Int, isRefusal: Bool, active: Int, at now: Duration) {
        if round.start == nil { round.start = now }
        round.files += 1
        round.bytes += bytes
        round.wasFull = round.wasFull || active >= limit
        if isRefusal { round.refusals += 1 }
        if isRefusal, round.refusals * 8 > limit || round.refusals > 3 { return stepDown(at: now) }
        guard round.files > limit, let start = round.start, now - start >= .milliseconds(20) else { return }
        endRound(after: now - start, at: now)
    }

    /// After a refusal the limit stays lower for a while.
    private mutating func stepDown(at now: Duration) {
        limit = max(limit / 2, 1)
        steady = limit
        best = 0
        trialPause = min(trialPause * 2, 64)
        roundsUntilTrial = trialPause
        round = Round(start: now)
    }

    private mutating func endRound(after time: Duration, at now: Duration) {
        let speed = Double(round.bytes) / (time / .seconds(1))
        let wasFull = round.wasFull
        round = Round(start: now)
        guard wasFull else { return }
        if limit > steady {
            // A trial: a tenth more has to come of it, or it was for nothing.
            if speed > best * 1.1 { climb(speed) } else { fallBack(speed) }
        } else {
            best = max(speed, best * 0.9)
            if roundsUntilTrial > 0 { roundsUntilTrial -= 1 } else { limit = next }
        }
    }

    private var next: Int { min(max(limit + 1, limit * 2), maximum) }

    private mutating func climb(_ speed: Double) {
        best = speed
        steady = limit
        trialPause = 4
        limit = next
    }

    private mutating func fallBack(_ speed: Double) {
        limit = steady
        best = max(best * 0.9, speed)
        roundsUntilTrial = trialPause
        trialPause = min(trialPause * 2, 64)
    }
}
