/// Runs the tasks of a simulation on the calling thread, one job at a time, and lets virtual time pass when none is ready.
///
/// Which of the ready jobs runs next is drawn from the seed, so that a seed gives one interleaving, every time.
///
/// `@unchecked Sendable`: all jobs, and whoever starts them, are on one thread.
final class VirtualExecutor: TaskExecutor, @unchecked Sendable {
    private struct Sleeper {
        let time: Int
        let number: Int
        let continuation: UnsafeContinuation<Void, any Error>

        func isBefore(_ other: Self) -> Bool { (time, number) < (other.time, other.number) }
    }

    /// The time in milliseconds.
    private(set) var now = 0
    /// The number of jobs that have run.
    private(set) var steps = 0
    /// Called before each job.
    var onStep: () -> Void = {}
    private var ready: [UnownedJob] = []
    private var sleepers: [Sleeper] = []
    private var lastNumber = 0
    private let random: SeededRandom

    init(_ random: SeededRandom) { self.random = random }

    func enqueue(_ job: consuming ExecutorJob) { ready.append(UnownedJob(job)) }

    /// Runs a task, and all that it starts, to their end; false when it waits for something that never comes.
    func run(_ body: sending @escaping () async -> Void) -> Bool {
        nonisolated(unsafe) var isOver = false
        nonisolated(unsafe) let body = body
        Task(executorPreference: self) {
            await body()
            isOver = true
        }
        while true {
            if !ready.isEmpty {
                steps += 1
                onStep()
                let index = ready.count == 1 ? 0 : random.below(ready.count)
                ready.remove(at: index).runSynchronously(on: asUnownedTaskExecutor())
            } else if let index = sleepers.indices.min(by: { sleepers[$0].isBefore(sleepers[$1]) }) {
                let sleeper = sleepers.remove(at: index)
                now = max(now, sleeper.time)
                sleeper.continuation.resume()
            } else {
                return isOver
            }
        }
    }

    /// Waits for a number of virtual milliseconds; throws when the task is cancelled first.
    func sleep(_ milliseconds: Int) async throws {
        lastNumber += 1
        let number = lastNumber
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
                guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                sleepers.append(Sleeper(time: now + milliseconds, number: number, continuation: continuation))
            }
        } onCancel: {
            guard let index = sleepers.firstIndex(where: { $0.number == number }) else { return }
            sleepers.remove(at: index).continuation.resume(throwing: CancellationError())
        }
    }
}

/// Random numbers from a seed (SplitMix64), shared by all parts of one simulation.
///
/// `@unchecked Sendable`: as the executor, it is used on one thread.
final class SeededRandom: RandomNumberGenerator, @unchecked Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
        return word ^ word >> 31
    }

    /// A number from 0 on.
    func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }

    func within(_ range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }

    /// True once in so many times.
    func once(in count: Int) -> Bool { below(count) == 0 }

    func one<Value>(of values: [Value]) -> Value { values[below(values.count)] }
}
