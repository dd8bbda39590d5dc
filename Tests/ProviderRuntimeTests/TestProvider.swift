import Foundation
import HTTPTransport
import ProviderModel
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
