import ProviderModel
import WorkerProtocol

/// The workers of a process: one per provider in use, started when needed, ended when others need the room.
package actor WorkerPool {
    private struct Worker {
        let connection: WorkerConnection
        var operations = 0
        var lastUse = 0
    }

    /// The program that runs the scripts.
    package nonisolated var executable: String { settings.executable }

    private let settings: WorkerSettings
    private var workers: [String: Worker] = [:]
    private var spare: WorkerConnection?
    /// Those that were told to end last.
    ///
    /// Of many, the first have ended long since.
    private var ending: [WorkerConnection] = []
    private var uses = 0
    private var runs = 0
    /// Files that are being evaluated for the operations that wait for them.
    private var loading: [String: Task<ProviderManifest, any Error>] = [:]
    /// How many operations wait for that, by provider: between its end and theirs going on, others may want the room.
    private var waiting: [String: Int] = [:]

    /// A pool without workers.
    package init(settings: WorkerSettings) { self.settings = settings }

    /// A pool whose first worker is starting already, beside whatever the caller does next.
    ///
    /// `early` is a worker started before the settings were known; it is used when it fits them.
    package init(startingWith settings: WorkerSettings, early: EarlyWorker? = nil) {
        self.settings = settings
        spare = early?.connection(fitting: settings) ?? WorkerConnection(settings: settings)
    }

    /// A pool for a rehearsal: no process is started, and these messages are what its worker says.
    package init(rehearsing messages: [WorkerMessage]) throws {
        settings = WorkerSettings(executable: "")
        spare = WorkerConnection(settings: settings, reading: try WrittenReplies(messages))
    }

    /// Evaluates a provider's file in a new worker and returns what it says about itself.
    package func load(_ source: ScriptSource, as provider: String) async throws -> ProviderManifest {
        let connection = connection(for: provider)
        workers[provider] = Worker(connection: connection, operations: 1)
        touch(provider)
        defer { release(connection, of: provider) }
        let reply = await connection.exchange(
            .load(file: source.file, source: source.text, limits: settings.limits),
            handlers: handlers(for: source, provider))
        switch reply {
        case .success(.loaded(let manifest)): return manifest
        case .success(.failed(var error)):
            discard(connection, of: provider)
            error.provider = provider
            throw error
        case .success: throw fault(.protocolViolation(.malformed("no reply to load")), connection, provider, source)
        case .failure(let fault): throw self.fault(fault, connection, provider, source)
        }
    }

    /// Runs an operation; `answer` sends the requests it asks for.
    package func run(
        _ call: OperationCall, of source: ScriptSource, as provider: String, manifest: ProviderManifest,
        answer: ([ProviderRequest]) async throws -> [ProviderResponse]
    ) async throws -> OperationResult {
        let connection = try await readyConnection(source, for: provider)
        defer { release(connection, of: provider) }
        runs += 1
        let run = runs
        let handlers = handlers(for: source, provider)
        var message = HostMessage.call(run: run, call)
        var isFirst = true
        while true {
            switch await connection.exchange(message, handlers: handlers) {
            case .success(.requests(let requests)):
                do {
                    message = .responses(run: run, try await answer(requests))
                } catch {
                    connection.send(.abandon(run: run))
                    throw error
                }
            case .success(.finished(let result)): return result
            case .success(.failed(var error)):
                // What filled the memory may still do so; the next call starts afresh.
                if error.code == .memory { discard(connection, of: provider) }
                error.provider = provider
                throw error
            case .success: throw fault(.protocolViolation(.malformed("no reply to a call")), connection, provider, source)
            case .failure(let fault):
                var error = self.fault(fault, connection, provider, source)
                let description = manifest.description(of: call.operation)
                error.operation = call.operation
                error.phase = description?.isGenerator == false ? (isFirst ? "request" : "parse") : nil
                let place = error.phase == "request" ? description?.requestLocation : nil
                error.location = place ?? description?.location ?? error.location
                throw error
            }
            isFirst = false
        }
    }

    /// The connection to a worker that has evaluated the file, kept for one more operation.
    private func readyConnection(_ source: ScriptSource, for provider: String) async throws -> WorkerConnection {
        waiting[provider, default: 0] += 1
        defer { waiting[provider, default: 1] -= 1 }
        try await makeReady(source, as: provider)
        guard let connection = workers[provider]?.connection else {
            throw ProviderError(.worker, provider: provider, message: "the worker ended before it was used")
        }
        retain(provider)
        return connection
    }

    /// Has the file evaluated, once for all operations that are begun side by side: steps reach a worker in no order.
    private func makeReady(_ source: ScriptSource, as provider: String) async throws {
        if let task = loading[provider] {
            _ = try await task.value
        } else if workers[provider] == nil {
            let task = Task { try await load(source, as: provider) }
            loading[provider] = task
            defer { loading[provider] = nil }
            _ = try await task.value
        }
    }

    /// Ends all workers and waits until they are gone.
    package func close() async {
        for connection in workers.values.map(\.connection) + [spare].compactMap(\.self) { end(connection) }
        workers = [:]
        spare = nil
        let connections = ending
        ending = []
        for connection in connections { await connection.closed() }
    }

    // MARK: Workers

    private func connection(for provider: String) -> WorkerConnection {
        if let former = workers.removeValue(forKey: provider) { end(former.connection) }
        if let spare {
            self.spare = nil
            return spare
        }
        makeRoom()
        return WorkerConnection(settings: settings)
    }

    /// Ends idle workers, the least recently used first, until another fits.
    ///
    /// Those at work are never ended, nor those somebody waits for.
    private func makeRoom() {
        let idle = workers.filter { $0.value.operations == 0 && waiting[$0.key, default: 0] == 0 }
            .sorted { $0.value.lastUse < $1.value.lastUse }
        for (provider, worker) in idle.prefix(max(0, workers.count + 1 - settings.workers)) {
            end(worker.connection)
            workers[provider] = nil
        }
    }

    private func retain(_ provider: String) {
        workers[provider]?.operations += 1
        touch(provider)
    }

    private func touch(_ provider: String) {
        uses += 1
        workers[provider]?.lastUse = uses
    }

    private func release(_ connection: WorkerConnection, of provider: String) {
        guard workers[provider]?.connection === connection else { return }
        workers[provider]?.operations -= 1
    }

    private func discard(_ connection: WorkerConnection, of provider: String) {
        end(connection)
        if workers[provider]?.connection === connection { workers[provider] = nil }
    }

    private func end(_ connection: WorkerConnection) {
        connection.close()
        ending.append(connection)
        if ending.count > 2 * settings.workers { ending.removeFirst() }
    }

    private func fault(
        _ fault: WorkerFault, _ connection: WorkerConnection, _ provider: String, _ source: ScriptSource
    ) -> ProviderError {
        discard(connection, of: provider)
        var error = fault.error(provider: provider, settings: settings)
        error.location = SourceLocation(file: source.file)
        return error
    }

    private func handlers(for source: ScriptSource, _ provider: String) -> WorkerConnection.Handlers {
        let log = settings.log
        return WorkerConnection.Handlers(
            neighbour: source.neighbour,
            log: { level, text in log(ScriptLogLine(provider: provider, level: level.rawValue, text: text)) })
    }
}
