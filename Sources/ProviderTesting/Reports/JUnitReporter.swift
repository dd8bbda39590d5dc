import ProviderModel

/// A report as JUnit XML, which every CI service reads.
package struct JUnitReporter: Reporter {
    /// Creates a reporter.
    package init() {}

    package func ending(of report: TestReport) -> String {
        let count = report.suites.reduce(0) { $0 + $1.cases.count }
        var xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        xml += "<testsuites tests=\"\(count)\" failures=\"\(report.count(of: .failed))\" errors=\"0\""
        xml += " skipped=\"\(report.count(of: .skipped))\""
        xml += " time=\"\(report.suites.reduce(Duration.zero) { $0 + $1.duration }.decimalSeconds)\">\n"
        for suite in report.suites { xml += text(of: suite) }
        return xml + "</testsuites>\n"
    }

    private func text(of suite: TestReport.Suite) -> String {
        let count = { (outcome: TestReport.Outcome) in suite.cases.count { $0.outcome == outcome } }
        var xml =
            "  <testsuite name=\"\(suite.name.xml)\" tests=\"\(suite.cases.count)\" failures=\"\(count(.failed))\""
        xml += " errors=\"0\" skipped=\"\(count(.skipped))\" time=\"\(suite.duration.decimalSeconds)\">\n"
        for test in suite.cases { xml += text(of: test, in: suite) }
        return xml + "  </testsuite>\n"
    }

    private func text(of test: TestReport.Case, in suite: TestReport.Suite) -> String {
        var xml = "    <testcase classname=\"\(suite.name.xml)\" name=\"\(test.fullName.xml)\""
        if let line = test.problems.lazy.compactMap(\.location).first {
            xml += " file=\"\(suite.folder.path(to: line.file).xml)\" line=\"\(line.line)\""
        }
        xml += " time=\"\(test.duration.decimalSeconds)\""
        let content = content(of: test)
        return xml + (content.isEmpty ? "/>\n" : ">\n\(content)    </testcase>\n")
    }

    private func content(of test: TestReport.Case) -> String {
        var xml = ""
        switch test.outcome {
        case .failed:
            for problem in test.problems {
                xml += "      <failure message=\"\(problem.message.xml)\">\(problem.plainText.xml)</failure>\n"
            }
        case .skipped: xml += "      <skipped message=\"\((test.noteWithHint ?? "").xml)\"/>\n"
        case .passed, .warning: break
        }
        var output = test.output
        if test.outcome == .warning { output = test.problems.map { "warning: \($0.plainText)" } + output }
        if test.outcome != .skipped, let note = test.note { output.insert(note, at: 0) }
        if let memory = test.memory { output.append("memory: \(memory) bytes") }
        if !output.isEmpty { xml += "      <system-out>\(output.joined(separator: "\n").xml)</system-out>\n" }
        return xml
    }
}

extension TestReport.Problem {
    /// Everything about it, as lines of plain text.
    var plainText: String {
        var lines = [text]
        if let location { lines.append("at \(location)") }
        if let diff { lines.append(diff) }
        if let hint { lines.append("→ \(hint)") }
        return lines.joined(separator: "\n")
    }
}

extension String {
    /// The text for XML and HTML: markup escaped, and without the characters that XML 1.0 §2.2 forbids.
    var xml: String {
        var escaped = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\n": escaped += "&#10;"
            case "\t": escaped += "&#9;"
            case "\u{0}"..."\u{1f}", "\u{7f}"..."\u{9f}", "\u{fffe}", "\u{ffff}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
