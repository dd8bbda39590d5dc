import ArgumentParser
import ImgScript
import ProviderTesting

struct TestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Tests providers: over recorded answers, or against the real services.",
        discussion: """
            Every provider is held to what holds for all of them, with no test file at all; then to what its own \
            NAME.test.js expects, where there is one. Nothing leaves the machine without --record, --live or --drift.
              imgscript test providers/pixabay.js
              imgscript test ./mysites-1.0.0.tgz
              imgscript test --watch --coverage providers/pixabay.js
              imgscript test --record --mode new providers/pixabay.js
              imgscript test --import search.har providers/pixabay.js
              imgscript test --reporter junit --output report.xml providers
            """)

    @Argument(
        help: ArgumentHelp("A provider's file, a folder with some, or a pack. (default: providers)", valueName: "path"))
    var paths: [String] = []

    @Flag(help: "Make cassettes of live answers; secrets, cookies and personal tokens are masked.")
    var record = false

    @Option(help: ArgumentHelp("What is recorded: once, new, all or none. (default: once)", valueName: "mode"))
    var mode: RecordingMode?

    @Option(
        name: .customLong("import"),
        help: ArgumentHelp("Make a cassette out of what a browser has recorded (HAR).", valueName: "file"))
    var archive: String?

    @Option(help: ArgumentHelp("The name of the imported cassette. (default: the archive's)", valueName: "name"))
    var cassette: String?

    @Flag(help: "Run again what a change to a file touches, until Ctrl-C.")
    var watch = false

    @Flag(help: "Write snapshots anew, and drop those that no test has.")
    var update = false

    @Flag(help: "Fail on a snapshot that is not there, in place of writing it.")
    var ci = false

    @Flag(help: "Ask the real services, with your keys; test files too.")
    var live = false

    @Flag(help: "Compare the shape of live answers with that of the recorded ones.")
    var drift = false

    @Option(help: ArgumentHelp("The report: terminal, junit, tap, json or html.", valueName: "format"))
    var reporter = ReportFormat.terminal

    @Option(name: .shortAndLong, help: ArgumentHelp("Write the report into a file.", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("Run only what has this in its name.", valueName: "text"))
    var filter: String?

    @Flag(help: "Stop at the first failure.")
    var bail = false

    @Option(within: 0...100_000, help: ArgumentHelp("Warn of recordings older than so many days.", valueName: "days"))
    var age: Int?

    @Option(
        within: 0...100_000,
        help: ArgumentHelp("How many changed answers are tried for each provider.", valueName: "n"))
    var mutations = 120

    @Option(
        within: 0...UInt64.max, help: ArgumentHelp("What the choice of changed answers begins with.", valueName: "n"))
    var seed: UInt64 = 1

    @OptionGroup var coverage: CoverageOptions
    @OptionGroup var engine: EngineOptions

    func validate() throws {
        let kinds = [("--record", record), ("--live", live), ("--drift", drift), ("--import", archive != nil)]
        let given = kinds.filter(\.1).map(\.0)
        guard given.count <= 1 else { throw ValidationError("\(given.joined(separator: " and ")) exclude each other.") }
        if let kind = given.first, watch {
            throw ValidationError("--watch runs over recorded answers; leave \(kind) out.")
        }
        if let kind = given.first, kind != "--import", let quiet = engine.withoutRequests.first {
            throw ValidationError("\(kind) asks the real service, and \(quiet) asks nobody; leave one of them out.")
        }
        if watch, reporter != .terminal || output != nil {
            throw ValidationError("--watch reports on the terminal; leave --reporter and --output out.")
        }
        if let kind = given.first, kind != "--live", coverage.isWanted {
            throw ValidationError("--coverage counts what tests reach; leave \(kind) out.")
        }
        if archive != nil, paths.count != 1 || !paths[0].hasSuffix(".js") {
            throw ValidationError("--import needs the provider's file, such as providers/pixabay.js.")
        }
        if mode != nil, !record { throw ValidationError("--mode says what --record does; give both.") }
        if cassette != nil, archive == nil { throw ValidationError("--cassette names what --import makes.") }
        guard !(update && ci) else { throw ValidationError("--update and --ci exclude each other.") }
    }

    func run() async throws {
        let context = try AppContext(engine)
        try await context.run {
            let paths = paths.isEmpty ? ["providers"] : paths
            let packs = try await TestedPacks(among: paths, engine)
            try await context.engine.checkInstance(isTakenByFiles: paths.flatMap(packs.files(at:)).map(\.path))
            if watch { return try await TestWatch(command: self, paths: paths, context: context).run() }
            let tally = try coverage.tally()
            let sink = try ReportSink(path: output, otherwise: context.output)
            if record, let path = paths.first(where: packs.isForeign) {
                throw ValidationError("\(path) is a finished pack; --record writes into the folder it is made from.")
            }
            let run = testRun(context, packs, tally)
            let report = try await run.report(on: paths, through: reporter(context), into: sink)
            try coverage.finish(tally, to: sink, isBeside: reporter != .terminal, context)
            try sink.finish()
            if let filter, report.suites.allSatisfy(\.cases.isEmpty) {
                context.status.error("nothing was tested: no name has \(filter.quoted) in it", hint: nil)
                throw ExitStatus.failure
            }
            if report.hasFailed { throw ExitStatus.failure }
        }
    }

    /// The run that the options ask for.
    func testRun(_ context: AppContext, _ packs: TestedPacks, _ tally: CoverageTally?) -> TestRun {
        var settings = ConformanceSettings()
        settings.worker = context.settings.worker
        settings.deadline = context.settings.scriptTimeout
        settings.memory = context.settings.scriptMemory
        settings.instance = context.settings.instance
        settings.mutations = mutations
        settings.seed = seed
        settings.filter = filter
        settings.stopsAtFailure = bail
        settings.coverage = tally
        var expectations = expectations(context)
        expectations.coverage = tally
        return TestRun(
            kind: kind, settings: settings, expectations: expectations, oldestRecording: age, stopsAtFailure: bail,
            engine: context.engine, packs: packs)
    }

    private var kind: TestRun.Kind {
        if let archive { return .harImport(archive, name: cassette) }
        return record ? .record(mode ?? .once) : live ? .live : drift ? .drift : .conformance
    }

    private func expectations(_ context: AppContext) -> ExpectationSettings {
        var settings = ExpectationSettings()
        settings.worker = context.settings.worker
        settings.deadline = context.settings.scriptTimeout
        settings.memory = context.settings.scriptMemory
        settings.filter = filter
        settings.snapshots = update ? .all : ci ? .none : .new
        settings.instance = context.settings.instance
        settings.stopsAtFailure = bail
        return settings
    }

    /// What writes the report.
    func reporter(_ context: AppContext) -> any Reporter {
        switch reporter {
        case .terminal:
            let style = output == nil ? context.terminal.style : .plain
            return TerminalReporter(
                paint: { style.paint($0, $1.style) }, source: ReportSink.text(of:), isVerbose: engine.verbose)
        case .junit: return JUnitReporter()
        case .tap: return TAPReporter()
        case .json: return JSONReporter()
        case .html: return HTMLReporter(source: ReportSink.text(of:))
        }
    }
}

extension RecordingMode: OptionChoice {}

extension ReportFormat: OptionChoice {}

extension ReportRole {
    /// The colour of a report's word.
    var style: TextStyle {
        switch self {
        case .passed, .added: .good
        case .warning: .warning
        case .failed, .removed: .bad
        case .skipped, .dim: .dim
        case .heading: .bold
        }
    }
}
