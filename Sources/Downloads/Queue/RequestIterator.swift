/// The stream of requests, pulled by one task after another.
///
/// Only the task that holds the iterator pulls, and it hands it back when it has pulled.
final class RequestIterator: @unchecked Sendable {
    private let pull: () async throws -> DownloadRequest?

    init<Requests: AsyncSequence>(_ requests: Requests) where Requests.Element == DownloadRequest {
        var iterator = requests.makeAsyncIterator()
        pull = { try await iterator.next() }
    }

    func next() async throws -> DownloadRequest? { try await pull() }
}
