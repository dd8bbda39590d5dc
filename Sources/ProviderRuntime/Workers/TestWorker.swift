import ProviderModel
import WorkerProtocol

/// A worker of its own for one test file: untrusted code too, which runs where its provider runs.
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
            throw unexpectedReply(to: "load", in: provider.file)
        }
        return manifest
    }

    /// Evaluates the test file; its tests are run afterwards, one by one.
    package func load(_ tests: Source) async throws -> [Description] {
        guard case .testsFound(let found) = try await reply(to: .loadTests(tests), in: tests.file) else {
            throw unexpectedReply(to: "loadTests", in: tests.file)
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
            default: throw unexpectedReply(to: "runTest", in: tests.file)
            }
        }
    }

    /// Ends the worker, and waits until it is gone.
    package func close() async { await connection.close() }

    private func reply(to message: HostMessage, in file: String) async throws -> WorkerMessage {
        do {
            let handlers = settings.handlers(for: provider, of: id.description)
            let reply = try await connection.exchange(message.checkedFrame, handlers: handlers)
            guard case .failed(var error) = reply else { return reply }
            error.provider = id.description
            throw error
        } catch let fault as WorkerError {
            throw fault.providerError(id.description, file: file, settings: settings)
        }
    }

    private func unexpectedReply(to message: String, in file: String) -> ProviderError {
        WorkerError.protocolViolation(.malformed("no reply to \(message)"))
            .providerError(id.description, file: file, settings: settings)
    }
}
