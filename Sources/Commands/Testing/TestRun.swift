import ImgScript
import Packs
import ProviderAuthoring
import ProviderRuntime
import ProviderTesting

/// Runs the tests of files one after the other, and reports each as it ends.
struct TestRun {
    /// What to do with each file.
    enum Kind {
        /// The checks that hold for all providers, against recorded responses.
        case conformance
        /// Record cassettes.
        case record(RecordingMode, RecordingChoice)
        /// Let recorded responses answer the requests as they are now.
        case adapt
        /// Test against the live service.
        case live
        /// Compare live responses with recorded ones.
        case drift
        /// Convert a browser's archive to a cassette.
        case harImport(String, name: String?)
    }

    let kind: Kind
    let settings: TestSettings
    /// The age in days from which a recording is warned of; nil for none.
    let oldestRecording: Int?
    let stopsAtFailure: Bool
    let engine: ImageEngine
    let packs: TestedPacks

    /// The report on everything that the paths stand for.
    func report(on paths: [String], through reporter: any Reporter, into sink: ReportOutput) async throws -> TestReport
    {
        var report = TestReport()
        var number = 1
        try sink.write(reporter.beginning())
        for path in paths {
            for suite in try await suites(at: path) {
                let suite = try await suite().inCommandWords
                report.suites.append(suite)
                try sink.write(reporter.text(of: suite, first: number))
                number += suite.cases.count
                if stopsAtFailure, suite.cases.contains(where: { $0.outcome == .failed }) {
                    try sink.write(reporter.ending(of: report))
                    return report
                }
            }
        }
        try sink.write(reporter.ending(of: report))
        return report
    }

    /// The suites of a path, each run when it is called.
    private func suites(at path: String) async throws -> [() async throws -> TestReport.Suite] {
        if path.hasSuffix(".test.js") {
            let service = try liveService()
            return ProviderExpectations.providers(at: path).flatMap { expected(of: $0, service, settings) }
        }
        let files = packs.files(at: path)
        guard !files.isEmpty else {
            return [{ await ProviderConformance.run(file: path, settings: settings).suites[0] }]
        }
        let service = try liveService()
        return files.flatMap { pieces(for: $0, service, isForeign: packs.isForeign(path)) }
    }

    private func pieces(
        for file: ProviderFile, _ service: LiveService?, isForeign: Bool
    ) -> [() async throws -> TestReport.Suite] {
        let uses = CassetteUses()
        var settings = settings
        settings.uses = uses
        // Snapshots belong to the pack: one that is missing there is a failure, not a file to be written.
        if isForeign { settings.snapshots = .none }
        let main: () async throws -> TestReport.Suite = { [settings] in
            switch (kind, service) {
            case (.record(let mode, let choice), let service?):
                await ProviderRecording.suite(of: file, mode: mode, choosing: choice, settings, service)
            case (.adapt, _): await RecordingAdaptation.suite(of: file, settings)
            case (.live, let service?): await LiveConformance.suite(of: file, settings, service)
            case (.drift, let service?): await ProviderDrift.suite(of: file, settings, service)
            case (.harImport(let archive, let name), _):
                await HARImport(archive: archive, name: name, credentials: engine.userCredentials)
                    .suite(of: file, settings)
            default: await ProviderConformance.suite(of: file, settings)
            }
        }
        let tests = ProviderExpectations.hasTests(file) ? expected(of: file, service, settings) : []
        let pieces = reportingUnused(uses, after: [main] + tests)
        guard let days = oldestRecording else { return pieces }
        return pieces + [{ CassetteAge.suite(of: file, settings, today: ImageEngine.today, oldest: days) }]
    }

    /// The tests of a provider's own test file, against recorded or live responses.
    private func expected(
        of file: ProviderFile, _ service: LiveService?, _ settings: TestSettings
    ) -> [() async throws -> TestReport.Suite] {
        switch (kind, service) {
        case (.conformance, _): [{ await ProviderExpectations.suite(of: file, settings) }]
        case (.live, let service?): [{ await ProviderExpectations.suite(of: file, live: service, settings) }]
        default: []
        }
    }

    /// The same pieces, the last of which warns of recorded responses that none of them needed.
    ///
    /// Where only some tests run, or one fails, that says nothing.
    private func reportingUnused(
        _ uses: CassetteUses, after pieces: [() async throws -> TestReport.Suite]
    ) -> [() async throws -> TestReport.Suite] {
        guard case .conformance = kind, settings.filter == nil, let last = pieces.last else { return pieces }
        return pieces.dropLast() + [
            {
                var suite = try await last()
                let outcomes = Set(suite.cases.map(\.outcome))
                // A check that has nothing to go by is skipped; a test that is skipped may be what needs an answer.
                let isWhole = !outcomes.contains(.failed) && (pieces.count == 1 || !outcomes.contains(.skipped))
                if isWhole, let warning = uses.warning { suite.cases.append(warning) }
                return suite
            }
        ]
    }

    private func liveService() throws -> LiveService? {
        switch kind {
        case .conformance, .harImport, .adapt: nil
        case .record, .live, .drift: try LiveService(engine)
        }
    }
}

/// The packs among the paths to test, which stand for all of their providers.
struct TestedPacks {
    private var packs: [String: LocalPack] = [:]
    private var files: [String: [ProviderFile]] = [:]

    /// None.
    init() {}

    /// Looks for packs where a path is neither a file nor a folder with providers; nothing is fetched.
    init(among paths: [String], _ engine: EngineOptions) async throws {
        for path in paths { files[path] = ProviderConformance.files(at: path) }
        let others = paths.filter { !$0.hasSuffix(".js") && files[$0]?.isEmpty == true }
        guard !others.isEmpty else { return }
        let context = try PackContext(engine)
        for path in others {
            guard let pack = try await context.localPack(path) else { continue }
            packs[path] = pack
            files[path] = try PackManifest.read(folder: pack.folder).providerFiles(in: pack.folder)
        }
    }

    /// The providers that a path stands for.
    func files(at path: String) -> [ProviderFile] { files[path] ?? ProviderConformance.files(at: path) }

    /// Whether what lies there belongs to an installed or packed pack, in which nothing is written.
    func isForeign(_ path: String) -> Bool { packs[path].map { !$0.isOwn } ?? false }
}

extension LiveService {
    /// The real services as an engine reaches them, with the user's keys.
    init(_ engine: ImageEngine) throws {
        self.init(
            transport: try engine.liveTransport(), credentials: engine.userCredentials, today: ImageEngine.today)
    }
}

extension TestSettings {
    /// The worker, the limits and the server of an engine's configuration.
    init(_ configuration: ImageEngine.Configuration) {
        self.init()
        worker = configuration.worker
        deadline = configuration.scriptTimeout
        memory = configuration.scriptMemory
        instance = configuration.instance
    }
}
