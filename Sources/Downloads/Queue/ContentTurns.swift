import Synchronization

/// Lets files of the same content be kept one after another, so that the second finds the first.
final class ContentTurns: Sendable {
    /// Who waits for each content that is being kept.
    private let waiting = Mutex<[ContentHash: [CheckedContinuation<Void, Never>]]>([:])

    /// Runs the closure while no other runs for this content.
    func take<Result>(_ content: ContentHash, _ body: () async throws -> Result) async rethrows -> Result {
        await begin(content)
        defer { end(content) }
        return try await body()
    }

    private func begin(_ content: ContentHash) async {
        await withCheckedContinuation { turn in
            let isFree = waiting.withLock { waiting in
                waiting[content]?.append(turn)
                if waiting[content] != nil { return false }
                waiting[content] = []
                return true
            }
            if isFree { turn.resume() }
        }
    }

    private func end(_ content: ContentHash) {
        let next = waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
            guard waiting[content]?.isEmpty == false else {
                waiting[content] = nil
                return nil
            }
            return waiting[content]?.removeFirst()
        }
        next?.resume()
    }
}
