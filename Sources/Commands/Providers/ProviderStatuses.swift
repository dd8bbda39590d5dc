import ArgumentParser
import FoundationEssentials
import Glibc
import HTTPTransport
import ImgScript
import Packs
import ProviderRuntime
import ProviderTesting

struct ProviderStatuses: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show which sources work, or ask each of them",
        discussion: """
            --run asks each source, within its rates, for a search, its next page, details and one file, and compares its \
            responses with the recorded ones; what it finds is kept for search, providers, doctor and the gallery. \
            --output writes it for others, signed:
              imgscript providers status --run
              imgscript providers status --run --output status.json --secret-key pack.key
              imgscript providers status --status https://example.org/status.json --status-key RWQ…
            """)

    @Argument(help: ArgumentHelp("providers (default: all)", valueName: "provider"), completion: .providers)
    var names: [String] = []

    @Flag(help: "ask the sources now")
    var run = false

    @Option(help: ArgumentHelp("output format: table or json", valueName: "format"))
    var format = Format.table

    @Option(
        name: .shortAndLong, help: ArgumentHelp("file for the status, signed in FILE.minisig", valueName: "file"),
        completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp("file with the secret key to sign with (default: that of pack keygen)", valueName: "file"),
        completion: .file())
    var secretKey: String?

    @OptionGroup var engine: EngineOptions

    /// How the statuses are printed.
    enum Format: String, OptionChoice {
        case table, json
    }

    func validate() throws {
        if run, let quiet = engine.withoutRequests.first { throw ValidationError.exclusive(["--run", quiet]) }
        if output != nil, !run { throw ValidationError("--output: only allowed with --run") }
        if secretKey != nil, output == nil { throw ValidationError("--secret-key: only allowed with --output") }
    }

    func run() async throws {
        let context = try AppContext(engine) { settings in
            // A cached answer says nothing about the source.
            if run { settings.cacheMode = .bypass }
        }
        try await context.run {
            let files = try context.engine.providerFiles(for: names.isEmpty ? ["all"] : names)
            // Asked for before the sources are, which takes minutes.
            let key = try output.flatMap { _ in try signingKey(context) }
            if run {
                let report = try await HealthCheckRun(context: context, files: files).report(after: former())
                try context.engine.statuses.store(report)
                if let output { try write(report, to: output, key, context) }
            } else {
                try await fetch(context)
            }
            try show(files.map(\.id.description), context)
        }
    }

    /// The statuses of others, whose failures matter here.
    private func fetch(_ context: AppContext) async throws {
        guard engine.withoutRequests.isEmpty else { return }
        for url in context.settings.statusURLs { try await context.fetchStatus(url) }
    }

    /// The status in the output file, whose history is continued; nil where there is none yet.
    private func former() throws -> StatusReport? {
        guard let output, access(output, F_OK) == 0 else { return nil }
        return try StatusReport(Array(Data(contentsOf: URL(filePath: output))), of: output)
    }

    /// The key to sign with; nil where the user has none and names none.
    private func signingKey(_ context: AppContext) throws -> SecretKey? {
        let path = secretKey ?? PackKeys.defaultSecretKey(context.settings)
        guard secretKey != nil || access(path, F_OK) == 0 else {
            context.status.warning(
                "the status is not signed, so others cannot use it: no key at \(path)",
                hint: "imgscript pack keygen creates one")
            return nil
        }
        return try PackKeys.secretKey(at: path)
    }

    private func write(_ report: StatusReport, to path: String, _ key: SecretKey?, _ context: AppContext) throws {
        let bytes = Array(try report.text.utf8)
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let comment = PackSignature.trustedComment(forFile: name, at: WallClock.secondsSince1970)
        let signature = try key?.sign(bytes, trustedComment: comment)
        try FileSystem.write(bytes, to: path)
        if let signature {
            try FileSystem.write(Array(signature.text.utf8), to: PackSignature.path(forArchiveAt: path))
        }
        context.status.note("wrote \(path)\(key.map { ", signed with the key \($0.publicKey.id)" } ?? "")")
    }

    private func show(_ names: [String], _ context: AppContext) throws {
        let health = context.engine.health
        if format == .json {
            let known = Dictionary(uniqueKeysWithValues: names.compactMap { name in health[name].map { (name, $0) } })
            return try context.output.write(Array(try StatusReport(made: .now, providers: known).text.utf8))
        }
        let known = names.compactMap { name in health[name].map { (name, $0) } }
        guard !known.isEmpty else {
            return context.status.note(
                "no status is known",
                hint: "imgscript providers status --run asks each source; --status URL reads somebody else's")
        }
        var table = Table(columns: [
            .init("Name"), .init("Version"), .init("Checked"), .init("Works", .cut(to: 12)), .init("Status", .wrapped),
        ])
        for (name, status) in known {
            table.add([
                TableCell(name, .bold), TableCell(status.version.provider, .dim),
                TableCell(String(status.checked.prefix(10)), .dim),
                TableCell(status.works.map(\.description).joined(separator: ", ")),
                TableCell(
                    status.summary(health.fault(of: name, status.version)), status.faults.isEmpty ? .plain : .warning),
            ])
        }
        try context.print(table.lines(on: context.terminal))
        let missing = names.count - known.count
        if missing > 0 { context.status.note("\(missing.counted("source")) not checked") }
    }
}

