import ArgumentParser
import ImgScript
import ProviderAuthoring
import ProviderTesting

struct CheckProviders: EngineCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Looks at providers' files: the contract, and what is most likely not meant so.",
        discussion: """
            Each finding has its place, its weight and a mend. Scripts run in their sandbox over recorded answers; \
            nothing is sent. The exit code is 1 where a file cannot be used or does something else than it says; with \
            --strict warnings count, too.
            """)

    @Argument(help: ArgumentHelp("Providers' files, or folders with some.", valueName: "path"))
    var paths: [String]

    @Option(help: ArgumentHelp("The findings as: text or json.", valueName: "format"))
    var format = CheckFormat.text

    @Flag(help: "Fail on warnings, too.")
    var strict = false

    @OptionGroup var engine: EngineOptions

    func run(in context: AppContext) async throws {
        var settings = ConformanceSettings()
        settings.worker = context.settings.worker
        settings.deadline = context.settings.scriptTimeout
        settings.memory = context.settings.scriptMemory
        settings.instance = context.settings.instance
        var checked: [CheckedProvider] = []
        for path in paths {
            let files = ProviderConformance.files(at: path)
            guard !files.isEmpty else {
                let problem = ProviderConformance.nothing(at: path)
                throw ProviderError(.provider, provider: "", message: problem.message, hint: problem.hint)
            }
            try await context.engine.checkInstance(isTakenByFiles: files.map(\.path))
            for file in files {
                let provider = await ProviderReview.check(file, settings)
                checked.append(provider)
                guard format == .text else { continue }
                try context.print(CheckPrinter(provider).lines(on: context.terminal))
                try context.output.flush()
            }
        }
        if format == .json { try context.printLine(CheckPrinter.json(checked)) }
        let worst: [ProviderRemark.Severity] = strict ? [.error, .warning] : [.error]
        if checked.contains(where: { $0.remarks.contains { worst.contains($0.severity) } }) { throw ExitStatus.failure }
    }
}

/// The forms that findings are printed in.
enum CheckFormat: String, OptionChoice {
    case text
    case json
}
