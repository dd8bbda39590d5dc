import FoundationEssentials
import ProviderModel
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

        /// Counts the parts that were executed at least once.
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

    /// Creates a report.
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

/// Coverage for a terminal: a line for each file, with the lines that nothing reached.
package struct CoverageTable: Sendable {
    private let paint: ReportPaint
    private let width: Int

    /// A table with these colours, as wide as a terminal.
    package init(width: Int = 100, paint: @escaping ReportPaint = { text, _ in text }) {
        self.width = width
        self.paint = paint
    }

    /// The table.
    package func text(of report: CoverageReport) -> String {
        guard !report.files.isEmpty else { return "coverage: no file was read\n" }
        let paths = report.files.map { $0.path.onOneLine }
        let column = min(max(12, (paths + ["all files"]).map(\.count).max() ?? 0), max(12, width - 50))
        let heads = "  lines  functions  branches  not reached"
        var lines = [paint("Coverage".padded(to: column) + heads, .heading)]
        for (file, path) in zip(report.files, paths) {
            let name = path.count > column ? "…" + path.suffix(column - 1) : path
            if let trouble = file.counts.trouble {
                lines.append(name.padded(to: column) + paint("  could not be measured: \(trouble.onOneLine)", .warning))
                continue
            }
            lines.append(
                name.padded(to: column) + shares(file.lines, file.functions, file.branches)
                    + paint(missing(file.missingLines, width: max(16, width - column - 32)), .failed))
        }
        if report.files.count > 1 {
            let total = { (part: (CoverageReport.File) -> CoverageReport.Share) in
                report.files.map(part).reduce(CoverageReport.Share(), +)
            }
            lines.append("all files".padded(to: column) + shares(total(\.lines), total(\.functions), total(\.branches)))
        }
        return lines.map { $0.trimmingEnd }.joined(separator: "\n") + "\n"
    }

    private func shares(_ parts: CoverageReport.Share...) -> String {
        zip(parts, [7, 11, 10]).map { share, width in
            guard let percent = share.percent else { return paint("–".padded(before: width), .dim) }
            let whole = Int(percent)
            let text = "\(whole).\(Int((percent * 10).rounded()) - whole * 10)%"
            return paint(text.padded(before: width), percent >= 80 ? .passed : percent >= 50 ? .warning : .failed)
        }.joined() + "  "
    }

    /// As many runs as fit, and how many more there are.
    private func missing(_ runs: [String], width: Int) -> String {
        var text = ""
        for (index, run) in runs.enumerated() {
            let next = text.isEmpty ? run : "\(text), \(run)"
            guard next.count <= width - 10 || index == 0 else { return "\(text), \(runs.count - index) more" }
            text = next
        }
        return text
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    fileprivate func padded(before width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }

    fileprivate var trimmingEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}

/// Coverage as tools for editors and build servers read it: the tracefile of geninfo(1).
package struct LCOVReport: Sendable {
    /// The tracefile's text.
    package let text: String

    /// Creates the tracefile of a report.
    package init(_ report: CoverageReport) {
        text = report.files.filter { $0.counts.trouble == nil }.map(Self.record).joined()
    }

    /// Writes the file, as a whole or not at all.
    package func write(to path: String) throws(ProviderError) {
        do {
            try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw ProviderError(.file, provider: "", message: "could not write \(path): \(error.systemReason)")
        }
    }

    private static func record(of file: CoverageReport.File) -> String {
        var lines = ["TN:", "SF:\(file.path)"]
        let names = Dictionary(grouping: file.counts.functions, by: \.name)
        // Functions are distinguished by their names alone.
        let functions = file.counts.functions.map { function in
            let name = function.name.filter { !$0.isNewline && $0 != "," }
            return (function, names[function.name]?.count == 1 ? name : "\(name)@\(function.line)")
        }
        lines += functions.map { "FN:\($0.line),\($1)" } + functions.map { "FNDA:\($0.count),\($1)" }
        lines += ["FNF:\(file.functions.all)", "FNH:\(file.functions.reached)"]
        var branch = 0
        var condition: Int?
        for arm in file.counts.branches {
            branch = arm.condition == condition ? branch + 1 : 0
            condition = arm.condition
            // A condition that was never come to is neither.
            let isReached = file.counts.branches.contains { $0.condition == arm.condition && $0.count > 0 }
            lines.append("BRDA:\(arm.line),\(arm.condition),\(branch),\(isReached ? "\(arm.count)" : "-")")
        }
        lines += ["BRF:\(file.branches.all)", "BRH:\(file.branches.reached)"]
        lines += file.counts.lines.map { "DA:\($0.number),\($0.count)" }
        lines += ["LF:\(file.lines.all)", "LH:\(file.lines.reached)", "end_of_record"]
        return lines.joined(separator: "\n") + "\n"
    }
}
