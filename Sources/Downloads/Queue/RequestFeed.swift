import Synchronization

/// The stream of requests, read a little ahead, so that many can be looked up at once.
final class RequestFeed: Sendable {
    private struct State {
        var requests: [DownloadRequest] = []
        var end: Result<Void, any Error>?
        var reader: CheckedContinuation<Void, Never>?
        var taker: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// How many are read ahead at most.
    private static let limit = 64

    /// Reads the stream to its end, as far as the requests are taken.
    func fill<Requests: AsyncSequence>(from requests: Requests) async where Requests.Element == DownloadRequest {
        do {
            for try await request in requests {
                guard await add(request) else { return }
            }
            close(with: .success(()))
        } catch {
            close(with: .failure(error))
        }
    }

    /// What has been read, at least one; none at the end.
    func next() async throws -> [DownloadRequest] {
        while true {
            let (requests, end, reader) = state.withLock { state in
                let taken = state.requests
                state.requests = []
                return (taken, state.end, state.reader.take())
            }
            reader?.resume()
            if !requests.isEmpty { return requests }
            if let end {
                try end.get()
                return []
            }
            await withCheckedContinuation { taker in
                let isReady = state.withLock { state in
                    guard state.requests.isEmpty, state.end == nil else { return true }
                    state.taker = taker
                    return false
                }
                if isReady { taker.resume() }
            }
        }
    }

    /// Ends the feed: nothing more is wanted.
    func close() { close(with: .success(())) }

    /// False when nothing more is wanted.
    private func add(_ request: DownloadRequest) async -> Bool {
        let (taker, isFull) = state.withLock { state in
            state.requests.append(request)
            return (state.taker.take(), state.requests.count >= Self.limit)
        }
        taker?.resume()
        if isFull { await room() }
        return state.withLock { $0.end == nil }
    }

    private func room() async {
        await withCheckedContinuation { reader in
            let isReady = state.withLock { state in
                guard state.requests.count >= Self.limit, state.end == nil else { return true }
                state.reader = reader
                return false
            }
            if isReady { reader.resume() }
        }
    }

    private func close(with end: Result<Void, any Error>) {
        let (taker, reader) = state.withLock { state in
            state.end = state.end ?? end
            return (state.taker.take(), state.reader.take())
        }
        taker?.resume()
        reader?.resume()
    }
}
