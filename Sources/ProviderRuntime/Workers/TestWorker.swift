import ProviderModel
import WorkerProtocol

/// A worker of its own for one test file: a stranger's code too, which runs where its provider runs.
package struct TestWorker: Sendable {
    package typealias Source = TestFileSource
    package typealias Description = TestDescription
    package typealias Question = TestQuestion
    package typealias Answer = TestAnswer
    package typealias Outcome = TestOutcome

    private let connection: WorkerConnection
    private let settings: WorkerSettings
    private let provider: ScriptSource
    private let id: ProviderID

    /// Starts a worker for a provider's file.
    package init(for provider: ScriptSource, of id: ProviderID, settings: WorkerSettings) {
        self.provider = provider
        self.id = id
        self.settings = settings
        connection = WorkerConnection(settings: settings)
    }

    /// Evaluates the provider's file.
    package func load() async throws -> ProviderManifest {
        let message = HostMessage.load(file: provider.file, source: provider.text, limits: settings.limits)
        guard case .loaded(let manifest) = try await reply(to: message, in: provider.file) else {
            throw nonsense("load")
        }
        return manifest
    }

    /// Evaluates the test file; its tests are run afterwards, one by one.
    package func load(_ tests: Source) async throws -> [Description] {
        guard case .testsFound(let found) = try await reply(to: .loadTests(tests), in: tests.file) else {
            throw nonsense("loadTests")
        }
        return found
    }

    /// Runs a test; `answer` is asked for what it wants to know meanwhile.
    ///
    /// Only the script's own steps are timed: an answer may take as long as it takes.
    package func run(
        _ index: Int, of tests: Source, answer: (Question) async throws -> Answer
    ) async throws -> Outcome {
        var message = HostMessage.runTest(index)
        while true {
            switch try await reply(to: message, in: tests.file) {
            case .asked(let question): message = .answer(try await answer(question))
            case .tested(let outcome): return outcome
            default: throw nonsense("runTest")
            }
        }
    }

    /// Ends the worker, and waits until it is gone.
    package func close() async {
        connection.close()
        await connection.closed()
    }

    private func reply(to message: HostMessage, in file: String) async throws -> WorkerMessage {
        let log = settings.log
        let handlers = WorkerConnection.Handlers(
            neighbour: provider.neighbour,
            log: { level, text in log(ScriptLogLine(provider: id.description, level: level.rawValue, text: text)) })
        switch await connection.exchange(message, handlers: handlers) {
        case .success(.failed(var error)):
            error.provider = id.description
            throw error
        case .success(let reply): return reply
        case .failure(let fault):
            var error = fault.error(provider: id.description, settings: settings)
            error.location = SourceLocation(file: file)
            throw error
        }
    }

    private func nonsense(_ message: String) -> ProviderError {
        WorkerFault.protocolViolation(.malformed("no reply to \(message)")).error(provider: id.description, settings: settings)
    }
}
