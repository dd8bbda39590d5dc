import Dispatch
import Foundation
import Synchronization
import Testing

/// Random runs of the code that reads listings, under a virtual clock, held to ``ListingModel``.
///
/// `IMGSCRIPT_SIMULATION_RUNS` is the number of runs of searches, a fifth of which are those of watches, and `IMGSCRIPT_SIMULATION_SEED` replays one seed.
@Suite("Whatever sources, users and kills do, a listing is whole")
struct ListingSimulationTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let runs = environment["IMGSCRIPT_SIMULATION_RUNS"].flatMap { Int($0) } ?? 1_500
    private static let onlySeed = environment["IMGSCRIPT_SIMULATION_SEED"].flatMap { UInt64($0) }

    /// Seeds of searches that were wrong without a mend, and are played first.
    private static let searchSeeds: [UInt64] = [
        // What a former filter left out is delivered by a resumed search.
        5, 8, 15, 21, 36,
        // The first page is asked for first.
        1, 11, 16, 18, 26,
    ]
    /// Seeds of watches that lost images behind a limit.
    private static let watchSeeds: [UInt64] = [2, 16, 17, 27]

    @Test(arguments: searchSeeds)
    func searchThatWasWrongIsRight(seed: UInt64) { #expect(SearchScenario(seed: seed).fault() == nil) }

    @Test(arguments: watchSeeds)
    func watchThatWasWrongIsRight(seed: UInt64) { #expect(WatchScenario(seed: seed).fault() == nil) }

    @Test func everySearchDeliversWhatTheModelSays() {
        Self.run("search", Self.runs) { seed in
            let scenario = SearchScenario(seed: seed)
            return scenario.fault().map { "\($0)\n\(scenario)" }
        }
    }

    @Test func everyWatchFetchesWhatIsNew() {
        Self.run("watch", Self.runs / 5) { seed in
            let scenario = WatchScenario(seed: seed)
            return scenario.fault().map { "\($0)\n\(scenario)" }
        }
    }

    /// Plays all seeds on all processors; the first faults are reported with their seeds.
    private static func run(_ name: String, _ runs: Int, _ fault: @escaping @Sendable (UInt64) -> String?) {
        let seeds = onlySeed.map { $0...$0 } ?? 1...UInt64(max(1, runs))
        let next = Atomic(seeds.lowerBound)
        let faults = Mutex<[(seed: UInt64, fault: String)]>([])
        DispatchQueue.concurrentPerform(iterations: ProcessInfo.processInfo.activeProcessorCount) { _ in
            while true {
                let seed = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard seed <= seeds.upperBound else { return }
                if let fault = fault(seed) { faults.withLock { $0.append((seed, fault)) } }
            }
        }
        let found = faults.withLock(\.self).sorted { $0.seed < $1.seed }
        for (seed, fault) in found.prefix(5) { Issue.record("\(name), seed \(seed): \(fault)") }
        if !found.isEmpty { Issue.record("\(name): \(found.count) of \(seeds.count) runs are wrong") }
    }
}
