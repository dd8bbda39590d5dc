/// The tracks of which no image has been handed out, while others may have some.
///
/// Each has a first turn before another has a second, as long as that is not waited for too long.
struct FairStart {
    private var newcomers: Set<Int>
    private let count: Int
    private let patience: Duration
    private var ends: ContinuousClock.Instant?
    private var timer: Task<Void, Never>?

    /// The first turns of these tracks, of `count` in all; `patience` is how long the others wait for them.
    init(of newcomers: Set<Int>, among count: Int, patience: Duration) {
        (self.newcomers, self.count, self.patience) = (newcomers, count, patience)
    }

    /// Whether every track has had its first turn, or will have none.
    var areOver: Bool { newcomers.isEmpty }

    /// Whether a track's first turn is still to come.
    func isToCome(for index: Int) -> Bool { newcomers.contains(index) }

    /// Notes that a track has had its first turn, or will have none.
    mutating func end(for index: Int) { newcomers.remove(index) }

    /// Whether a second turn waits for a first that may come any moment; `wake` is called once that is over.
    mutating func areAwaited(while isDry: (Int) -> Bool, wake: @escaping @Sendable () -> Void) -> Bool {
        let ends = ends ?? .now + patience
        self.ends = ends
        // While none has had a first turn, nobody waits for a second.
        guard !newcomers.isEmpty, newcomers.count < count, !Task.isCancelled, newcomers.allSatisfy(isDry) else {
            return false
        }
        if timer == nil {
            timer = Task {
                // A cancelled sleep has nobody left to wake.
                try? await Task.sleep(until: ends, clock: .continuous)
                wake()
            }
        }
        return .now < ends
    }

    /// Stops waiting.
    func cancel() { timer?.cancel() }
}
