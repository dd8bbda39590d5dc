/// Times of repeated work.
enum Measurement {
    /// The median of so many runs.
    static func median(of rounds: Int, _ work: () async throws -> Void) async throws -> Duration {
        var times: [Duration] = []
        for _ in 0..<rounds { times.append(try await time(work)) }
        return times.sorted()[rounds / 2]
    }

    /// The medians of two things done in turns, so that both see the same machine.
    ///
    /// Each says when it began with what is measured.
    static func medians(
        of rounds: Int, _ first: () async throws -> ContinuousClock.Instant,
        _ second: () async throws -> ContinuousClock.Instant
    ) async throws -> (Duration, Duration) {
        var times: ([Duration], [Duration]) = ([], [])
        for _ in 0..<rounds {
            let firstStart = try await first()
            times.0.append(ContinuousClock.now - firstStart)
            let secondStart = try await second()
            times.1.append(ContinuousClock.now - secondStart)
        }
        return (times.0.sorted()[rounds / 2], times.1.sorted()[rounds / 2])
    }

    private static func time(_ work: () async throws -> Void) async throws -> Duration {
        let start = ContinuousClock.now
        try await work()
        return ContinuousClock.now - start
    }
}
