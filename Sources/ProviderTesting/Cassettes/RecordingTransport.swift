import HTTPTransport
import HTTPTypes
import ProviderModel
import ProviderRuntime
import Synchronization

/// Answers from a cassette, or from the real service into the cassette, as the mode has it.
package final class RecordingTransport: Transport {
    private struct State {
        var cassette: Cassette
        /// Entries that have answered, or are being recorded.
        var used: Set<Int> = []
        /// Entries being recorded, which hold no answer yet.
        var pending: Set<Int> = []
        var hasChanged = false
        /// What the provider's login gave, which its answer had before anybody knew that it is a secret.
        var session: Set<String> = []

        /// Masks what a login has given in the entries recorded so far.
        mutating func mask(_ values: some Collection<String>) {
            let unknown = Set(values).subtracting(session)
            guard !unknown.isEmpty else { return }
            session.formUnion(unknown)
            let redaction = CassetteRedaction().masking(Array(unknown))
            for index in used where !pending.contains(index) && cassette.entries[index].recorded != nil {
                cassette.entries[index] = redaction.entry(of: cassette.entries[index])
            }
        }
    }

    private let base: any Transport
    private let mode: RecordingMode
    private let today: CalendarDay
    private let isNewFile: Bool
    private let state: Mutex<State>

    /// Records into `cassette`, which is empty when there is no file yet.
    package init(over base: any Transport, into cassette: Cassette, mode: RecordingMode, today: CalendarDay) {
        self.base = base
        self.mode = mode
        self.today = today
        isNewFile = cassette.entries.isEmpty
        state = Mutex(State(cassette: cassette))
    }

    /// The cassette with what has been recorded so far.
    package var cassette: Cassette {
        state.withLock { state in
            var cassette = state.cassette
            cassette.entries = cassette.entries.indices.filter { !state.pending.contains($0) }.map {
                cassette.entries[$0]
            }
            return cassette
        }
    }

    /// Whether there is anything to write.
    package var hasChanged: Bool { state.withLock { $0.hasChanged } }

    package func send(_ request: TransportRequest) async throws -> TransportResponse {
        let match = matchingEntry(for: request)
        if let match, mode != .all {
            let entry = match.entry
            return TransportResponse(
                status: entry.status, url: request.url, headers: entry.headers, body: entry.content)
        }
        guard mode == .all || mode == .new || mode == .once && isNewFile else {
            let cassette = cassette
            throw UnmatchedRequest(request, candidates: RecordedEntries([cassette]).candidates(for: request))
        }
        return try await record(request, at: match?.index)
    }

    private func matchingEntry(for request: TransportRequest) -> (index: Int, entry: Cassette.Entry)? {
        state.withLock { state in
            let same = state.cassette.entries.indices.filter { index in
                !state.pending.contains(index)
                    && RequestDifference(of: request, from: state.cassette.entries[index]).isNone
            }
            guard let index = same.first(where: { !state.used.contains($0) }) ?? same.last else { return nil }
            state.used.insert(index)
            return (index, state.cassette.entries[index])
        }
    }

    /// Sends a request and puts its answer in the place of the old one, or at the end.
    private func record(_ request: TransportRequest, at known: Int?) async throws -> TransportResponse {
        let index = known ?? reservePlace(for: request)
        let response = try await base.send(request)
        let redaction = CassetteRedaction(credentials: request.credentials)
        let entry = redaction.entry(
            method: request.method.rawValue, url: request.url, body: request.body, status: response.status,
            headers: response.headers, content: response.body, recorded: today)
        state.withLock { state in
            state.cassette.entries[index] = entry
            state.pending.remove(index)
            if let session = request.credentials?.session { state.mask(session.values.values) }
            state.hasChanged = true
        }
        return response
    }

    /// A place is taken before the answer comes, so that answers stand in the order of their requests; without an
    /// answer it stays pending and is never written.
    private func reservePlace(for request: TransportRequest) -> Int {
        state.withLock { state in
            state.cassette.entries.append(
                Cassette.Entry(method: request.method.rawValue, url: request.url, body: request.body, content: []))
            let index = state.cassette.entries.count - 1
            state.pending.insert(index)
            state.used.insert(index)
            return index
        }
    }
}
