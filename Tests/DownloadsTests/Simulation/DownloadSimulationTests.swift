import Foundation
import Testing

/// Downloads under everything that may happen to them, held to ``FolderModel``.
///
/// `make simulate` runs more of them; `IMGSCRIPT_SIMULATION_SEED=17` runs one alone.
@Suite struct DownloadSimulationTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let count =
        environment["IMGSCRIPT_SIMULATION_RUNS"].flatMap { Int($0) }.map { max($0 / 100, 1) } ?? 60
    /// The seeds that once found a fault.
    private static let found: [UInt64] = [64, 76, 82, 107, 126]
    /// The seed that is run alone, and the first of many.
    private static let single = environment["IMGSCRIPT_SIMULATION_SEED"].flatMap { UInt64($0) }
    private static let first = environment["IMGSCRIPT_SIMULATION_FIRST"].flatMap { UInt64($0) } ?? 1

    @Test func whateverHappensEachFileIsThereOnceOrListedAsFailed() async throws {
        let range = Self.first..<Self.first + UInt64(Self.count)
        let seeds = Self.single.map { [$0] } ?? Self.found + range.filter { !Self.found.contains($0) }
        var failed: [(seed: UInt64, violations: [String])] = []
        await withTaskGroup(of: (UInt64, [String]).self) { group in
            var next = seeds.makeIterator()
            func add() {
                guard let seed = next.next() else { return }
                group.addTask {
                    do { return (seed, try await DownloadSimulation(seed: seed).violations()) } catch {
                        return (seed, ["\(error)"])
                    }
                }
            }
            for _ in 0..<8 { add() }
            for await (seed, violations) in group {
                if !violations.isEmpty { failed.append((seed, violations)) }
                add()
            }
        }
        for (seed, violations) in failed.sorted(by: { $0.seed < $1.seed }).prefix(5) {
            Issue.record(
                """
                IMGSCRIPT_SIMULATION_SEED=\(seed): \(violations.joined(separator: "; "))
                \(DownloadSimulation(seed: seed).summary)
                """)
        }
        #expect(failed.isEmpty, "\(failed.count) of \(seeds.count) seeds")
    }
}
