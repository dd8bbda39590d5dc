import ArgumentParser
import Packs
import ProviderRuntime
import ProviderTesting

struct PackRunTests: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run-tests",
        abstract: "Runs the recordings of an installed pack, or of one in a folder or a file.")

    @Argument(help: ArgumentHelp("An installed pack's name, or where one is.", valueName: "pack"))
    var pack = "."

    @OptionGroup var options: TriedPackOptions

    func run() async throws {
        let context = try PackContext(options.engine)
        try await context.app.run {
            if let local = try await context.localPack(pack) { return try await test(local.folder, context) }
            let source = try context.source(pack)
            if case .folder(let folder) = source { return try await test(folder, context) }
            let candidate = try await context.installer(for: [pack]).candidate(from: source, in: try context.bench())
            try await test(candidate.folder, context)
        }
    }

    private func test(_ folder: String, _ context: PackContext) async throws {
        let manifest = try PackManifest.read(folder: folder)
        let terminal = context.app.terminal
        let reporter = TerminalReporter(
            paint: { terminal.paint($0, $1.style) }, source: ReportOutput.text(of:), isVerbose: options.network.verbose)
        let report = try await context.checks(of: manifest, in: folder)
        try reporter.write(report) { try context.app.output.write(Array($0.utf8)) }
        try context.app.output.flush()
        if report.hasFailed { throw ExitStatus.failure }
    }
}
