import HTTPTransport
import ProviderModel
import ProviderRuntime

extension ConformanceSettings {
    fileprivate func workerSettings(of file: ProviderFile, log: ScriptLog) -> WorkerSettings {
        var worker = WorkerSettings(executable: workerPath)
        worker.coverage = coverage?.counting(in: file.folder)
        worker.deadline = deadline
        worker.memory = memory
        worker.log = { log.add("\($0.level): \($0.text)") }
        return worker
    }
}

extension ConformanceSubject {
    /// Runs a suite over a file's subject; a file that cannot be used is the suite's one failure.
    package static func withSubject(
        _ file: ProviderFile, _ settings: ConformanceSettings, named name: String, isLive: Bool = false,
        _ work: (ConformanceSubject, inout TestReport.Suite) async throws -> Void
    ) async -> TestReport.Suite {
        let start = ContinuousClock.now
        var suite = TestReport.Suite(name, provider: file.id.description, folder: file.folder, isLive: isLive)
        let log = ScriptLog()
        let pool = WorkerPool(settings: settings.workerSettings(of: file, log: log))
        do {
            try await work(try await ConformanceSubject(file, settings, pool: pool, log: log), &suite)
        } catch {
            suite.cases.append(ExpectationRun.failed(named: "the file loads", error, output: log.all))
        }
        await pool.close()
        suite.duration = ContinuousClock.now - start
        return suite
    }

    /// Loads a file and finds out what its cassettes were recorded for.
    fileprivate init(_ file: ProviderFile, _ settings: ConformanceSettings, pool: WorkerPool, log: ScriptLog)
        async throws
    {
        let cassettes = try Cassette.all(in: settings.cassetteFolder(of: file))
        settings.uses?.offer(cassettes)
        let stub = StubTransport()
        // An origin is a URL.
        let recordedServer = cassettes.first { !$0.entries.isEmpty }.flatMap { try? WebURL($0.entries[0].url.origin) }
        var environment = ScriptProvider.Environment(pool: pool, transport: stub, credentials: .none)
        environment.instance = try settings.instance.map { text throws(TransportError) in try WebURL(server: text) }
        environment.recordedInstance = { _ in recordedServer }
        let others = WorkerMemory.workers()
        let provider = try await ScriptProvider(file, in: environment)
        let worker = WorkerMemory.workers().subtracting(others).max()
        let instance = provider.manifest.instance.flatMap { environment.instance ?? $0.standard ?? recordedServer }
        self.init(
            provider: provider, stub: stub, environment: environment, log: log, cassettes: cassettes,
            entries: RecordedEntries(cassettes), settings: settings, worker: worker, instance: instance)
        self = await RecordedCalls(of: self).found()
    }
}
