import Foundation
import HTTPTransport
import ProviderModel
import ProviderTesting
import Synchronization

/// A provider's cassettes, replayed, with a note of which entries were asked for and what was asked for beside them.
final class ExactReplay: Transport {
    /// One recorded request in a form that compares: query pairs in any order.
    struct Request: Hashable, CustomStringConvertible {
        var description: String
        var body: [UInt8]

        init(method: String, url: WebURL, body: [UInt8]) {
            let pairs = url.queryItems.map { "\($0.name)=\($0.value)" }.sorted().joined(separator: "&")
            description = "\(method) \(url.origin)\(url.path) \(pairs)"
            self.body = body
        }
    }

    /// Every recorded request.
    let recorded: Set<Request>
    private let replay = ReplayTransport { "\(TestProvider.shippedFolder)/cassettes/\($0)" }
    private let seen = Mutex<[Request]>([])

    /// The cassettes of a provider.
    init(of provider: String) throws {
        let folder = "\(TestProvider.shippedFolder)/cassettes/\(provider)"
        recorded = Set(
            try FileManager.default.contentsOfDirectory(atPath: folder).flatMap { file in
                try Cassette(contentsOf: "\(folder)/\(file)").entries.map {
                    Request(method: $0.method, url: $0.url, body: $0.body)
                }
            })
    }

    /// What was asked for.
    var requests: Set<Request> { Set(seen.withLock { $0 }) }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        seen.withLock {
            $0.append(Request(method: request.method.rawValue, url: request.url, body: request.body))
        }
        return try await replay.send(request)
    }
}
