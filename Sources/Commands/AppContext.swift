import ArgumentParser
import FoundationEssentials
import Glibc
import ImgScript

/// The context of a command: the engine, the output of results, and that of messages.
struct AppContext {
    let engine: ImageEngine
    let settings: ImageEngine.Configuration
    let terminal: Terminal
    let output: TextOutput
    let status: StatusLine
    let notices: NoticePrinter
    /// The options for single providers and groups.
    let groups: ProviderGroupOptions
    /// Whether the command may tell of newer versions of packs.
    private let tellsOfUpdates: Bool
    /// The keys of statuses of sources.
    let statusKeys: [String]

    /// Joins the parts for these options; a setting that cannot be used ends the command.
    ///
    /// `pagesInFlight` is how many requests a provider may have in flight at once; `adjust` changes the settings last.
    init(
        _ options: EngineOptions, pagesInFlight: Int = 0, tellsOfUpdates: Bool = false,
        adjusting adjust: (inout ImageEngine.Configuration) -> Void = { _ in }
    ) throws {
        let environment = ProcessInfo.processInfo.environment
        let status = StatusLine(environment: environment, verbosity: options.network.verbosity)
        let notices = NoticePrinter(status: status, isDryRun: options.dryRun, isTracing: options.trace)
        var settings = ImageEngine.Configuration(environment: environment)
        do {
            try options.apply(to: &settings)
            settings.connectionsPerHost = max(settings.connectionsPerHost, pagesInFlight)
            settings.onNotice = { notices.print($0) }
            if options.trace {
                let isSample = options.sample
                settings.onTrace = { status.trace(TraceLine($0, isSample: isSample).text) }
            }
            if let path = options.savedResponse { settings.onFailure = SavedResponse(at: path, status: status).save }
            adjust(&settings)
            settings.useKnownPacks()
            engine = try ImageEngine(settings)
            for option in options.groups.givenProviderOptions { try engine.checkInstalled(option.provider) }
        } catch {
            status.error(error)
            throw ExitStatus.usage
        }
        for folder in options.missingFolders {
            status.warning("no such folder: \(folder.quoted) (given with --providers-folder)")
        }
        groups = options.groups
        self.tellsOfUpdates = tellsOfUpdates && !options.noUpdateCheck
        statusKeys = options.statuses.keys
        self.settings = settings
        self.status = status
        self.notices = notices
        terminal = Terminal(descriptor: STDOUT_FILENO, environment: environment)
        output = TextOutput(beforeWriting: { status.clear() })
    }

    /// Runs a command's work; an error is printed, and becomes an exit code.
    func run(_ work: () async throws -> Void) async throws {
        let updates = tellsOfUpdates ? UpdateNotice(self) : nil
        do {
            defer { notices.printLeftOut() }
            // A dry run ends where its first request is printed.
            do { try await work() } catch let error as EngineError where error.code == .dryRun {}
            try output.flush()
            if let failure = notices.failure { throw failure }
        } catch let error as OutputClosed {
            throw error
        } catch {
            // What was printed before is passed on, whatever comes of it; the command's own failure is printed too.
            do { try output.flush() } catch let error as OutputError { status.error(error) } catch {}
            if !(error is ExitStatus) { status.error(error) }
            await updates?.finish()
            await engine.finish()
            throw ExitStatus(error)
        }
        await updates?.finish()
        await engine.finish()
    }

    /// Lists all providers, and shows how many have been loaded.
    func listProviders() async -> [ProviderListing] {
        var progress = LoadingProgress(on: status)
        defer { progress.end() }
        return await engine.listProviders { progress.show($0, of: $1) }
    }

    /// Starts a worker, shows that it does, and returns the restrictions of its sandbox.
    func checkSandbox() async throws(ProviderError) -> [String] {
        var progress = LoadingProgress(on: status)
        defer { progress.end() }
        progress.show("starting a worker")
        return try await engine.checkSandbox()
    }

    /// Prints a line of results.
    func printLine(_ line: String) throws { try output.writeLine(line) }

    /// Prints lines of results.
    func print(_ lines: [String]) throws {
        for line in lines { try printLine(line) }
    }
}

/// A command that works with an engine.
protocol EngineCommand: AsyncParsableCommand {
    /// The options that the engine is made with.
    var engine: EngineOptions { get throws }

    /// The command's own work.
    func run(in context: AppContext) async throws
}

extension EngineCommand {
    func run() async throws {
        let context = try AppContext(try engine)
        try await context.run { try await run(in: context) }
    }
}

/// How far workers and providers have been loaded, which takes seconds when each starts a process on a busy machine.
struct LoadingProgress {
    private let status: StatusLine
    private var lastNote: ContinuousClock.Instant

    /// Progress that begins now.
    init(on status: StatusLine, at start: ContinuousClock.Instant = .now) {
        self.status = status
        lastNote = start
    }

    /// Shows the count.
    mutating func show(_ loaded: Int, of count: Int, at moment: ContinuousClock.Instant = .now) {
        show("loading the providers: \(loaded) of \(count)", at: moment)
    }

    /// Shows what is done: on a terminal in place of the last, elsewhere as one line a second.
    mutating func show(_ text: String, at moment: ContinuousClock.Instant = .now) {
        if status.terminal.canRewrite {
            if !status.isQuiet { status.showBelow([text]) }
        } else if moment - lastNote >= .seconds(1) {
            lastNote = moment
            status.note(text)
        }
    }

    /// Removes what is shown.
    func end() {
        if status.terminal.canRewrite { status.showBelow([]) }
    }
}
