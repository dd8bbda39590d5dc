import ImgScript
import ProviderTesting

/// Runs tests, and after every change those it affects.
struct TestWatch {
    let command: TestCommand
    let paths: [String]
    let context: AppContext

    /// Runs until the process is interrupted.
    func run() async throws {
        let watcher = try FolderWatcher()
        var impact = TestImpact(paths: paths)
        try watcher.watch(impact.folders)
        var waiting = impact.all
        var changes: Set<String> = []
        while true {
            try begin(impact.causes(among: changes))
            (waiting, changes) = try await round(over: waiting, of: impact, watcher)
            try end(impact)
            while true {
                if changes.isEmpty { changes = await watcher.nextChange() }
                let count = impact.count
                impact = TestImpact(paths: paths)
                try watcher.watch(impact.folders)
                let touched = impact.paths(touchedBy: changes)
                // Paths that an interruption skipped run after those that changed.
                waiting = touched + waiting.filter { !touched.contains($0) && impact.all.contains($0) }
                guard waiting.isEmpty else { break }
                changes = []
                // A provider has gone.
                if impact.count != count { try end(impact) }
            }
        }
    }

    /// Runs the paths until a change affects one; returns those not run, and the changes.
    private func round(
        over paths: [String], of impact: TestImpact, _ watcher: FolderWatcher
    ) async throws -> (waiting: [String], changes: Set<String>) {
        let tally = try command.coverage.tally()
        let sink = try ReportOutput(path: nil, otherwise: context.output)
        let reporter = command.reporter(context)
        let run = try command.testRun(context, TestedPacks(), tally)
        var report = TestReport()
        var changes: Set<String> = []
        var left = paths[...]
        while let path = left.popFirst() {
            let part = try await run.report(on: [path], through: reporter.withoutEnding, into: sink)
            report.suites += part.suites
            if command.bail, part.hasFailed { left = [] }
            changes.formUnion(watcher.takeChanges())
            if !impact.paths(touchedBy: changes).isEmpty { break }
        }
        try sink.write(reporter.ending(of: report))
        try command.coverage.finish(tally, to: sink, isBeside: false, context)
        return impact.paths(touchedBy: changes).isEmpty ? ([], []) : (Array(left), changes)
    }

    private func begin(_ changes: Set<String>) throws {
        guard context.terminal.hasColors else { return }
        // Home, erase what is shown (ECMA-48 ED); what scrolled away stays.
        try context.output.write(Array("\u{1b}[H\u{1b}[2J".utf8))
        let names = changes.sorted().prefix(3).map { TerminalText.line($0) }.joined(separator: ", ")
        guard !names.isEmpty else { return }
        let more = changes.count > 3 ? " and \(changes.count - 3) more" : ""
        try context.printLine(context.terminal.paint("\(names)\(more) changed", .dim) + "\n")
    }

    private func end(_ impact: TestImpact) throws {
        let what = impact.count == 1 ? TerminalText.line(impact.all[0]) : "\(impact.count) providers"
        try context.printLine(context.terminal.paint("\nwatching \(what); press Ctrl-C to stop", .dim))
        try context.output.flush()
    }
}

/// A reporter without an ending.
private struct PartialReporter: Reporter {
    let base: any Reporter

    func text(of suite: TestReport.Suite, first: Int) -> String { base.text(of: suite, first: first) }

    func ending(of report: TestReport) -> String { "" }
}

extension Reporter {
    fileprivate var withoutEnding: any Reporter { PartialReporter(base: self) }
}
