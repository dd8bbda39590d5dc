import HTTPTransport
import HTTPTypes

extension CachingTransport {
    /// The most bytes that are put together in memory.
    private static var combinationLimit: Int { 16 << 20 }

    /// Asks for the rest of what is stored in part (RFC 9111 §3.3); nil when there is no such thing, or it did not work.
    func complete(_ exchange: Exchange, from candidates: [StoredResponse]) async throws -> TransportResponse? {
        let request = exchange.request
        guard request.method == .get, request.headers[.range] == nil, request.sink == nil, !exchange.hasConditions,
            !exchange.isForServerOnly, exchange.mode == .default, !exchange.directives.isNoCache,
            !exchange.directives.isNoStore,
            let stored = candidates.first(where: { $0.part != nil && $0.length <= Self.combinationLimit }),
            let part = stored.part, let missing = part.missingRange(length: stored.length),
            part.range.completeLength ?? 0 <= Self.combinationLimit
        else { return nil }
        var outgoing = request
        outgoing.headers[.range] = missing
        outgoing.headers[.ifRange] = stored.validators.ifRange
        let requestedAt = now()
        let answer = try await base.send(outgoing)
        let received = ReceivedResponse(answer: answer, requestedAt: requestedAt, receivedAt: now(), recording: nil)
        if answer.status == 200 { return take(received, for: exchange, validated: nil, among: candidates) }
        if answer.status == 206, let whole = combine(stored, with: received, exchange), whole.part == nil {
            var given = answer
            given.status = 200
            given.headers = whole.fields
            given.body = whole.bytes
            let complete = ReceivedResponse(
                answer: given,
                requestedAt: requestedAt,
                receivedAt: received.receivedAt,
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
        _ received: ReceivedResponse,
        _ fields: HTTPFields,
        for exchange: Exchange,
        among candidates: [StoredResponse]
    ) -> StoredResponse? {
        guard let store, let range = fields[.contentRange].flatMap({ ContentRange($0) }) else { return nil }
        if let whole = candidates.first(where: { $0.part == nil && $0.status == 200 }) {
            return updateWhole(whole, with: received, exchange)
        }
        let parts = candidates.filter { $0.part != nil }
        for stored in parts where received.recording == nil {
            guard let combined = combine(stored, with: received, exchange) else { continue }
            let writer = store.writer()
            combined.bytes.withUnsafeBytes { writer.write($0) }
            let ids = parts.map(\.id)
            let new = newResponse(received, combined.fields, part: combined.part, replacing: ids, for: exchange)
            return store.insert(new, body: writer)
        }
        guard let writer = body(of: received, exchange, store) else { return nil }
        // Parts of another version, or the same bytes again, are of no more use.
        let replaced = parts.filter { stored in
            !stored.validators.sharesStrongValidator(with: Validators(fields)) || stored.part?.range == range
        }
        let part = StoredPart(range: range)
        let new = newResponse(received, fields, part: part, replacing: replaced.map(\.id), for: exchange)
        return store.insert(new, body: writer)
    }

    /// RFC 9111 §3.4: a part of the version that is stored whole brings its lines up to date; any other ends it.
    private func updateWhole(_ whole: StoredResponse, with received: ReceivedResponse, _ exchange: Exchange)
        -> StoredResponse?
    {
        guard whole.validators.sharesStrongValidator(with: Validators(received.answer.headers)) else {
            store?.remove([whole.id])
            return nil
        }
        return freshen(whole, with: received, exchange)
    }

    private func combine(_ stored: StoredResponse, with received: ReceivedResponse, _ exchange: Exchange)
        -> PartialCombination?
    {
        guard let part = stored.part, stored.length <= Self.combinationLimit,
            received.answer.body.count <= Self.combinationLimit, let fields = keptFields(of: received, exchange),
            let range = fields[.contentRange].flatMap({ ContentRange($0) }),
            let bytes = store?.body(of: stored)?.bytes(0..<stored.length)
        else { return nil }
        let older = PartialCombination.Piece(fields: stored.fields, part: part, bytes: bytes)
        let newer = PartialCombination.Piece(
            fields: fields,
            part: StoredPart(range: range),
            bytes: received.answer.body
        )
        return PartialCombination(older, newer)
    }
}
