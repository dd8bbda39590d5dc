import HTTPTransport
import ProviderModel
import ProviderRuntime

/// Runs one test file in the sandbox of its provider, over the provider's recorded answers or the real service.
package struct ExpectationRun: Sendable {
    /// The provider that is tested; its test file lies beside it.
    package let provider: ProviderFile
    /// What requests are answered from.
    private let library: CassetteLibrary
    private let settings: TestSettings
    /// The real service, which answers in place of the cassettes; nil for these.
    private let service: LiveService?

    /// A run of `<id>.test.js` beside the provider's file.
    package init(
        provider: ProviderFile, over library: CassetteLibrary, settings: TestSettings = TestSettings()
    ) {
        self.provider = provider
        self.library = library
        self.settings = settings
        service = nil
    }

    /// A run of the same file against the real service.
    package init(provider: ProviderFile, live service: LiveService, settings: TestSettings) {
        self.provider = provider
        library = CassetteLibrary([])
        var settings = settings
        settings.snapshots = .ignore
        // Rate limits are waited for.
        settings.fileDeadline = max(settings.fileDeadline, .seconds(900))
        self.settings = settings
        self.service = service
    }

    /// The test file as its pack names it.
    package var file: String { "\(provider.nameInPack.dropLast(3)).test.js" }

    private var snapshotPath: String { provider.folder.path(to: "__snapshots__/\(provider.id).test.js.snap") }

    /// What came of every test that was not left out by the filter.
    package func suite() async -> TestReport.Suite {
        let start = ContinuousClock.now
        var suite = TestReport.Suite(
            file, provider: provider.id.description, folder: provider.folder, isLive: service != nil)
        let lines = ScriptLog()
        do {
            suite.cases = try await cases(lines)
        } catch {
            suite.cases = [TestReport.Case(failed: "the file loads", error, output: lines.take())]
        }
        suite.duration = ContinuousClock.now - start
        return suite
    }

    private func cases(_ lines: ScriptLog) async throws -> [TestReport.Case] {
        let script = try provider.source()
        var snapshots = try SnapshotFile(contentsOf: snapshotPath)
        var source = TestWorker.Source(file: file, text: try text(beside: script))
        let isIgnoring = self.settings.snapshots == .ignore
        source.snapshots = isIgnoring ? [] : snapshots.values
        source.updatesSnapshots = settings.snapshots == .all
        let settings = self.settings.workerSettings(of: provider, log: lines)
        let workers = TestWorkers(of: source) { TestWorker(for: script, of: provider.id, settings: settings) }
        let pool = WorkerPool(settings: settings)
        let result: Result<[TestReport.Case], any Error>
        do {
            result = .success(try await cases(workers, pool, lines, keeping: &snapshots))
        } catch {
            result = .failure(error)
        }
        await workers.close()
        await pool.close()
        let cases = try result.get()
        if !isIgnoring, snapshots.values != source.snapshots { try snapshots.write(to: snapshotPath) }
        return cases
    }

    private func cases(
        _ workers: TestWorkers, _ pool: WorkerPool, _ lines: ScriptLog, keeping snapshots: inout SnapshotFile
    ) async throws -> [TestReport.Case] {
        let manifest = try await workers.start()
        let instance = try self.instance(of: manifest)
        let answersOfTest = try await answers(manifest, instance, pool)
        let tests = try await workers.tests(on: instance)
        var progress = ExpectationProgress(
            tests: tests, choices: TestSelection(tests, filter: settings.filter).choices, mode: settings.snapshots)
        progress.loadOutput = lines.take()
        let end = ContinuousClock.now + settings.fileDeadline
        while let index = progress.next(stoppingAtFailure: settings.stopsAtFailure) {
            let answers = answersOfTest()
            let start = ContinuousClock.now
            var result = await outcome(of: index, in: workers, answers, before: end)
            let isLate = ContinuousClock.now >= end
            if isLate { result = .failure(timeIsUp) }
            let isLast = await !workers.canGoOn
            if isLate || isLast { progress.stop(after: index) }
            progress.finish(
                index, result, unmatched: await answers.unmatched, reasonToSkip: await answers.reasonToSkip,
                duration: ContinuousClock.now - start, output: lines.take())
        }
        return progress.cases(file: file, keeping: &snapshots)
    }

    /// What gives each test its answers: the cassettes, or the real service.
    private func answers(
        _ manifest: ProviderManifest, _ instance: WebURL?, _ pool: WorkerPool
    ) async throws -> () -> any TestAnswers {
        guard let service else {
            return { [library, uses = settings.uses] in
                RecordedAnswers(library, of: manifest, instance: instance, noting: uses)
            }
        }
        var environment = ScriptProvider.Environment(
            pool: pool, transport: service.transport, credentials: service.credentials)
        environment.instance = instance
        let live = try await ScriptProvider(provider, in: environment)
        try live.checkKey()
        return { LiveAnswers(of: live) }
    }

    private func outcome(
        of index: Int, in workers: TestWorkers, _ answers: any TestAnswers, before end: ContinuousClock.Instant
    ) async -> Result<TestWorker.Outcome, any Error> {
        do {
            return .success(
                try await workers.run(index) { question in
                    guard ContinuousClock.now < end else { throw timeIsUp }
                    return try await answers.answer(question)
                })
        } catch {
            return .failure(error)
        }
    }

    /// The test file's text; read as a module is, so that it is a file of a sensible size.
    private func text(beside script: ScriptSource) throws -> String {
        do throws(ModuleNotFound) { return try script.module(file) } catch {
            throw ProviderError(.provider, provider: provider.id.description, message: error.reason)
        }
    }

    private func instance(of manifest: ProviderManifest) throws -> WebURL? {
        guard let described = manifest.instance else { return nil }
        if let chosen = settings.instance { return try WebURL(server: chosen) }
        if let standard = described.default { return standard }
        return library.origin
    }

    private var timeIsUp: ProviderError {
        let seconds = Double(settings.fileDeadline.milliseconds) / 1_000
        return ProviderError(
            .timeout, provider: provider.id.description, location: SourceLocation(file: file),
            message: "the tests of this file took longer than \(seconds.shortest) s together and were stopped")
    }
}

