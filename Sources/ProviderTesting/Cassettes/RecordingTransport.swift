import HTTPTransport
import HTTPTypes
import ProviderModel
import ProviderRuntime
import Synchronization

/// When a request is sent to the live service instead of being answered from a cassette.
package enum RecordingMode: String, Sendable, CaseIterable {
    /// While there is no cassette; one that exists is only replayed.
    case once
    /// For requests that the cassette has no answer to.
    case new
    /// Always: answers that were recorded before are replaced.
    case all
    /// Never.
    case none
}

/// Answers one call from a cassette, or from the live service, whose responses are recorded, by mode.
package final class RecordingTransport: Transport {
    private struct State {
        var cassette: Cassette
        /// Entries that have answered, or are being recorded.
        var used: Set<Int> = []
        /// Entries being recorded, which hold no answer yet.
        var pending: Set<Int> = []
        var hasChanged = false
        /// What the provider's login gave, which its answer had before it was known to be a secret.
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
    private let call: RecordedCall?
    private let mode: RecordingMode
    private let today: CalendarDay
    private let isNewFile: Bool
    /// Entries that were recorded for this call before; those that were not needed this time go.
    private let former: Set<Int>
    private let state: Mutex<State>

    /// Records a call into `cassette`, which is empty when there is no file yet.
    package init(
        over base: any Transport, into cassette: Cassette, of call: RecordedCall? = nil, mode: RecordingMode,
        today: CalendarDay
    ) {
        self.base = base
        self.call = call
        self.mode = mode
        self.today = today
        isNewFile = cassette.entries.isEmpty
        former = mode == .all ? call.map(cassette.entries(of:)) ?? [] : []
        state = Mutex(State(cassette: cassette))
    }

    /// The cassette with what has been recorded so far.
    ///
    /// What the call was answered with before and is not any more is left out.
    package var cassette: Cassette { cassette(without: former) }

    /// The cassette with what has been recorded so far, beside all that it had.
    package var unprunedCassette: Cassette { cassette(without: []) }

    private func cassette(without former: Set<Int>) -> Cassette {
        state.withLock { state in
            var cassette = state.cassette
            let obsolete = state.hasChanged ? former.subtracting(state.used) : []
            cassette.entries = cassette.entries.indices.compactMap { index in
                var entry = cassette.entries[index]
                guard !state.pending.contains(index) else { return nil }
                guard obsolete.contains(index) else { return entry }
                // The first answer to other calls, too.
                entry.calls.removeAll { call?.isSame(as: $0, withAnyLimit: true) ?? false }
                return entry.calls.isEmpty ? nil : entry
            }
            return cassette
        }
    }

    /// Whether there is anything to write.
    package var hasChanged: Bool { state.withLock { $0.hasChanged } }

    package func send(_ request: TransportRequest) async throws -> TransportResponse {
        let (known, isFirst) = knownEntry(for: request)
        if let known, mode != .all { return known.entry.response(to: request) }
        guard mode == .all || mode == .new || mode == .once && isNewFile else {
            let library = CassetteLibrary([cassette])
            throw UnmatchedRequest(request, candidates: library.candidates(for: request))
        }
        let index = known?.index ?? reserveEntry(for: request)
        let response = try await base.send(request)
        var calls = known?.entry.calls ?? []
        if isFirst, let call {
            if let same = calls.firstIndex(where: { $0.isSame(as: call) }) {
                if mode == .all { calls[same].pages = call.pages }
            } else {
                calls.append(call)
            }
        }
        let entry = CassetteRedaction(credentials: request.credentials).entry(
            calls: calls, method: request.method.rawValue, url: request.url,
            body: request.body, status: response.status, headers: response.headers, content: response.body,
            recorded: today)
        state.withLock { state in
            state.cassette.entries[index] = entry
            state.pending.remove(index)
            if let session = request.credentials?.session { state.mask(session.values.values) }
            state.hasChanged = true
        }
        return response
    }

    /// The entry that was recorded for a request before, and whether the request is the first of the call.
    private func knownEntry(
        for request: TransportRequest
    ) -> (known: (index: Int, entry: Cassette.Entry)?, isFirst: Bool) {
        state.withLock { state in
            let isFirst = state.used.isEmpty
            let same = state.cassette.entries.indices.filter { index in
                !state.pending.contains(index)
                    && RequestDifference(of: request, from: state.cassette.entries[index]).isNone
            }
            guard let index = same.first(where: { !state.used.contains($0) }) ?? same.last else {
                return (nil, isFirst)
            }
            state.used.insert(index)
            return ((index, state.cassette.entries[index]), isFirst)
        }
    }

    /// Takes a place at the end before the answer comes, so that answers stand in the order of their requests; without
    /// an answer it stays pending and is never written.
    private func reserveEntry(for request: TransportRequest) -> Int {
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

extension Cassette {
    /// The entries of a call: that of its first answer, and those that follow it up to the next call's.
    fileprivate func entries(of call: RecordedCall) -> Set<Int> {
        var found: Set<Int> = []
        var isWithin = false
        for (index, entry) in entries.enumerated() {
            if !entry.calls.isEmpty { isWithin = entry.calls.contains { call.isSame(as: $0, withAnyLimit: true) } }
            if isWithin { found.insert(index) }
        }
        return found
    }
}
