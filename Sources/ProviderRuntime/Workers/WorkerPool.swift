import ProviderModel
import Synchronization
import WorkerProtocol

/// The worker processes: one per provider in use, started on demand; the least recently used are ended first.
package actor WorkerPool {
    /// A worker that was given one provider's file.
    private final class Worker {
        let provider: String
        let connection: WorkerConnection
        /// What the file says about itself, once it is evaluated.
        let loading: Task<ProviderManifest, any Error>
        /// How many operations are under way or wait for the file to be evaluated: until there is none, it is not
        /// ended.
        var operations = 0
        var lastUse = 0

        init(
            provider: String, connection: WorkerConnection, loading: Task<ProviderManifest, any Error>
        ) {
            self.provider = provider
            self.connection = connection
            self.loading = loading
        }
    }

    /// The path of the worker's executable.
    package nonisolated var executable: String { settings.executable }

    /// Whether a result with any fault in it fails.
    nonisolated var isStrict: Bool { settings.isStrict }

    /// Whether the pool was closed: no calls follow.
    package nonisolated let isClosed = Atomic(false)
    private let settings: WorkerSettings
    private var workers: [String: Worker] = [:]
    private var uses = 0
    private var runs = 0

    /// A pool without workers.
    package init(settings: WorkerSettings) { self.settings = settings }

    /// Evaluates a provider's file in a new worker and returns its manifest.
    package func load(_ source: ScriptSource, as provider: String) async throws -> ProviderManifest {
        try checkIsOpen(for: provider)
        let former = workers.removeValue(forKey: provider)
        let (worker, evicted) = start(source, as: provider)
        retain(worker)
        defer { worker.operations -= 1 }
        for old in evicted + [former].compactMap(\.self) { await old.connection.close() }
        return try await manifest(of: worker)
    }

    /// Runs an operation; `answer` sends its requests.
    package func run(
        _ call: EncodedCall, of source: ScriptSource, as provider: String, manifest: ProviderManifest,
        answer: ([ProviderRequest]) async throws -> [ProviderResponse]
    ) async throws -> EncodedResult {
        try checkIsOpen(for: provider)
        let (worker, evicted) = workers[provider].map { ($0, []) } ?? start(source, as: provider)
        retain(worker)
        defer { worker.operations -= 1 }
        for old in evicted { await old.connection.close() }
        _ = try await self.manifest(of: worker)
        var phase = "request"
        do {
            return try await converse(call, with: worker, source, &phase, answer)
        } catch let fault as WorkerError {
            await discard(worker)
            throw fault.providerError(provider, file: source.file, settings: settings)
                .located(in: manifest.description(of: call.call.operation), call.call.operation, phase: phase)
        }
    }

    /// Throws after ``close()``, also for calls that stored results could answer.
    package nonisolated func checkIsOpen(for provider: String) throws(ProviderError) {
        guard isClosed.load(ordering: .acquiring) else { return }
        throw ProviderError(.worker, provider: provider, message: "the engine has been shut down")
    }

    /// Starts a worker for no provider, and returns the restrictions that it has entered.
    package nonisolated func checkSandbox() async throws(ProviderError) -> [String] {
        let connection = WorkerConnection(settings: settings)
        let status: WorkerStatus
        do throws(WorkerError) { status = try await connection.status() } catch {
            throw error.providerError("", file: "", settings: settings)
        }
        await connection.close()
        return status.sandbox
    }

    /// Ends all workers and waits until they are gone.
    package func close() async {
        isClosed.store(true, ordering: .releasing)
        let connections = workers.values.map(\.connection)
        workers = [:]
        for connection in connections { await connection.close() }
    }

    // MARK: Operations

    /// Sends a call, has its requests answered, and returns its result; `phase` is what the script is doing.
    private func converse(
        _ call: EncodedCall, with worker: Worker, _ source: ScriptSource, _ phase: inout String,
        _ answer: ([ProviderRequest]) async throws -> [ProviderResponse]
    ) async throws -> EncodedResult {
        runs += 1
        let run = runs
        let handlers = settings.handlers(for: source, of: worker.provider)
        var reply = try await worker.connection.exchange(
            HostMessage.call(run: run, call).frame, priority: .high, handlers: handlers)
        phase = "parse"
        while true {
            switch reply {
            case .requests(let requests):
                let responses: [ProviderResponse]
                do { responses = try await answer(requests) } catch {
                    await worker.connection.send(HostMessage.abandon(run: run).frame)
                    throw error
                }
                let frame = try HostMessage.responses(run: run, responses).checkedFrame
                reply = try await worker.connection.exchange(frame, handlers: handlers)
            case .finished(let result): return result
            case .failed(var error):
                // What filled the memory may still do so; the next call starts afresh.
                if error.code == .memory { await discard(worker) }
                error.provider = worker.provider
                throw error
            default: throw WorkerError.protocolViolation(.malformed("no reply to a call"))
            }
        }
    }

    /// What the worker's file says, once it is evaluated; a worker that cannot evaluate it is ended.
    private func manifest(of worker: Worker) async throws -> ProviderManifest {
        do { return try await worker.loading.value } catch {
            await discard(worker)
            throw error
        }
    }

    /// Has a file evaluated in a worker that has none yet.
    private static func load(
        _ source: ScriptSource, as provider: String, in connection: WorkerConnection, _ settings: WorkerSettings
    ) async throws -> ProviderManifest {
        let message = HostMessage.load(file: source.file, source: source.text, limits: settings.limits)
        do {
            let handlers = settings.handlers(for: source, of: provider)
            switch try await connection.exchange(message.frame, handlers: handlers) {
            case .loaded(let manifest): return manifest
            case .failed(var error):
                error.provider = provider
                throw error
            default: throw WorkerError.protocolViolation(.malformed("no reply to load"))
            }
        } catch let fault as WorkerError {
            throw fault.providerError(provider, file: source.file, settings: settings)
        }
    }

    // MARK: Workers

    /// A worker for a file, and the least recently used idle ones that are ended for it.
    private func start(_ source: ScriptSource, as provider: String) -> (Worker, evicted: [Worker]) {
        let idle = workers.values.filter { $0.operations == 0 }.sorted { $0.lastUse < $1.lastUse }
        let evicted = Array(idle.prefix(max(0, workers.count + 1 - settings.workers)))
        for worker in evicted { workers[worker.provider] = nil }
        let connection = WorkerConnection(settings: settings)
        let worker = Worker(
            provider: provider, connection: connection,
            loading: Task { [settings] in try await Self.load(source, as: provider, in: connection, settings) })
        workers[provider] = worker
        return (worker, evicted)
    }

    private func retain(_ worker: Worker) {
        uses += 1
        worker.operations += 1
        worker.lastUse = uses
    }

    /// Ends a worker that is not to be used again.
    private func discard(_ worker: Worker) async {
        if workers[worker.provider] === worker { workers[worker.provider] = nil }
        await worker.connection.close()
    }
}

extension ProviderError {
    /// The error with the place of the operation, or of its request, in the provider's file.
    fileprivate func located(
        in description: OperationDescription?, _ operation: ProviderOperation, phase: String
    ) -> ProviderError {
        var error = self
        error.operation = operation
        guard let description else { return error }
        error.phase = description.isGenerator ? nil : phase
        let place = error.phase == "request" ? description.requestLocation : nil
        error.location = place ?? description.location
        return error
    }
}
