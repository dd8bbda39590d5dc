import HTTPTransport
import ProviderModel
import Synchronization

/// Answers requests from cassettes strictly: the very same request or none, each entry once.
package final class CassetteTransport: Transport {
    /// How often an entry answers.
    package enum Playback: Sendable {
        /// Once; the same request again is another entry's, or nobody's.
        case once
        /// As often as it is asked for.
        case repeated
    }

    private struct State {
        /// How often entries answered, by their index; those that did not are left out.
        var uses: [Int: Int] = [:]
        var unmatched: [UnmatchedRequest] = []
    }

    private let entries: RecordedEntries
    private let playback: Playback
    private let onUse: (@Sendable (Cassette.Place) -> Void)?
    private let state = Mutex(State())

    /// Answers from these entries, the first that fits first.
    package init(
        _ entries: RecordedEntries, playback: Playback = .once, onUse: (@Sendable (Cassette.Place) -> Void)? = nil
    ) {
        self.entries = entries
        self.playback = playback
        self.onUse = onUse
    }

    /// The recorded answer; throws `UnmatchedRequest` when there is none.
    package func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard let index = take(request) else {
            let (entries, used) = (entries, state.withLock { $0.uses })
            let unmatched = UnmatchedRequest(
                request, candidates: entries.candidates(for: request, used: used))
            state.withLock { $0.unmatched.append(unmatched) }
            throw unmatched
        }
        let (place, entry) = entries[index]
        onUse?(place)
        return TransportResponse(status: entry.status, url: request.url, headers: entry.headers, body: entry.content)
    }

    /// Requests that had no answer, in the order they came.
    package var unmatched: [UnmatchedRequest] { state.withLock { $0.unmatched } }

    /// The entry that answers a request now, marked as used; nil when there is none.
    private func take(_ request: TransportRequest) -> Int? {
        let same = entries.same(as: request)
        return state.withLock { state in
            let free = same.first { state.uses[$0] == nil } ?? (playback == .repeated ? same.last : nil)
            if let free { state.uses[free, default: 0] += 1 }
            return free
        }
    }
}
