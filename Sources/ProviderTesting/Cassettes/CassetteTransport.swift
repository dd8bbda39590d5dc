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
        var uses: [Int]
        var unmatched: [UnmatchedRequest] = []
    }

    private let entries: [(place: Place, entry: Cassette.Entry)]
    private let playback: Playback
    private let uses: CassetteUses?
    private let state: Mutex<State>

    /// Answers from these cassettes, the first entry that fits first.
    package init(_ cassettes: [Cassette], playback: Playback = .once, noting uses: CassetteUses? = nil) {
        entries = cassettes.flatMap { zip($0.places, $0.entries).map { ($0, $1) } }
        self.playback = playback
        self.uses = uses
        state = Mutex(State(uses: Array(repeating: 0, count: entries.count)))
    }

    /// The recorded answer; throws `UnmatchedRequest` when there is none.
    package func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard let index = take(request) else {
            let unmatched = UnmatchedRequest(request, candidates: candidates(for: request))
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
        let same = entries.indices.filter { RequestDifference(of: request, from: entries[$0].entry).isNone }
        return state.withLock { state in
            let free = same.first { state.uses[$0] == 0 } ?? (playback == .repeated ? same.last : nil)
            if let free { state.uses[free] += 1 }
            return free
        }
    }

    private func candidates(for request: TransportRequest) -> [UnmatchedRequest.Candidate] {
        let uses = state.withLock { $0.uses }
        let compared = entries.indices.map {
            (index: $0, difference: RequestDifference(of: request, from: entries[$0].entry))
        }
        return compared.sorted { ($0.difference.distance, $0.index) < ($1.difference.distance, $1.index) }.prefix(3).map
        {
            UnmatchedRequest.Candidate(
                place: entries[$0.index].place.description, differences: $0.difference.lines, isUsed: uses[$0.index] > 0
            )
        }
    }
}
