import HTTPTransport
import HTTPTypes
import ProviderModel
import Synchronization

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
