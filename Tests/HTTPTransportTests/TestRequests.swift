import HTTPTypes
import ProviderModel
import TestSupport

@testable import HTTPTransport

extension TransportSettings {
    /// Settings that reach loopback servers.
    static func loopback(_ change: (inout TransportSettings) -> Void = { _ in }) throws -> TransportSettings {
        var settings = TransportSettings(version: "1.2.3")
        settings.allowedHosts = try AllowedHosts(["127.0.0.1", "localhost"])
        change(&settings)
        return settings
    }
}

extension LoopbackServer {
    func url(_ path: String = "/") -> WebURL { try! WebURL(origin + path) }

    func request(_ path: String = "/", method: HTTPRequest.Method = .get, body: String = "") -> TransportRequest {
        TransportRequest(method: method, url: url(path), body: Array(body.utf8), scope: .everywhere)
    }
}

extension RequestScope {
    static let everywhere = RequestScope.of("http://*")

    static func of(_ hosts: String...) -> RequestScope {
        RequestScope(provider: ProviderID("tested")!, hosts: hosts.map { HostPattern($0)! })
    }
}

extension TransportResponse {
    var text: String { String(decoding: body, as: UTF8.self) }
}

extension TransportError {
    /// The error a request ends with; nil when it has an answer.
    static func of(_ work: () async throws -> Void) async -> TransportError? {
        do {
            try await work()
            return nil
        } catch {
            return error as? TransportError
        }
    }
}
