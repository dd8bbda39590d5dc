import ArgumentParser
import ImgScript
import ProviderRuntime

struct DevelopProvider: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dev", abstract: "Runs a provider's file at every save, and shows what comes of it.",
        discussion: """
            The request, the answer, the items, what the script logs, and what is new since the last run:
              imgscript providers dev providers/newsite.js red fox
              imgscript providers dev --sample providers/pixabay.js coffee
            Answers are stored as those of a search, so that a save need not ask the source again. Without words the \
            feed is shown. Ctrl-C ends.
            """)

    @Argument(help: ArgumentHelp("The provider's file.", valueName: "file"))
    var file: String

    @Argument(help: "The words to search for.")
    var text: [String] = []

    @Option(
        name: .customLong("param"),
        help: ArgumentHelp("A parameter of the provider; may be given several times.", valueName: "name=value"))
    var parameters: [String] = []

    @Option(
        name: [.customShort("n", allowingJoined: true), .long], within: SelectionOptions.limits,
        help: ArgumentHelp("The most images to ask for.", valueName: "n"))
    var limit = 20

    @OptionGroup(title: "Engine") var engine: EngineOptions

    func validate() throws {
        for text in parameters where !text.dropFirst().contains("=") {
            throw ValidationError("--param is “\(text)”, expected name=value.")
        }
        guard file.hasSuffix(".js"), !file.hasSuffix(".test.js") else {
            throw ValidationError("“\(file)” is no provider's file, expected a name such as newsite.js.")
        }
    }

    func run() async throws {
        let steps = DevelopmentSteps()
        let context = try AppContext(engine) { settings in
            settings.usesKeptResults = false
            settings.onTrace = { steps.add($0) }
            let onNotice = settings.onNotice
            settings.onNotice = { notice in
                if case .console(_, let level, let text) = notice {
                    steps.add(console: "\(level): \(text)")
                } else {
                    onNotice(notice)
                }
            }
        }
        try await context.run {
            try await context.engine.checkInstance(isTakenByFiles: [file])
            var options = SearchOptions()
            options.limit = limit
            options.pagesInFlight = 1
            for text in parameters {
                let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                options.parameters[String(parts[0])] = String(parts[1])
            }
            try await DevelopmentLoop(
                path: file, text: text.joined(separator: " "), options: options, isSample: engine.sample,
                steps: steps,
                context: context
            ).run()
        }
    }
}
