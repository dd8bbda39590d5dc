import Foundation
import HTTPTransport
import HTTPTypes
import ProviderModel
import Synchronization
import TestSupport

@testable import ProviderRuntime

/// Providers over the real worker.
enum TestProvider {
    /// The folder of the providers that ship.
    static let shippedFolder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../providers")
        .standardizedFileURL.path

    /// A provider that ships, without credentials.
    static func shipped(_ name: String, over transport: any Transport) async throws -> ScriptProvider {
        try await ScriptProvider(
            ProviderFile(id: ProviderID(name)!, folder: shippedFolder), in: shippedEnvironment(over: transport))
    }

    /// A provider written in a test: the lines of its `module.exports` after contract, name, version and hosts.
    static func written(
        _ text: String, over transport: any Transport, credentials: CredentialSource = .none, instance: WebURL? = nil
    ) async throws -> ScriptProvider {
        let folder = TemporaryFolder()
        let script = """
            const { fail, hash } = require('imgscript');
            module.exports = { contract: 1, id: 'made', name: 'Made', version: '1.0.0', mediaHosts: ['*'],
              \(text)
            };
            """
        try script.write(toFile: folder.path + "/made.js", atomically: true, encoding: .utf8)
        var environment = environment(over: transport, credentials: credentials)
        environment.instance = instance
        return try await ScriptProvider(ProviderFile(id: ProviderID("made")!, folder: folder.path), in: environment)
    }

    /// Software without a server of its own runs on that of its cassettes.
    private static func shippedEnvironment(over transport: any Transport) -> ScriptProvider.Environment {
        var environment = environment(over: transport)
        let replay = SampleTransport { "\(shippedFolder)/cassettes/\($0)" }
        environment.recordedInstance = { replay.origin(of: $0) }
        return environment
    }

    static func environment(
        over transport: any Transport, credentials: CredentialSource = .none
    ) -> ScriptProvider.Environment {
        var settings = WorkerSettings(executable: BuiltWorker.path)
        settings.deadline = .seconds(10)  // debug builds beside other tests are slow
        return ScriptProvider.Environment(
            pool: WorkerPool(settings: settings), transport: transport, credentials: credentials)
    }

    /// A store with the secrets that these variables give.
    static func secrets(_ variables: [String: String]) -> CredentialSource {
        .user(SecretStore(folder: TemporaryFolder().path, environment: variables))
    }
}

/// Answers each request by a part of its URL, and remembers the requests.
final class ScriptedTransport: Transport {
    /// What is given to the requests whose URL contains `part`.
    struct Answer: Sendable {
        var part = ""
        var status = 200
        var headers: HTTPFields = [:]
        var body: [UInt8] = []
    }

    private let answers: [Answer]
    private let seen = Mutex<[TransportRequest]>([])

    init(_ answers: [Answer]) { self.answers = answers }

    /// The same text for every request.
    convenience init(_ text: String, status: Int = 200, headers: HTTPFields = [:]) {
        self.init([Answer(status: status, headers: headers, body: Array(text.utf8))])
    }

    /// What was sent, in the order it came.
    var requests: [TransportRequest] { seen.withLock { $0 } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        seen.withLock { $0.append(request) }
        let url = request.url.description
        guard let answer = answers.first(where: { $0.part.isEmpty || url.contains($0.part) }) else {
            throw TransportError(.connection, url: request.url, message: "the test has no answer for \(url)")
        }
        return TransportResponse(status: answer.status, url: request.url, headers: answer.headers, body: answer.body)
    }
}
