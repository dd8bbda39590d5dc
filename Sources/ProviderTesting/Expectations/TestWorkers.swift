import ProviderModel
import ProviderRuntime

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
