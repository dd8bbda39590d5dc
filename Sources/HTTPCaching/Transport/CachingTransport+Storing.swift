import HTTPTransport
import HTTPTypes

extension CachingTransport {
    /// Stores an answer where that is allowed, and gives it to the caller.
    func take(
        _ arrival: Arrival,
        for exchange: Exchange,
        validated: StoredResponse?,
        among candidates: [StoredResponse]
    ) -> TransportResponse {
        let answer = arrival.answer
        if exchange.request.method == .head {
            freshen(candidates, withHead: arrival, exchange)
            return answer
        }
        guard let stored = keep(arrival, for: exchange, among: candidates) else {
            // The server has something else now, which is not ours to keep: what was kept is known to be outdated.
            if let validated, answer.status < 500, answer.status != 304, answer.status != 429 {
                store?.remove([validated.id])
            }
            return answer
        }
        var given = answer
        given.receipt = receipt(for: stored, exchange)
        let isAnswerOfItsOwn = exchange.hasConditions && exchange.request.sink == nil && validated != nil
        if isAnswerOfItsOwn,
            Validation.isNotModified(
                stored.fields,
                status: stored.status,
                receivedAt: stored.receivedAt,
                for: exchange.request.headers
            )
        {
            // The caller already has the version that has just come.
            given.status = 304
            given.headers = Validation.notModifiedFields(given.headers)
            given.body = []
        }
        return given
    }

    /// Stores an answer; nil when it may not be kept, or could not be.
    func keep(_ arrival: Arrival, for exchange: Exchange, among candidates: [StoredResponse]) -> StoredResponse? {
        let answer = arrival.answer
        let isDemanded = exchange.demanded ?? 0 > 0
        // What redirects led to is the answer to another request; only the source's terms make it one to this.
        guard let store, isDemanded || CacheKey.text(answer.url) == exchange.url,
            Storability.mayStore(exchange.question(status: answer.status, fields: answer.headers)),
            let fields = keptFields(of: arrival, exchange)
        else { return nil }
        guard answer.status != 206 else { return keepPart(arrival, fields, for: exchange, among: candidates) }
        guard let writer = body(of: arrival, exchange, store) else { return nil }
        let new = newResponse(arrival, fields, part: nil, replacing: candidates.map(\.id), for: exchange)
        return store.insert(new, body: writer)
    }

    /// The lines that are kept; nil when they repeat a secret.
    func keptFields(of arrival: Arrival, _ exchange: Exchange) -> HTTPFields? {
        let fields = StoredFields.kept(of: arrival.answer.headers, receivedAt: arrival.receivedAt)
        return SecretCheck(exchange.request).kept(fields)
    }

    /// The body in a writer; nil when it is not whole, or repeats a secret.
    func body(of arrival: Arrival, _ exchange: Exchange, _ store: CacheStore) -> BodyWriter? {
        if let recording = arrival.recording, (200..<300).contains(arrival.answer.status) {
            return recording.hasRecorded ? recording.writer : nil
        }
        let body = arrival.answer.body
        guard let kept = SecretCheck(exchange.request).kept(body) else { return nil }
        let announced = arrival.answer.headers[.contentLength].flatMap { Int($0) }
        // RFC 9111 §3.3: what is shorter than announced is not the whole. Masked secrets change the length.
        if exchange.request.credentials == nil, let announced, announced != body.count { return nil }
        let writer = store.writer()
        kept.withUnsafeBytes { writer.write($0) }
        return writer
    }

    /// What the store is given.
    func newResponse(
        _ arrival: Arrival,
        _ fields: HTTPFields,
        part: StoredPart?,
        replacing replaced: [Int64],
        for exchange: Exchange
    ) -> NewResponse {
        let status = part == nil && arrival.answer.status == 206 ? 200 : arrival.answer.status
        let draft = StoredResponse(
            id: 0,
            generation: 0,
            status: status,
            fields: fields,
            requestedAt: arrival.requestedAt,
            receivedAt: arrival.receivedAt,
            usedAt: arrival.receivedAt,
            selection: exchange.selection(for: fields),
            isKeptOnDemand: isKeptOnDemand(exchange, status: status, fields: fields),
            part: part,
            length: 0,
            checksum: 0,
            file: nil
        )
        return NewResponse(
            key: exchange.key,
            url: exchange.request.url,
            provider: exchange.request.scope.provider,
            draft: draft,
            freshUntil: exchange.freshUntil(of: draft),
            keepUntil: exchange.keepUntil(of: draft),
            replaced: replaced
        )
    }

    /// Whether only the source's terms let it be kept.
    func isKeptOnDemand(_ exchange: Exchange, status: Int, fields: HTTPFields) -> Bool {
        guard exchange.demanded ?? 0 > 0 else { return false }
        return !Storability.mayStore(exchange.storedQuestion(status: status, fields: fields, isDemanded: false))
    }

    /// RFC 9111 §4.3.5: what HEAD says about the content holds for the stored answer to GET.
    private func freshen(_ candidates: [StoredResponse], withHead arrival: Arrival, _ exchange: Exchange) {
        guard arrival.answer.status == 200 else { return }
        for stored in candidates.prefix(1) where stored.part == nil && stored.status == 200 {
            if Validation.headApplies(arrival.answer.headers, to: stored) {
                _ = freshen(stored, with: arrival, exchange)
            } else {
                store?.remove([stored.id])
            }
        }
    }
}

extension Exchange {
    /// The question about a response that is stored as the answer to GET, without ranges and conditions.
    func storedQuestion(status: Int, fields: HTTPFields, isDemanded: Bool? = nil) -> Storability.Question {
        var lines = request.headers
        for name in [.range, .ifMatch, .ifUnmodifiedSince] as [HTTPField.Name] { lines[name] = nil }
        return Storability.Question(
            method: .get,
            requestFields: lines,
            status: status == 206 ? 200 : status,
            fields: fields,
            isDemanded: isDemanded ?? (demanded ?? 0 > 0)
        )
    }
}
