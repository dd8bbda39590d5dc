/// How much each executor has to do.
struct ExecutorLoads {
    private let executors: [any TaskExecutor]
    private var counts: [Int]

    init(_ executors: [any TaskExecutor]) {
        self.executors = executors
        counts = [Int](repeating: 0, count: executors.count)
    }

    /// Chooses the one with the least to do; nil for where tasks usually run.
    mutating func begin() -> (place: Int, executor: (any TaskExecutor)?) {
        guard let place = counts.indices.min(by: { counts[$0] < counts[$1] }) else { return (0, nil) }
        counts[place] += 1
        return (place, executors[place])
    }

    /// Chooses where what follows something goes on: at the same one, unless another has so much less to do that both are
    /// nearer to each other afterwards.
    mutating func follow(_ place: Int) -> (place: Int, executor: (any TaskExecutor)?) {
        guard counts.indices.contains(place) else { return (place, nil) }
        guard let least = counts.min(), counts[place] > least + 1 else { return (place, executors[place]) }
        counts[place] -= 1
        return begin()
    }

    /// Notes that something has ended.
    mutating func end(_ place: Int) {
        if counts.indices.contains(place) { counts[place] -= 1 }
    }
}
