import ProviderRuntime

/// How much of each file was reached.
package struct CoverageReport: Hashable, Sendable {
    /// One file.
    package struct File: Hashable, Sendable {
        /// Its path.
        package var path: String
        /// How often what was reached.
        package var counts: WorkerSettings.Coverage.File
    }

    /// How many of some parts were reached.
    package struct Share: Hashable, Sendable {
        /// Those that were.
        package var reached = 0
        /// All.
        package var all = 0

        package init(_ counts: [Int] = []) {
            (reached, all) = (counts.count { $0 > 0 }, counts.count)
        }

        /// In percent, rounded down, so that only all of it is 100; nil where there is nothing.
        package var percent: Double? { all == 0 ? nil : Double(reached * 1_000 / all) / 10 }

        static func + (left: Share, right: Share) -> Share {
            var sum = left
            sum.reached += right.reached
            sum.all += right.all
            return sum
        }
    }

    /// By path.
    package var files: [File]

    package init(files: [File]) { self.files = files }
}

extension CoverageReport.File {
    package var lines: CoverageReport.Share { .init(counts.lines.map(\.count)) }
    package var functions: CoverageReport.Share { .init(counts.functions.map(\.count)) }
    package var branches: CoverageReport.Share { .init(counts.branches.map(\.count)) }

    /// Runs of lines that were not reached, such as `41` and `56-60`; lines without code do not end a run.
    package var missingLines: [String] {
        var runs: [(first: Int, last: Int)] = []
        var isMissing = false
        for line in counts.lines.sorted(by: { $0.number < $1.number }) {
            defer { isMissing = line.count == 0 }
            guard line.count == 0 else { continue }
            if isMissing { runs[runs.count - 1].last = line.number } else { runs.append((line.number, line.number)) }
        }
        return runs.map { $0.first == $0.last ? "\($0.first)" : "\($0.first)-\($0.last)" }
    }
}
