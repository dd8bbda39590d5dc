import ArgumentParser
import ImgScript
import ProviderTesting

/// Options of what counts the lines that tests reach.
struct CoverageOptions: ParsableArguments {
    @Flag(help: "Tell which lines of the files are reached and which are not; needs node-acorn.")
    var coverage = false

    @Option(help: ArgumentHelp("Write what is reached as lcov, too.", valueName: "file"))
    var coverageLcov: String?

    /// Whether anything is counted.
    var isWanted: Bool { coverage || coverageLcov != nil }

    /// A tally for a run; nil where nothing is counted.
    func tally() throws -> CoverageTally? { isWanted ? CoverageTally(parser: try CoverageParser()) : nil }

    /// Shows what was counted, on the report's output or beside it, and writes the file.
    func finish(_ tally: CoverageTally?, to sink: ReportSink, isBeside: Bool, _ context: AppContext) throws {
        guard let report = tally?.report else { return }
        let terminal = isBeside ? context.status.terminal : context.terminal
        let style = terminal.style
        let table = CoverageTable(width: terminal.isTerminal ? terminal.width : 120) { style.paint($0, $1.style) }
            .text(of: report)
        if isBeside {
            for line in table.split(separator: "\n") { context.status.note(rendered: String(line)) }
        } else {
            try sink.write("\n" + table)
        }
        if let coverageLcov { try LCOVReport(report).write(to: coverageLcov) }
    }
}
