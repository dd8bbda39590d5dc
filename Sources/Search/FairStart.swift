/// Delivers a first item of every provider before a second of any, within a time limit.
struct FairStart {
    /// Providers whose first item has not been delivered.
    private var pending: Set<Int>
    private let count: Int
    private let duration: Duration
    private var deadline: ContinuousClock.Instant?
    private var timer: Task<Void, Never>?

    /// The first items of these providers, of `count` in all; `duration` is how long others wait for them.
    init(of pending: Set<Int>, among count: Int, duration: Duration) {
        (self.pending, self.count, self.duration) = (pending, count, duration)
    }

    /// Whether every provider has given a first item, or will give none.
    var isOver: Bool { pending.isEmpty }

    /// Whether a provider's first item is still to come.
    func isPending(_ index: Int) -> Bool { pending.contains(index) }

    /// Notes that a provider has given its first item, or will give none.
    mutating func end(_ index: Int) { pending.remove(index) }

    /// Whether a second item waits for the first of another provider; `onEnd` is called when that is over.
    mutating func isAwaited(while isBufferEmpty: (Int) -> Bool, onEnd: @escaping @Sendable () -> Void) -> Bool {
        let deadline = deadline ?? .now + duration
        self.deadline = deadline
        // While none has given a first item, a second one is not held back.
        guard !pending.isEmpty, pending.count < count, !Task.isCancelled, pending.allSatisfy(isBufferEmpty) else {
            return false
        }
        if timer == nil {
            timer = Task {
                // Cancelled with the search: then nothing waits.
                try? await Task.sleep(until: deadline, clock: .continuous)
                onEnd()
            }
        }
        return .now < deadline
    }

    /// Stops waiting.
    func cancel() { timer?.cancel() }
}
