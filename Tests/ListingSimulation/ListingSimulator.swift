import Dispatch
import Glibc
import Synchronization

/// Random runs of the code that reads listings, under a virtual clock, held to ``ListingModel``.
///
///     listing-simulator [SEARCHES [SEED]]
///
/// plays so many searches, or the one of a seed, and a fifth as many watches. Prints what is wrong, and ends with 1 then.
@main enum ListingSimulator {
    #if DEBUG
        private static let usualRuns: UInt64 = 1_500
    #else
        private static let usualRuns: UInt64 = 40_000
    #endif

    static func main() {
        let arguments = CommandLine.arguments.dropFirst().map { UInt64($0) }
        guard arguments.count <= 2, !arguments.contains(nil) else { exit(64) }
        let runs = max(1, (arguments.first ?? usualRuns) ?? usualRuns)
        let seed = arguments.last.flatMap { arguments.count == 2 ? $0 : nil }
        let searches = faults("search", seed.map { $0...$0 } ?? 1...runs) { seed in
            let scenario = SearchScenario(seed: seed)
            return scenario.fault().map { "\($0)\n\(scenario)" }
        }
        let watches = faults("watch", seed.map { $0...$0 } ?? 1...max(1, runs / 5)) { seed in
            let scenario = WatchScenario(seed: seed)
            return scenario.fault().map { "\($0)\n\(scenario)" }
        }
        exit(searches + watches == 0 ? 0 : 1)
    }

    /// Plays all seeds on all processors and prints the first faults with their seeds; how many runs are wrong.
    private static func faults(
        _ name: String, _ seeds: ClosedRange<UInt64>, _ fault: @escaping @Sendable (UInt64) -> String?
    ) -> Int {
        let next = Atomic(seeds.lowerBound)
        let faults = Mutex<[(seed: UInt64, fault: String)]>([])
        DispatchQueue.concurrentPerform(iterations: sysconf(CInt(_SC_NPROCESSORS_ONLN))) { _ in
            while true {
                let seed = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard seed <= seeds.upperBound else { return }
                if let fault = fault(seed) { faults.withLock { $0.append((seed, fault)) } }
            }
        }
        let found = faults.withLock(\.self).sorted { $0.seed < $1.seed }
        for (seed, fault) in found.prefix(5) { print("\(name), seed \(seed): \(fault)") }
        print("\(name): \(found.count) of \(seeds.count) runs are wrong")
        return found.count
    }
}
