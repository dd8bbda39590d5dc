/// A few places for many who want to work, first come first served.
struct ProviderSlots {
    private let count: Int
    private var working: Set<Int> = []
    private var waiting: [Int] = []

    init(_ count: Int) { self.count = max(1, count) }

    /// Whether somebody waits for a place.
    var isWanted: Bool { !waiting.isEmpty }

    /// Whether anybody is at work.
    var isAnyoneWorking: Bool { !working.isEmpty }

    /// Whether this one has a place.
    func isWorking(_ worker: Int) -> Bool { working.contains(worker) }

    /// Takes a place, or a number in the queue; true when there was a place and nobody came before.
    mutating func enter(_ worker: Int) -> Bool {
        if waiting.isEmpty, working.count < count {
            working.insert(worker)
            return true
        }
        if !waiting.contains(worker) { waiting.append(worker) }
        return false
    }

    /// Leaves the place, if it has one; who waits goes on waiting.
    mutating func leave(_ worker: Int) { working.remove(worker) }

    /// Gives a free place to the one who has waited longest.
    mutating func admitNext() -> Int? {
        guard working.count < count, !waiting.isEmpty else { return nil }
        let worker = waiting.removeFirst()
        working.insert(worker)
        return worker
    }
}
