import ProviderModel

/// A report in the Test Anything Protocol (https://testanything.org/tap-version-13-specification.html).
///
/// It declares version 13, which more programs read than 14, and uses only what both versions have.
package struct TAPReporter: Reporter {
    /// Creates a reporter.
    package init() {}

    package func beginning() -> String { "TAP version 13\n" }

    package func text(of suite: TestReport.Suite, first: Int) -> String {
        var lines = ["# \(suite.name.tapComment)"]
        for (index, test) in suite.cases.enumerated() {
            let name = "\(suite.name): \(test.fullName)".tapDescription
            let directive = test.outcome == .skipped ? " # SKIP \((test.noteWithHint ?? "").tapDescription)" : ""
            lines.append("\(test.outcome == .failed ? "not ok" : "ok") \(first + index) - \(name)\(directive)")
            lines += diagnostics(of: test)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    package func ending(of report: TestReport) -> String { "1..\(report.suites.reduce(0) { $0 + $1.cases.count })\n" }

    /// A block of YAML below the line; its strings are quoted as JSON, which YAML contains.
    private func diagnostics(of test: TestReport.Case) -> [String] {
        var lines: [String] = []
        if test.duration > .zero { lines.append("duration_ms: \(Int((test.duration.inSeconds * 1_000).rounded()))") }
        if let memory = test.memory { lines.append("memory: \(memory)") }
        if test.outcome != .skipped, let note = test.note { lines.append("note: \(quoted(note))") }
        if !test.problems.isEmpty {
            lines.append("severity: \(test.outcome == .failed ? "fail" : "warning")")
            lines.append("problems:")
            for problem in test.problems {
                lines.append("  - message: \(quoted(problem.message))")
                if let path = problem.path { lines.append("    path: \(quoted(path))") }
                if let location = problem.location { lines.append("    at: \(quoted(location.description))") }
                if let diff = problem.diff { lines.append("    diff: \(quoted(diff))") }
                if let hint = problem.hint { lines.append("    hint: \(quoted(hint.description))") }
            }
        }
        return lines.isEmpty ? [] : ["  ---"] + lines.map { "  \($0)" } + ["  ..."]
    }

    private func quoted(_ text: String) -> String { JSONValue.text(text).compact }
}

extension String {
    /// One line in which a number sign begins no directive.
    fileprivate var tapDescription: String {
        onOneLine.replacing("\\", with: "\\\\").replacing("#", with: "\\#")
    }

    fileprivate var tapComment: String { onOneLine }
}