extension SourceStatus {
    /// What is to be said of it: the break and what was found, why it was not asked, or that all is well.
    fileprivate func summary(_ fault: KnownBreak?) -> String {
        let found = faults.map { "\($0.part): \($0.reason)" }.joined(separator: "; ")
        let parts = [
            fault?.description, unreachable == nil || fault != nil ? nil : "could not be reached",
            found.isEmpty ? nil : found, unchecked.map { "not checked: \($0)" },
        ]
        let text = parts.compactMap(\.self).joined(separator: "; ")
        return text.isEmpty ? "works" : text
    }
}

/// Asks the sources of many providers, some at a time.
private struct HealthCheckRun {
    let context: AppContext
    let files: [ProviderFile]

    /// Each is a process; sources differ in their hosts, so that their rates do not meet.
    private static let concurrentChecks = 4

    /// The statuses of all, after what was known of them before.
    func report(after written: StatusReport?) async throws -> StatusReport {
        var report = try written ?? context.engine.statuses.own() ?? StatusReport(made: .now)
        let checks = try await checks()
        let unreachable = checks.count { if case .unreachable = $0.check.outcome { true } else { false } }
        guard unreachable < checks.count || checks.count < 2 else {
            throw TransportError(.connection, message: "none of \(checks.count) sources could be reached (offline?)")
        }
        let now = DateTime.now
        report.made = now.iso8601
        for (id, check) in checks { report.providers[id] = SourceStatus(after: report.providers[id], check, at: now) }
        return report
    }

    private func checks() async throws -> [(id: String, check: SourceCheck)] {
        var progress = LoadingProgress(on: context.status)
        defer { progress.end() }
        let settings = TestSettings(context.settings)
        let engine = context.engine
        let service = LiveService(
            transport: try engine.liveTransport(), credentials: engine.userCredentials, today: ImageEngine.today
        ) { media, item in _ = try await engine.images.data(for: media, of: item) }
        return await withTaskGroup(of: (String, SourceCheck).self) { group in
            var remaining = files.makeIterator()
            func addNext() {
                guard let file = remaining.next() else { return }
                group.addTask { (file.id.description, await LiveHealth.check(file, settings, service)) }
            }
            for _ in 0..<Self.concurrentChecks { addNext() }
            var checks: [(id: String, check: SourceCheck)] = []
            progress.show("asking the sources: 0 of \(files.count)")
            for await check in group {
                checks.append((check.0, check.1))
                progress.show("asking the sources: \(checks.count) of \(files.count)")
                addNext()
            }
            return checks
        }
    }
}

extension DateTime {
    fileprivate static var now: DateTime { DateTime(secondsSince1970: WallClock.secondsSince1970) }
}
