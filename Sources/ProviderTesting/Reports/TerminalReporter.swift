import ProviderModel

/// A report for a terminal: a mark for each case, and what is wrong with its place in the file.
package struct TerminalReporter: Reporter {
    private let paint: ReportPaint
    private let source: SourceReader
    private let isVerbose: Bool

    /// Writes with these colours; `isVerbose` shows the notes and output of cases that passed, too.
    package init(
        paint: @escaping ReportPaint = { text, _ in text }, source: @escaping SourceReader = { _ in nil },
        isVerbose: Bool = false
    ) {
        self.paint = paint
        self.source = source
        self.isVerbose = isVerbose
    }

    package func text(of suite: TestReport.Suite, first: Int) -> String {
        let live = suite.isLive ? paint(" live", .warning) : ""
        var lines = ["\(paint(suite.name.onOneLine, .heading))\(live) \(paint(suite.duration.shown, .dim))"]
        var groups: [String] = []
        for test in suite.cases {
            if test.groups != groups {
                groups = test.groups
                for (depth, group) in groups.enumerated() { lines.append(indent(depth + 1) + group.onOneLine) }
            }
            lines += self.lines(of: test, in: suite, indentation: indent(groups.count + 1))
        }
        return lines.joined(separator: "\n") + "\n\n"
    }

    package func ending(of report: TestReport) -> String {
        let counts: [(TestReport.Outcome, String, ReportRole)] = [
            (.failed, "failed", .failed), (.warning, "with warnings", .warning), (.passed, "passed", .passed),
            (.skipped, "skipped", .skipped),
        ]
        let parts = counts.compactMap { outcome, word, role -> String? in
            let count = report.count(of: outcome)
            return count == 0 ? nil : paint("\(count) \(word)", role)
        }
        let duration = report.suites.reduce(Duration.zero) { $0 + $1.duration }
        let what = parts.isEmpty ? "nothing was tested" : parts.joined(separator: ", ")
        return "\(what) \(paint("in \(duration.shown)", .dim))\n"
    }

    private func indent(_ depth: Int) -> String { String(repeating: "  ", count: depth) }

    private func lines(of test: TestReport.Case, in suite: TestReport.Suite, indentation: String) -> [String] {
        var head = "\(indentation)\(paint(test.outcome.mark, test.outcome.role)) \(test.name.onOneLine)"
        if let note = test.note, isVerbose || suite.isLive || test.memory != nil || test.outcome != .passed {
            head += paint(" · \(note.onOneLine)", .dim)
        }
        if test.duration >= .milliseconds(100) { head += paint(" \(test.duration.shown)", .dim) }
        if let memory = test.memory { head += paint(", the process \(memory.shownAsBytes)", .dim) }
        var lines = [head]
        let inner = indentation + "  "
        if let hint = test.hint { lines.append("\(inner)→ \(hint.description.onOneLine)") }
        var shown: Set<SourceLocation> = []
        for problem in test.problems {
            let isNew = problem.location.map { shown.insert($0).inserted } ?? false
            let frame = problem.location.map { self.frame(at: $0, in: isNew ? suite.folder : nil) } ?? []
            lines += self.lines(of: problem, frame: frame, test.outcome.role).map { inner + $0 }
        }
        if isVerbose || test.outcome == .failed {
            lines += fitting(test.output).map { inner + paint("console: \($0)", .dim) }
        }
        return lines
    }

    /// The lines that fit a look; all of them are in the other reports, and here where much was asked for.
    private func fitting(_ output: [String]) -> [String] {
        let most = isVerbose ? output.count : 20
        let shown = output.prefix(most).map { line in
            line.count > Self.longestLine && !isVerbose
                ? line.prefix(Self.longestLine).description.onOneLine + "…" : line.onOneLine
        }
        return output.count > most ? shown + ["and \(output.count - most) more lines"] : shown
    }

    private static let longestLine = 400

    private func lines(of problem: TestReport.Problem, frame: [String], _ role: ReportRole) -> [String] {
        var lines: [String] = []
        for (index, line) in problem.text.split(separator: "\n").enumerated() {
            lines.append(index == 0 ? paint(String(line).onOneLine, role) : String(line).onOneLine)
        }
        lines += frame
        for line in (problem.diff ?? "").split(separator: "\n", omittingEmptySubsequences: false)
        where problem.diff != nil {
            let text = String(line).onOneLine
            lines.append(
                text.hasPrefix("+")
                    ? paint(text, .added) : text.hasPrefix("-") ? paint(text, .removed) : paint(text, .dim))
        }
        if let hint = problem.hint { lines.append("→ \(hint.description.onOneLine)") }
        return lines
    }

    /// The place, with the lines around it where they have not been shown yet.
    private func frame(at location: SourceLocation, in folder: String?) -> [String] {
        let place = paint("at \(location)", .dim)
        guard let folder,
            let text = source(location.file.hasPrefix("/") ? location.file : folder.path(to: location.file)),
            let frame = CodeFrame(of: location, in: text)
        else { return [place] }
        return [place]
            + frame.lines.map { line in
                line.isMarked
                    ? paint(line.gutter, .failed) + line.text.onOneLine : paint(line.gutter + line.text.onOneLine, .dim)
            }
    }
}

extension TestReport.Outcome {
    /// A tick, a cross, or what stands between.
    var mark: String {
        switch self {
        case .passed: "✓"
        case .skipped: "○"
        case .warning: "!"
        case .failed: "✗"
        }
    }

    var role: ReportRole {
        switch self {
        case .passed: .passed
        case .skipped: .skipped
        case .warning: .warning
        case .failed: .failed
        }
    }
}

extension String {
    /// The text without anything that moves a terminal's cursor or colours it: it may come from an untrusted file.
    var onOneLine: String {
        var cleaned = ""
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control: cleaned += scalar == "\n" || scalar == "\t" ? " " : "\u{FFFD}"
            // Marks that turn the direction of writing; the joiner inside an emoji is none.
            case .format where scalar != "\u{200d}": cleaned += "\u{FFFD}"
            default: cleaned.unicodeScalars.append(scalar)
            }
        }
        return cleaned
    }
}
