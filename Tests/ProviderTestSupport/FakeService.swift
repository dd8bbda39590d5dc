import HTTPTransport
import HTTPTypes
import ProviderModel
import Synchronization

/// A service that answers by the end of the request's target, and remembers how often it was asked.
package final class FakeService: Transport {
    private let answers: [String: String]
    private let headers: HTTPFields
    private let asked = Mutex<[String]>([])

    package init(_ answers: [String: String], headers: HTTPFields = [.contentType: "application/json"]) {
        self.answers = answers
        self.headers = headers
    }

    /// The targets of all requests, in order.
    package var targets: [String] { asked.withLock { $0 } }

    package func send(_ request: TransportRequest) async throws -> TransportResponse {
        asked.withLock { $0.append(request.url.target) }
        guard let answer = answers[request.url.target] else {
            return TransportResponse(status: 404, url: request.url, headers: headers, body: [])
        }
        return TransportResponse(status: 200, url: request.url, headers: headers, body: Array(answer.utf8))
    }
}

/// A request as a provider's would be.
package func request(
    _ url: String, method: HTTPRequest.Method = .get, body: String = "", credentials: Credentials? = nil
) throws -> TransportRequest {
    TransportRequest(
        method: method, url: try WebURL(url), body: Array(body.utf8),
        scope: RequestScope(provider: ProviderID("made")!, hosts: [HostPattern("api.made.example")!]),
        credentials: credentials)
}
