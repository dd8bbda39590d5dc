import FoundationEssentials
import ProviderRuntime

/// Coverage as tools for editors and build servers read it: the tracefile of geninfo(1).
package struct LCOVReport: Sendable {
    /// The tracefile's text.
    package let text: String

    package init(_ report: CoverageReport) {
        text = report.files.filter { $0.counts.trouble == nil }.map(Self.record).joined()
    }

    /// Writes the file, as a whole or not at all.
    package func write(to path: String) throws(CassetteError) {
        do {
            try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw CassetteError(path: path, reason: "cannot be written: \(error.systemReason)")
        }
    }

    private static func record(of file: CoverageReport.File) -> String {
        var lines = ["TN:", "SF:\(file.path)"]
        let names = Dictionary(grouping: file.counts.functions, by: \.name)
        // Functions are told apart by their names alone.
        let functions = file.counts.functions.map { function in
            let name = function.name.filter { !$0.isNewline && $0 != "," }
            return (function, names[function.name]?.count == 1 ? name : "\(name)@\(function.line)")
        }
        lines += functions.map { "FN:\($0.line),\($1)" } + functions.map { "FNDA:\($0.count),\($1)" }
        lines += ["FNF:\(file.functions.all)", "FNH:\(file.functions.reached)"]
        var branch = 0
        var condition: Int?
        for way in file.counts.branches {
            branch = way.condition == condition ? branch + 1 : 0
            condition = way.condition
            // A condition that was never come to is neither.
            let isReached = file.counts.branches.contains { $0.condition == way.condition && $0.count > 0 }
            lines.append("BRDA:\(way.line),\(way.condition),\(branch),\(isReached ? "\(way.count)" : "-")")
        }
        lines += ["BRF:\(file.branches.all)", "BRH:\(file.branches.reached)"]
        lines += file.counts.lines.map { "DA:\($0.number),\($0.count)" }
        lines += ["LF:\(file.lines.all)", "LH:\(file.lines.reached)", "end_of_record"]
        return lines.joined(separator: "\n") + "\n"
    }
}
