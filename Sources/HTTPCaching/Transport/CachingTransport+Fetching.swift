import HTTPTransport
import HTTPTypes

extension CachingTransport {
    /// Asks the server, or waits for whoever is asking it the same already.
    func fetchShared(
        _ exchange: Exchange,
        validating stored: StoredResponse?,
        among candidates: [StoredResponse],
        isSecondTry: Bool
    ) async throws -> TransportResponse {
        // Whoever has waited once and found nothing to use goes alone: the answer is not one to share.
        guard exchange.isShareable, !isSecondTry else {
            return try await fetch(exchange, validating: stored, among: candidates)
        }
        switch try await shared.join(exchange.key) {
        case .follow(.answered): return try await answer(exchange, isSecondTry: true)
        case .follow(.abandoned): return try await answer(exchange, isSecondTry: false)
        case .follow(.failed(let error)):
            if let stored, let answer = try await serve(stored, exchange, after: error) { return answer }
            throw error
        case .lead:
            // Whoever led before may have stored something since the store was looked into.
            guard self.candidates(for: exchange).map(\.version) == candidates.map(\.version) else {
                shared.end(exchange.key, .answered)
                return try await answer(exchange, isSecondTry: true)
            }
            do {
                let answer = try await fetch(exchange, validating: stored, among: candidates)
                shared.end(exchange.key, .answered)
                return answer
            } catch {
                let failure = (error as? TransportError).map {
                    $0.code == .sink ? .abandoned : SharedFetches.Ending.failed($0)
                }
                shared.end(exchange.key, failure ?? .abandoned)
                throw error
            }
        }
    }

    /// Asks the server; with a stored response to validate, whether that is still good (RFC 9111 §4.3).
    func fetch(
        _ exchange: Exchange,
        validating stored: StoredResponse?,
        among candidates: [StoredResponse]
    ) async throws -> TransportResponse {
        if stored == nil, let answer = try await complete(exchange, from: candidates) { return answer }
        var outgoing = exchange.request
        let isConditional = condition(&outgoing, with: stored)
        let recording = record(&outgoing, for: exchange)
        let requestedAt = now()
        let answer: TransportResponse
        do {
            answer = try await base.send(outgoing)
        } catch let error as TransportError {
            if let stored, let answer = try await serve(stored, exchange, after: error) { return answer }
            throw error
        }
        let arrival = Arrival(answer: answer, requestedAt: requestedAt, receivedAt: now(), recording: recording)
        if answer.status == 304, isConditional, let stored {
            return try await takeNotModified(arrival, for: stored, exchange, candidates)
        }
        if let stored, let failure = Self.failure(answer.status), mayServe(stored, exchange, after: failure),
            let served = try await serve(stored, exchange, .failed)
        {
            return served
        }
        return take(arrival, for: exchange, validated: stored, among: candidates)
    }

    /// RFC 5861 §3: asks whether a stale response is still good, for the next one who wants it.
    func revalidateInBackground(_ stored: StoredResponse, _ exchange: Exchange) {
        guard shared.beginUnlessBusy(exchange.key) else { return }
        var request = exchange.request
        // The caller has its answer; this one is for the store.
        request.sink = nil
        for name in [.range, .ifRange, .ifNoneMatch, .ifModifiedSince] as [HTTPField.Name] {
            request.headers[name] = nil
        }
        let plain = Exchange(request, hash: exchange.hash, mode: exchange.mode, now: exchange.startedAt)
        background.begin { [self] in
            // Nobody waits for this answer; that it did not come shows the next time.
            _ = try? await fetch(plain, validating: stored.part == nil ? stored : nil, among: candidates(for: plain))
            shared.end(exchange.key, .answered)
        }
    }

    /// Adds the conditions of §4.3.1; false when there is nothing to ask about.
    private func condition(_ request: inout TransportRequest, with stored: StoredResponse?) -> Bool {
        guard let stored, request.method == .get,
            let fields = Validation.conditionalFields(request.headers, for: stored.validators)
        else { return false }
        request.headers = fields
        return true
    }

    /// Puts a recorder between the transport and the caller's sink.
    private func record(_ request: inout TransportRequest, for exchange: Exchange) -> RecordingSink? {
        guard let sink = request.sink, let store, request.method == .get, exchange.mode != .bypass else { return nil }
        let recording = RecordingSink(sink, writer: store.writer(), secrets: SecretCheck(request)) { head in
            Storability.mayStore(exchange.question(status: head.status, fields: head.headers))
        }
        request.sink = recording
        return recording
    }

    /// §4.3.4: what was stored is given, with its lines brought up to date.
    private func takeNotModified(
        _ arrival: Arrival,
        for stored: StoredResponse,
        _ exchange: Exchange,
        _ candidates: [StoredResponse]
    ) async throws -> TransportResponse {
        if Validation.applies(arrival.answer.headers, to: stored.fields) {
            let fresh = freshen(stored, with: arrival, exchange)
            if let answer = try await serve(fresh, exchange, .validated) { return answer }
        } else {
            store?.remove([stored.id])
        }
        // It is about a version that is not here, or what was here is lost: the whole is needed.
        return try await fetch(exchange, validating: nil, among: candidates.filter { $0.id != stored.id })
    }

    /// The stored response with newer lines; stored too, unless another process was faster.
    func freshen(_ stored: StoredResponse, with arrival: Arrival, _ exchange: Exchange) -> StoredResponse {
        var fresh = stored
        let newer = StoredFields.kept(of: arrival.answer.headers, receivedAt: arrival.receivedAt)
        guard let kept = SecretCheck(exchange.request).kept(newer) else { return stored }
        fresh.fields = StoredFields.updated(stored.fields, by: kept)
        fresh.requestedAt = arrival.requestedAt
        fresh.receivedAt = arrival.receivedAt
        fresh.selection = exchange.selection(for: fresh.fields)
        fresh.isKeptOnDemand = isKeptOnDemand(exchange, status: fresh.status, fields: fresh.fields)
        guard Storability.mayStore(exchange.storedQuestion(status: fresh.status, fields: fresh.fields)) else {
            store?.remove([stored.id])
            return fresh
        }
        return store?.update(
            fresh, freshUntil: exchange.freshUntil(of: fresh), keepUntil: exchange.keepUntil(of: fresh)) ?? fresh
    }

    /// The stored response in place of an error, where that may be; nil when it may not.
    private func serve(
        _ stored: StoredResponse,
        _ exchange: Exchange,
        after error: TransportError
    ) async throws -> TransportResponse? {
        let unreachable: [TransportError.Code] = [.connection, .timeout, .tls, .unavailable]
        guard unreachable.contains(error.code), mayServe(stored, exchange, after: .unreachable) else { return nil }
        return try await serve(stored, exchange, .failed)
    }

    private func mayServe(_ stored: StoredResponse, _ exchange: Exchange, after failure: StaleServing.Failure) -> Bool {
        // Whoever asks for the server's own word does not want ours.
        guard exchange.mode == .standard, !exchange.wish.isNoCache, !stored.isKeptOnDemand else { return false }
        return StaleServing.mayServe(
            after: failure,
            stored.directives,
            exchange.wish,
            staleness: stored.age.current(at: now()) - stored.freshness.lifetime,
            limit: settings.staleWhenUnreachable / .seconds(1)
        )
    }

    private static func failure(_ status: Int) -> StaleServing.Failure? {
        guard StatusCodes.isServerFailure(status) else { return nil }
        return StatusCodes.isUnreachable(status) ? .unreachable : .failed
    }
}
