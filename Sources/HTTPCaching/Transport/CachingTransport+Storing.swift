import HTTPTransport
import HTTPTypes

extension CachingTransport {
    /// Stores a response where that is allowed, and gives it to the caller.
    func take(
        _ received: ReceivedResponse,
        for exchange: Exchange,
        validated: StoredResponse?,
        among candidates: [StoredResponse]
    ) -> TransportResponse {
        let answer = received.answer
        if exchange.request.method == .head {
            freshen(candidates, withHead: received, exchange)
            return answer
        }
        guard let stored = keep(received, for: exchange, among: candidates) else {
            // The server has another response, which may not be stored: the stored one is outdated.
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

    /// Stores a response; nil when it may not be kept, or could not be.
    func keep(_ received: ReceivedResponse, for exchange: Exchange, among candidates: [StoredResponse])
        -> StoredResponse?
    {
        let answer = received.answer
        let isRequiredByTerms = exchange.minimumLifetime ?? 0 > 0
        // What redirects led to is the response to another request; only the source's terms make it one to this.
        guard let store, isRequiredByTerms || CacheKey.text(answer.url) == exchange.url,
            Storability.mayStore(exchange.question(status: answer.status, fields: answer.headers)),
            let fields = keptFields(of: received, exchange)
        else { return nil }
        guard answer.status != 206 else { return keepPart(received, fields, for: exchange, among: candidates) }
        guard let writer = body(of: received, exchange, store) else { return nil }
        let new = newResponse(received, fields, part: nil, replacing: candidates.map(\.id), for: exchange)
        return store.insert(new, body: writer)
    }

    /// The lines that are kept; nil when they repeat a secret.
    func keptFields(of received: ReceivedResponse, _ exchange: Exchange) -> HTTPFields? {
        let fields = StoredFields.kept(of: received.answer.headers, receivedAt: received.receivedAt)
        return SecretCheck(exchange.request).kept(fields)
    }

    /// The body in a writer; nil when it is not whole, or repeats a secret.
    func body(of received: ReceivedResponse, _ exchange: Exchange, _ store: any CacheStorage) -> BodyWriter? {
        if let recording = received.recording, (200..<300).contains(received.answer.status) {
            return recording.hasRecorded ? recording.writer : nil
        }
        let body = received.answer.body
        guard let kept = SecretCheck(exchange.request).kept(body) else { return nil }
        let announced = received.answer.headers[.contentLength].flatMap { Int($0) }
        // RFC 9111 §3.3: what is shorter than announced is not the whole. Masked secrets change the length.
        if exchange.request.credentials == nil, let announced, announced != body.count { return nil }
        let writer = store.writer()
        kept.withUnsafeBytes { writer.write($0) }
        return writer
    }

    /// What the store is given.
    func newResponse(
        _ received: ReceivedResponse,
        _ fields: HTTPFields,
        part: StoredPart?,
        replacing replaced: [Int64],
        for exchange: Exchange
    ) -> NewResponse {
        let status = part == nil && received.answer.status == 206 ? 200 : received.answer.status
        let draft = StoredResponse(
            id: 0,
            generation: 0,
            status: status,
            fields: fields,
            requestedAt: received.requestedAt,
            receivedAt: received.receivedAt,
            usedAt: received.receivedAt,
            selection: exchange.selection(for: fields),
            isStoredByTerms: isStoredByTerms(exchange, status: status, fields: fields),
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
    func isStoredByTerms(_ exchange: Exchange, status: Int, fields: HTTPFields) -> Bool {
        guard exchange.minimumLifetime ?? 0 > 0 else { return false }
        return !Storability.mayStore(exchange.storedQuestion(status: status, fields: fields, isRequiredByTerms: false))
    }

    /// RFC 9111 §4.3.5: what HEAD says about the content holds for the stored response to GET.
    private func freshen(_ candidates: [StoredResponse], withHead received: ReceivedResponse, _ exchange: Exchange) {
        guard received.answer.status == 200 else { return }
        for stored in candidates.prefix(1) where stored.part == nil && stored.status == 200 {
            if Validation.headApplies(received.answer.headers, to: stored) {
                _ = freshen(stored, with: received, exchange)
            } else {
                store?.remove([stored.id])
            }
        }
    }

    /// The stored response with newer lines; stored too, unless another process was faster.
    func freshen(_ stored: StoredResponse, with received: ReceivedResponse, _ exchange: Exchange) -> StoredResponse {
        var fresh = stored
        let newer = StoredFields.kept(of: received.answer.headers, receivedAt: received.receivedAt)
        guard let kept = SecretCheck(exchange.request).kept(newer) else { return stored }
        fresh.fields = StoredFields.updated(stored.fields, by: kept)
        fresh.requestedAt = received.requestedAt
        fresh.receivedAt = received.receivedAt
        fresh.selection = exchange.selection(for: fresh.fields)
        fresh.isStoredByTerms = isStoredByTerms(exchange, status: fresh.status, fields: fresh.fields)
        guard Storability.mayStore(exchange.storedQuestion(status: fresh.status, fields: fresh.fields)) else {
            store?.remove([stored.id])
            return fresh
        }
        return store?.update(
            fresh, freshUntil: exchange.freshUntil(of: fresh), keepUntil: exchange.keepUntil(of: fresh)) ?? fresh
    }
}

// MARK: - Unsafe methods

extension CachingTransport {
    /// Sends a request that may change something, and invalidates what it may have changed (RFC 9111 §4.4).
    func sendUnsafe(_ exchange: Exchange) async throws -> TransportResponse {
        let request = exchange.request
        let requestedAt = now()
        var answer = try await base.send(request)
        store?.invalidate(
            Invalidation.urls(
                method: request.method, target: request.url, status: answer.status, fields: answer.headers)
        )
        let received = ReceivedResponse(answer: answer, requestedAt: requestedAt, receivedAt: now(), recording: nil)
        if let stored = keepPost(received, exchange) { answer.receipt = receipt(for: stored, exchange) }
        return answer
    }

    /// RFC 9110 §9.3.3: a response to POST with explicit freshness and a matching `Content-Location` answers GET.
    private func keepPost(_ received: ReceivedResponse, _ exchange: Exchange) -> StoredResponse? {
        let answer = received.answer
        let request = exchange.request
        // What is no URL is not the target.
        let location = answer.headers[.contentLocation].flatMap { try? request.url.resolving($0) }
        guard let store, request.sink == nil, CacheKey.text(answer.url) == exchange.url,
            Storability.mayStorePost(
                exchange.question(status: answer.status, fields: answer.headers),
                isContentLocationTheTarget: location.map(CacheKey.text) == exchange.url
            ),
            let fields = keptFields(of: received, exchange), let writer = body(of: received, exchange, store)
        else { return nil }
        return store.insert(newResponse(received, fields, part: nil, replacing: [], for: exchange), body: writer)
    }
}
