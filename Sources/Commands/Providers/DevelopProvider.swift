import ArgumentParser
import Glibc
import ImgScript
import ProviderRuntime

struct DevelopProvider: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dev", abstract: "Run a provider file on every save, and show the results",
        discussion: """
            Shows the request, the response, the items, what the script logs, and what changed since the last run:
              imgscript providers dev providers/newsite.js red fox
              imgscript providers dev --sample providers/pixabay.js coffee
              imgscript providers dev --save-responses seen providers/newsite.js red fox
              imgscript providers dev --replay seen providers/newsite.js red fox
              imgscript providers dev --response providers/newsite.js red fox
              imgscript providers dev --call details providers/newsite.js red fox
            --response shows whole responses: values of JSON by their paths, elements of pages by their selectors. --call runs \
            an operation for the item that --item names, or the first of the listing. After an error the last good items stay. \
            Responses are cached as for a search. Without words it shows the feed. Press Ctrl-C to stop.
            """)

    @Argument(help: ArgumentHelp("provider file", valueName: "file"), completion: .file(extensions: ["js"]))
    var file: String

    @Argument(help: "words to search for", completion: .nothing)
    var text: [String] = []

    @Option(name: .customLong("param"), help: .parameters)
    var parameters: [String] = []

    @Option(
        name: .limit, within: SelectionOptions.limits, help: ArgumentHelp("maximum number of images", valueName: "n"))
    var limit = 20

    @Option(
        name: .customLong("save-responses"),
        help: ArgumentHelp("keep every response in a folder, secrets masked", valueName: "folder"),
        completion: .directory)
    var savedResponses: String?

    @Option(
        help: ArgumentHelp("answer from a folder of kept responses; nothing is sent", valueName: "folder"),
        completion: .directory)
    var replay: String?

    @Flag(name: .customLong("response"), help: "show whole responses: paths of JSON, selectors of pages")
    var showsResponse = false

    @Option(
        help: ArgumentHelp("run this operation after the listing", valueName: "operation"))
    var call: DevelopedOperation?

    @Option(help: ArgumentHelp("id of the item, for --call (default: the first of the listing)", valueName: "id"))
    var item: String?

    @OptionGroup(title: "Engine") var engine: EngineOptions

    func validate() throws {
        if replay != nil, let other = engine.withoutRequests.first ?? (savedResponses == nil ? nil : "--save-responses")
        {
            throw ValidationError.exclusive(["--replay", other])
        }
        if let replay, access(replay, F_OK) != 0 {
            throw ValidationError(
                "--replay: no such folder: \(replay.quoted) (expected one that --save-responses made)")
        }
        _ = try SelectionOptions.values(of: parameters)
        if item != nil, call == nil { throw ValidationError("--item: only allowed with --call") }
        guard file.hasSuffix(".js"), !file.hasSuffix(".test.js") else {
            throw ValidationError("\"\(file)\" is not a provider file (expected a name such as newsite.js)")
        }
    }

    func run() async throws {
        let steps = DevelopmentSteps()
        let saved = savedResponses.map(SavedResponses.init(in:))
        let context = try AppContext(engine) { settings in
            settings.usesKeptResults = false
            settings.isStrict = true
            settings.onTrace = { steps.add($0) }
            if let replay { (settings.answers, settings.sampleFolder) = (.samples, replay) }
            if let saved { settings.onExchange = saved.add }
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
            options.parameters = try SelectionOptions.values(of: parameters)
            try await DevelopmentLoop(
                path: file, text: text.joined(separator: " "), options: options,
                isSample: engine.sample || replay != nil, showsResponse: showsResponse, call: call, item: item,
                steps: steps, context: context
            ).run()
        }
    }
}

/// The operation that is run after the listing.
enum DevelopedOperation: String, ExpressibleByArgument, CaseIterable {
    case details, collection
}
