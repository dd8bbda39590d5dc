import HTTPTypes
import ProviderModel
import Synchronization

@testable import HTTPTransport

/// Answers from a list, the last one for ever, and remembers the requests.
final class ScriptedTransport: Transport {
    enum Answer: Sendable {
        case response(Int, HTTPFields)
        case error(TransportError)
        case cancellation
    }

    private let answers: [Answer]
    private let seen = Mutex<[TransportRequest]>([])

    init(_ answers: [Answer]) { self.answers = answers }

    var requests: [TransportRequest] { seen.withLock { $0 } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let count = seen.withLock { seen in
            seen.append(request)
            return seen.count
        }
        switch answers[min(count, answers.count) - 1] {
        case .response(let status, let headers):
            return TransportResponse(status: status, url: request.url, headers: headers)
        case .error(let error): throw error
        case .cancellation: throw CancellationError()
        }
    }
}
