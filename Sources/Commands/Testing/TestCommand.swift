import ArgumentParser
import ImgScript
import ProviderTesting

struct TestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Test providers against recorded responses or the live service",
        discussion: """
            Checks that hold for all providers run without any test file; then those of the provider's own \
            NAME.test.js. No request is sent without --record, --live or --drift.
              imgscript test providers/pixabay.js
              imgscript test ./mysites-1.0.0.tgz
              imgscript test --watch --coverage providers/pixabay.js
              imgscript test --record --text sea providers/pixabay.js
              imgscript test --adapt providers/pixabay.js
              imgscript test --import search.har providers/pixabay.js
              imgscript test --reporter junit --output report.xml providers
            """)

    @Argument(
        help: ArgumentHelp("provider file, folder of providers, or pack (default: providers)", valueName: "path"),
        completion: .file(extensions: ["js", "tgz"]))
    var paths: [String] = []

    @Flag(help: "record cassettes from the live service, with secrets, cookies and tokens masked")
    var record = false

    @Option(help: ArgumentHelp("what to record (default: once)", valueName: "mode"))
    var mode: RecordingMode?

    @OptionGroup(title: "Recorded call") var recorded: RecordedCallOptions

    @Flag(help: "let recorded responses answer requests of which only the page size or an ignorable parameter differs")
    var adapt = false

    @Option(
        name: .customLong("import"),
        help: ArgumentHelp("convert a browser's HAR archive to a cassette", valueName: "file"),
        completion: .file(extensions: ["har"]))
    var archive: String?

    @Option(help: ArgumentHelp("name of the imported cassette (default: the archive's)", valueName: "name"))
    var cassette: String?

    @Flag(help: "rerun affected tests when a file changes, until Ctrl-C")
    var watch = false

    @Flag(help: "update snapshots, and remove obsolete ones")
    var update = false

    @Flag(help: "fail on a missing snapshot instead of writing it")
    var ci = false

    @Flag(help: "test against the live service, with your keys")
    var live = false

    @Flag(help: "compare the structure of live and recorded responses")
    var drift = false

    @Option(help: ArgumentHelp("report format: terminal, junit, tap, json, html or github", valueName: "format"))
    var reporter = ReportFormat.terminal

    @Option(
        name: .shortAndLong, help: ArgumentHelp("write the report to a file", valueName: "file"), completion: .file())
    var output: String?

    @Option(help: ArgumentHelp("run only tests with this text in their name", valueName: "text"))
    var filter: String?

    @Flag(help: "fail on warnings, too")
    var strict = false

    @Flag(help: "stop at the first failure")
    var bail = false

    @Option(within: 0...100_000, help: ArgumentHelp("warn of recordings older than this many days", valueName: "days"))
    var age: Int?

    @Option(
        within: 0...100_000,
        help: ArgumentHelp("number of mutated responses to try per provider", valueName: "n"))
    var mutations = 120

    @Option(
        within: 0...UInt64.max, help: ArgumentHelp("seed of the choice of mutated responses", valueName: "n"))
    var seed: UInt64 = 1

    @OptionGroup var coverage: CoverageOptions
    @OptionGroup var engine: EngineOptions

    func validate() throws {
        let kinds = [
            ("--record", record), ("--adapt", adapt), ("--live", live), ("--drift", drift),
            ("--import", archive != nil),
        ]
        let given = kinds.filter(\.1).map(\.0)
        guard given.count <= 1 else { throw ValidationError.exclusive(given) }
        if let kind = given.first, watch {
            throw ValidationError.exclusive(["--watch", kind])
        }
        if let kind = given.first, !["--import", "--adapt"].contains(kind), let quiet = engine.withoutRequests.first {
            throw ValidationError.exclusive([kind, quiet])
        }
        if watch, reporter != .terminal || output != nil {
            throw ValidationError.exclusive(["--watch", reporter != .terminal ? "--reporter" : "--output"])
        }
        if let kind = given.first, kind != "--live", coverage.isWanted {
            throw ValidationError.exclusive(["--coverage", kind])
        }
        if archive != nil, paths.count != 1 || !paths[0].hasSuffix(".js") {
            throw ValidationError("--import: expected one provider file, such as providers/pixabay.js")
        }
        if let option = recorded.given.first, !record {
            throw ValidationError("\(option): only allowed with --record")
        }
        if mode != nil, !record { throw ValidationError("--mode: only allowed with --record") }
        if cassette != nil, archive == nil { throw ValidationError("--cassette: only allowed with --import") }
        guard !(update && ci) else { throw ValidationError.exclusive(["--update", "--ci"]) }
    }

    func run() async throws {
        let context = try AppContext(engine)
        try await context.run {
            let paths = paths.isEmpty ? ["providers"] : paths
            let packs = try await TestedPacks(among: paths, engine)
            try await context.engine.checkInstance(isTakenByFiles: paths.flatMap(packs.files(at:)).map(\.path))
            if watch { return try await TestWatch(command: self, paths: paths, context: context).run() }
            let tally = try coverage.tally()
            let sink = try ReportOutput(path: output, otherwise: context.output)
            if record || adapt, let path = paths.first(where: packs.isForeign) {
                throw ValidationError(
                    "\(record ? "--record" : "--adapt"): \(path) is an installed or built pack (expected its source folder)"
                )
            }
            let run = try testRun(context, packs, tally)
            let report = try await run.report(on: paths, through: reporter(context), into: sink)
            try coverage.finish(tally, to: sink, isBeside: reporter != .terminal, context)
            try sink.finish()
            if let filter, report.suites.allSatisfy(\.cases.isEmpty) {
                context.status.error("no tests match --filter \(filter.quoted)")
                throw ExitStatus.failure
            }
            if report.hasFailed || strict && report.count(of: .warning) > 0 { throw ExitStatus.failure }
        }
    }

    /// The run with these options.
    func testRun(_ context: AppContext, _ packs: TestedPacks, _ tally: CoverageTally?) throws -> TestRun {
        var settings = TestSettings(context.settings)
        settings.mutations = mutations
        settings.seed = seed
        settings.filter = filter
        settings.stopsAtFailure = bail
        settings.coverage = tally
        settings.snapshots = update ? .all : ci ? .none : .new
        return TestRun(
            kind: try kind, settings: settings, oldestRecording: age, stopsAtFailure: bail,
            engine: context.engine, packs: packs)
    }

    private var kind: TestRun.Kind {
        get throws {
            if let archive { return .harImport(archive, name: cassette) }
            if adapt { return .adapt }
            if record { return .record(mode ?? .once, try recorded.choice) }
            return live ? .live : drift ? .drift : .conformance
        }
    }

    /// What writes the report.
    func reporter(_ context: AppContext) -> any Reporter {
        switch reporter {
        case .terminal:
            let terminal = output == nil ? context.terminal : .pipe
            return TerminalReporter(
                paint: { terminal.paint($0, $1.style) }, source: ReportOutput.text(of:),
                isVerbose: engine.network.verbose)
        case .junit: return JUnitReporter()
        case .tap: return TAPReporter()
        case .json: return JSONReporter()
        case .github: return GitHubReporter()
        case .html: return HTMLReporter(source: ReportOutput.text(of:))
        }
    }
}

extension RecordingMode: OptionChoice {}

extension ReportFormat: OptionChoice {}

extension ReportRole {
    /// The style of a part of a report.
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
