import HTTPTransport
import HTTPTypes

extension CachingTransport {
    /// The most bytes that are put together in memory.
    private static var combinationLimit: Int { 16 << 20 }

    /// Asks for the rest of what is stored in part (RFC 9111 §3.3); nil when there is no such thing, or it did not work.
    func complete(_ exchange: Exchange, from candidates: [StoredResponse]) async throws -> TransportResponse? {
        let request = exchange.request
        guard request.method == .get, request.headers[.range] == nil, request.sink == nil, !exchange.hasConditions,
            !exchange.isForServerOnly, exchange.mode == .standard, !exchange.wish.isNoCache, !exchange.wish.isNoStore,
            let stored = candidates.first(where: { $0.part != nil && $0.length <= Self.combinationLimit }),
            let part = stored.part, let missing = part.missingRange(length: stored.length),
            part.range.completeLength ?? 0 <= Self.combinationLimit
        else { return nil }
        var outgoing = request
        outgoing.headers[.range] = missing
        outgoing.headers[.ifRange] = stored.validators.ifRange
        let requestedAt = now()
        let answer = try await base.send(outgoing)
        let arrival = Arrival(answer: answer, requestedAt: requestedAt, receivedAt: now(), recording: nil)
        if answer.status == 200 { return take(arrival, for: exchange, validated: nil, among: candidates) }
        if answer.status == 206, let whole = combine(stored, with: arrival, exchange), whole.part == nil {
            var given = answer
            given.status = 200
            given.headers = whole.fields
            given.body = whole.bytes
            let complete = Arrival(
                answer: given,
                requestedAt: requestedAt,
                receivedAt: arrival.receivedAt,
                recording: nil
            )
            return take(complete, for: exchange, validated: nil, among: candidates)
        }
        // Whatever is stored does not belong together with what the server has.
        store?.remove([stored.id])
        return nil
    }

    /// Stores a 206, together with what it completes.
    func keepPart(
        _ arrival: Arrival,
        _ fields: HTTPFields,
        for exchange: Exchange,
        among candidates: [StoredResponse]
    ) -> StoredResponse? {
        guard let store, let range = fields[.contentRange].flatMap({ ContentRange($0) }) else { return nil }
        if let whole = candidates.first(where: { $0.part == nil && $0.status == 200 }) {
            return updateWhole(whole, with: arrival, exchange)
        }
        let parts = candidates.filter { $0.part != nil }
        for stored in parts where arrival.recording == nil {
            guard let combined = combine(stored, with: arrival, exchange) else { continue }
            let writer = store.writer()
            combined.bytes.withUnsafeBytes { writer.write($0) }
            let ids = parts.map(\.id)
            let new = newResponse(arrival, combined.fields, part: combined.part, replacing: ids, for: exchange)
            return store.insert(new, body: writer)
        }
        guard let writer = body(of: arrival, exchange, store) else { return nil }
        // Parts of another version, or the same bytes again, are of no more use.
        let replaced = parts.filter { stored in
            !stored.validators.sharesStrongValidator(with: Validators(fields)) || stored.part?.range == range
        }
        let part = StoredPart(range: range)
        let new = newResponse(arrival, fields, part: part, replacing: replaced.map(\.id), for: exchange)
        return store.insert(new, body: writer)
    }

    /// RFC 9111 §3.4: a part of the version that is stored whole brings its lines up to date; any other ends it.
    private func updateWhole(_ whole: StoredResponse, with arrival: Arrival, _ exchange: Exchange) -> StoredResponse? {
        guard whole.validators.sharesStrongValidator(with: Validators(arrival.answer.headers)) else {
            store?.remove([whole.id])
            return nil
        }
        return freshen(whole, with: arrival, exchange)
    }

    private func combine(_ stored: StoredResponse, with arrival: Arrival, _ exchange: Exchange) -> PartialCombination? {
        guard let part = stored.part, stored.length <= Self.combinationLimit,
            arrival.answer.body.count <= Self.combinationLimit, let fields = keptFields(of: arrival, exchange),
            let range = fields[.contentRange].flatMap({ ContentRange($0) }),
            let bytes = store?.body(of: stored)?.bytes(0..<stored.length)
        else { return nil }
        let older = PartialCombination.Piece(fields: stored.fields, part: part, bytes: bytes)
        let newer = PartialCombination.Piece(
            fields: fields,
            part: StoredPart(range: range),
            bytes: arrival.answer.body
        )
        return PartialCombination(older, newer)
    }
}
