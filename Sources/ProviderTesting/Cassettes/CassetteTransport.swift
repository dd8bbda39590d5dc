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

    /// An entry's place in its file.
    package struct Place: Hashable, Sendable, CustomStringConvertible {
        /// The cassette.
        package var cassette: String
        /// The entry's index.
        package var index: Int
        /// `GET https://…`.
        package var request: String

        /// `search.json entries[1]`.
        package var description: String { "\(cassette).json entries[\(index)]" }
    }

    private struct State {
        /// How often entries answered, by their index; those that did not are left out.
        var uses: [Int: Int] = [:]
        var unmatched: [UnmatchedRequest] = []
    }

    private let entries: RecordedEntries
    private let playback: Playback
    private let uses: CassetteUses?
    private let state = Mutex(State())

    /// Answers from these entries, the first that fits first.
    package init(_ entries: RecordedEntries, playback: Playback = .once, noting uses: CassetteUses? = nil) {
        self.entries = entries
        self.playback = playback
        self.uses = uses
    }

    /// The recorded answer; throws `UnmatchedRequest` when there is none.
    package func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard let index = take(request) else {
            let (entries, used) = (entries, state.withLock { $0.uses })
            let unmatched = UnmatchedRequest(
                request, candidates: Self.candidates(for: request, in: entries, used: used))
            state.withLock { $0.unmatched.append(unmatched) }
            throw unmatched
        }
        let (place, entry) = entries[index]
        uses?.note(place)
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

    private static func candidates(
        for request: TransportRequest, in entries: RecordedEntries, used: [Int: Int]
    ) -> [UnmatchedRequest.Candidate] {
        entries.nearest(to: request, count: 3).map { index, difference in
            UnmatchedRequest.Candidate(
                place: entries[index].place.description, differences: difference.lines, isUsed: used[index] != nil)
        }
    }
}