/// The workers of one test file, one after another: killing one for a test costs the others only the values of the file's
/// variables.
actor TestWorkers {
    /// How many workers one file may use up.
    static let limit = 4

    private var source: TestWorker.Source
    private let make: @Sendable () -> TestWorker
    private var worker: TestWorker?
    private var known: [TestWorker.Description] = []
    private var used = 0

    init(of source: TestWorker.Source, make: @escaping @Sendable () -> TestWorker) {
        self.source = source
        self.make = make
    }

    /// Whether there is a worker for one more test.
    var canGoOn: Bool { worker != nil || used < Self.limit }

    /// Starts the first worker and reads the provider's file.
    func start() async throws -> ProviderManifest {
        let worker = make()
        self.worker = worker
        used += 1
        return try await worker.load()
    }

    /// Reads the test file; its operations will run on this server.
    func tests(on instance: WebURL?) async throws -> [TestWorker.Description] {
        source.instance = instance
        known = try await worker?.load(source) ?? []
        return known
    }

    /// Runs a test, in a new worker where the last one has ended.
    func run(
        _ index: Int, answer: @Sendable (TestWorker.Question) async throws -> TestWorker.Answer
    ) async throws -> TestWorker.Outcome {
        if worker == nil {
            _ = try await start()
            guard try await worker?.load(source) == known else {
                used = Self.limit
                throw ProviderError(
                    .script, provider: "", location: SourceLocation(file: source.file),
                    message: "the file declares other tests when it is loaded again",
                    hint: "declare the same tests every time")
            }
        }
        guard let worker else { throw CancellationError() }
        do {
            let outcome = try await worker.run(index, of: source, answer: answer)
            // What filled the memory may still do so.
            if outcome.failure?.code == .memory { await close() }
            return outcome
        } catch {
            await close()
            throw error
        }
    }

    /// Ends the worker.
    func close() async {
        let ended = worker
        worker = nil
        await ended?.close()
    }
}
