import CSpawn
import Testing

@Suite("What else runs is read from the system's own figures")
struct RunningThreadsTests {
    @Test(arguments: [
        ("0.00 0.00 0.00 1/1 1\n", 1), ("0.20 1.18 0.12 2/80 11206\n", 2), ("153.04 99.10 64.00 412/9001 4194303", 412),
    ])
    func secondNumberFromTheEndCounts(_ figures: String, expected: Int32) {
        #expect(running_threads(figures) == expected)
    }

    @Test(arguments: ["", "\n", "0.20 1.18 0.12", "0.20 1.18 0.12 2", "0.20 1.18 0.12 two/80 1", "cpu 1 2 3 4"])
    func otherTextSaysNothing(_ figures: String) {
        #expect(running_threads(figures) == -1)
    }

    /// This test is a thread that runs.
    @Test func someoneAlwaysRuns() {
        #expect(!nothing_else_runs(0))
        #expect(nothing_else_runs(.max))
    }
}
