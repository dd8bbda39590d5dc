import ProviderModel

/// Annotations of GitHub's workflows: one command for each problem, which is shown at its line of the changes.
///
/// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
package struct GitHubReporter: Reporter {
    /// Creates a reporter.
    package init() {}

    package func text(of suite: TestReport.Suite, first: Int) -> String {
        var lines: [String] = []
        for test in suite.cases where test.outcome == .failed || test.outcome == .warning {
            for problem in test.problems {
                var message = problem.text
                if let diff = problem.diff { message += "\n\(diff)" }
                if let hint = problem.hint { message += "\nhint: \(hint.description)" }
                lines.append(
                    GitHubAnnotation(
                        level: test.outcome == .failed ? .error : .warning, title: "\(suite.name): \(test.fullName)",
                        message: message, location: problem.location, folder: suite.folder
                    ).line)
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    package func ending(of report: TestReport) -> String {
        let counts = TestReport.Outcome.allCases.reversed().compactMap { outcome -> String? in
            let count = report.count(of: outcome)
            return count == 0 ? nil : "\(count) \(outcome.rawValue)"
        }
        return counts.joined(separator: ", ") + "\n"
    }
}

/// One annotation.
package struct GitHubAnnotation: Sendable {
    /// How it is shown.
    package enum Level: String, Sendable {
        case error, warning, notice
    }

    let level: Level
    let title: String
    let message: String
    let location: SourceLocation?
    let folder: String

    /// Creates an annotation of a place in a folder's file.
    package init(level: Level, title: String, message: String, location: SourceLocation?, folder: String) {
        (self.level, self.title, self.message) = (level, title, message)
        (self.location, self.folder) = (location, folder)
    }

    /// The command: `::error file=providers/made.js,line=3,col=5,title=…::…`.
    package var line: String {
        var properties: [String] = []
        if let location {
            let file = location.file.hasPrefix("/") || folder.isEmpty ? location.file : folder.path(to: location.file)
            properties.append("file=\(Self.property(file))")
            if location.line > 0 { properties.append("line=\(location.line)") }
            if location.column > 0 { properties.append("col=\(location.column)") }
        }
        properties.append("title=\(Self.property(title))")
        return "::\(level.rawValue) \(properties.joined(separator: ","))::\(Self.data(message))"
    }

    /// What ends a command is escaped, so that no text of a source begins one.
    private static func data(_ text: String) -> String {
        text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    private static func property(_ text: String) -> String {
        data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}
