import ArgumentParser
import FoundationEssentials
import ImgScript
import ProviderRuntime
import ProviderTesting

/// Where a report goes: a file, written when it is whole, or the standard output, piece by piece.
final class ReportOutput {
    private let path: String?
    private let output: TextOutput
    private var text = ""

    /// A report into a file, or into `output` where no file is named.
    init(path: String?, otherwise output: TextOutput) throws {
        self.path = path
        self.output = output
    }

    /// Takes the next piece.
    func write(_ piece: String) throws {
        guard path == nil else {
            text += piece
            return
        }
        try output.write(Array(piece.utf8))
        try output.flush()
    }

    /// Writes the file, where there is one.
    func finish() throws {
        guard let path else { return }
        do {
            try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw OutputError(.writing, "could not write \(path): \(error.systemReason)")
        }
    }

    /// The text of a file, for code frames; nil where it cannot be read.
    static func text(of path: String) -> String? {
        (try? Data(contentsOf: URL(filePath: path))).map { String(decoding: $0, as: UTF8.self) }  // a frame less
    }
}

/// Options of the line coverage.
struct CoverageOptions: ParsableArguments {
    @Flag(help: "report covered and uncovered lines; needs node-acorn")
    var coverage = false

    @Option(help: ArgumentHelp("write the coverage as lcov to a file", valueName: "file"), completion: .file())
    var coverageLcov: String?

    /// Whether anything is counted.
    var isWanted: Bool { coverage || coverageLcov != nil }

    /// A tally for a run; nil where nothing is counted.
    func tally() throws -> CoverageTally? { isWanted ? CoverageTally(parser: try CoverageParser()) : nil }

    /// Shows what was counted, on the report's output or beside it, and writes the file.
    func finish(_ tally: CoverageTally?, to sink: ReportOutput, isBeside: Bool, _ context: AppContext) throws {
        guard let report = tally?.report else { return }
        let terminal = isBeside ? context.status.terminal : context.terminal
        let table = CoverageTable(width: terminal.isTerminal ? terminal.width : 120) { terminal.paint($0, $1.style) }
            .text(of: report)
        if isBeside {
            context.status.note(rendered: table.split(separator: "\n").map(String.init))
        } else {
            try sink.write("\n" + table)
        }
        if let coverageLcov { try LCOVReport(report).write(to: coverageLcov) }
    }
}
