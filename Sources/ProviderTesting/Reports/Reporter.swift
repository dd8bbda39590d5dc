/// Writes a report while it grows: each suite as it ends, then what sums all up.
package protocol Reporter: Sendable {
    /// What is written before the first suite.
    func beginning() -> String

    /// What is written when a suite has ended; `first` is the number of its first case, from 1.
    func text(of suite: TestReport.Suite, first: Int) -> String

    /// What is written at the end.
    func ending(of report: TestReport) -> String
}

extension Reporter {
    package func beginning() -> String { "" }

    package func text(of suite: TestReport.Suite, first: Int) -> String { "" }

    /// Writes a finished report as a whole.
    package func write(_ report: TestReport, to sink: (String) throws -> Void) rethrows {
        try sink(beginning())
        var first = 1
        for suite in report.suites {
            try sink(text(of: suite, first: first))
            first += suite.cases.count
        }
        try sink(ending(of: report))
    }
}

/// The forms a report can be had in.
package enum ReportFormat: String, Sendable, CaseIterable {
    case terminal
    case junit
    case tap
    case json
    case html
    case github
}

/// Roles of a report's words, which a terminal may colour.
package enum ReportRole: Sendable {
    case passed
    case warning
    case failed
    case skipped
    case heading
    case dim
    case added
    case removed
}

/// Colours a word by its role; a plain output returns the word as it is.
package typealias ReportPaint = @Sendable (String, ReportRole) -> String

/// The text of a file of a suite's folder, for code frames; nil where it cannot be had.
package typealias SourceReader = @Sendable (_ path: String) -> String?

extension Duration {
    /// The duration in seconds.
    package var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }

    /// `0.4 ms`, `12 ms`, `1.25 s`.
    package var shown: String {
        let milliseconds = inSeconds * 1_000
        if milliseconds < 10 { return "\((milliseconds * 10).rounded() / 10) ms" }
        if milliseconds < 1_000 { return "\(Int(milliseconds.rounded())) ms" }
        return "\((milliseconds / 10).rounded() / 100) s"
    }

    /// Seconds with three digits after the point, as XML reports have it.
    package var decimalSeconds: String {
        let thousandths = Int((inSeconds * 1_000).rounded())
        let rest = String(thousandths % 1_000)
        return "\(thousandths / 1_000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
    }
}

extension Int {
    /// `31 MB`, `640 KB`.
    package var shownAsBytes: String { self >= 1 << 20 ? "\(self >> 20) MB" : "\(self >> 10) KB" }
}
