import ProviderModel

/// A report as one HTML file that needs nothing else: no script, no font, no server.
package struct HTMLReporter: Reporter {
    private let source: SourceReader

    /// Shows lines of the files that `source` reads.
    package init(source: @escaping SourceReader = { _ in nil }) { self.source = source }

    package func ending(of report: TestReport) -> String {
        let counts = TestReport.Outcome.allCases.reversed().map { outcome in
            "<li class=\"\(outcome.rawValue)\"><b>\(report.count(of: outcome))</b> \(outcome.rawValue)</li>"
        }
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <title>imgscript test: \(report.hasFailed ? "failed" : "passed")</title>
            <style>
            \(Self.style)
            </style>
            </head>
            <body>
            <h1>imgscript test</h1>
            <ul class="counts">\(counts.joined())</ul>
            \(report.suites.map(text).joined(separator: "\n"))
            </body>
            </html>

            """
    }

    private func text(of suite: TestReport.Suite) -> String {
        let worst = suite.cases.contains { $0.outcome == .failed }
        let live = suite.isLive ? " <em>live</em>" : ""
        let failed = suite.cases.count { $0.outcome == .failed }
        let figures = "\(suite.cases.count) cases, \(failed) failed, \(suite.duration.shown)"
        return """
            <details class="suite"\(worst ? " open" : "")>
            <summary><h2>\(suite.name.xml)\(live)</h2> <small>\(figures)</small></summary>
            <ol>
            \(suite.cases.map { text(of: $0, in: suite) }.joined(separator: "\n"))
            </ol>
            </details>
            """
    }

    private func text(of test: TestReport.Case, in suite: TestReport.Suite) -> String {
        let memory = test.memory.map { ", \($0.shownAsBytes)" } ?? ""
        var html = "<li class=\"\(test.outcome.rawValue)\"><span class=\"mark\">\(test.outcome.mark)</span> "
        html += "\(test.fullName.xml) <small>\(test.duration.shown)\(memory)</small>"
        if let note = test.noteWithHint { html += "<p class=\"note\">\(note.xml)</p>" }
        for problem in test.problems { html += text(of: problem, folder: suite.folder) }
        if !test.output.isEmpty { html += "<pre class=\"output\">\(test.output.joined(separator: "\n").html)</pre>" }
        return html + "</li>"
    }

    private func text(of problem: TestReport.Problem, folder: String) -> String {
        var html =
            "<div class=\"problem\"><pre>\(problem.text.html)</pre>"
        if let location = problem.location {
            html += "<p><code>\(location.description.xml)</code></p>"
            let path = location.file.hasPrefix("/") ? location.file : folder.path(to: location.file)
            if let text = source(path), let frame = CodeFrame(of: location, in: text) {
                let lines = frame.lines.map { line in
                    let text = "\(line.gutter)\(line.text)".html
                    return line.isMarked ? "<mark>\(text)</mark>" : text
                }
                html += "<pre class=\"frame\">\(lines.joined(separator: "\n"))</pre>"
            }
        }
        if let diff = problem.diff {
            let lines = diff.split(separator: "\n", omittingEmptySubsequences: false).map { line in
                line.hasPrefix("+")
                    ? "<ins>\(String(line).html)</ins>"
                    : line.hasPrefix("-") ? "<del>\(String(line).html)</del>" : String(line).html
            }
            html += "<pre class=\"diff\">\(lines.joined(separator: "\n"))</pre>"
        }
        if let hint = problem.hint { html += "<p>→ \(hint.description.xml)</p>" }
        return html + "</div>"
    }

    private static let style = """
        :root { color-scheme: light dark; --good: #1a7f37; --bad: #cf222e; --doubtful: #9a6700; --dim: #6e7781; }
        @media (prefers-color-scheme: dark) {
          :root { --good: #3fb950; --bad: #f85149; --doubtful: #d29922; --dim: #8b949e; }
        }
        body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
        h2 { display: inline; font-size: 1.1rem; }
        summary { cursor: pointer; padding: .4rem 0; }
        ul.counts { display: flex; gap: 1.5rem; padding: 0; list-style: none; }
        ol { list-style: none; padding-left: 1.2rem; }
        li { margin: .2rem 0; }
        li.passed .mark, li.passed b { color: var(--good); }
        li.failed .mark, li.failed b { color: var(--bad); }
        li.warning .mark, li.warning b { color: var(--doubtful); }
        li.skipped, small, .note { color: var(--dim); }
        .note { margin: 0 0 0 1.4rem; }
        .problem { border-left: 3px solid var(--dim); margin: .4rem 0 .8rem 1.4rem; padding-left: .8rem; }
        li.failed .problem { border-color: var(--bad); }
        li.warning .problem { border-color: var(--doubtful); }
        pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .3rem 0; }
        pre.frame, pre.diff { white-space: pre; overflow-x: auto; }
        ins { color: var(--good); text-decoration: none; } del { color: var(--bad); text-decoration: none; }
        mark { background: none; color: inherit; font-weight: bold; }
        """
}

extension String {
    /// The text for HTML with its line breaks as they are.
    fileprivate var html: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { String($0).xml }.joined(separator: "\n")
    }
}
