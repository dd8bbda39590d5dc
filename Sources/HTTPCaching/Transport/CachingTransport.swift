import Glibc
import HTTPTransport
import HTTPTypes
public import ProviderModel
import Synchronization

/// A private HTTP cache (RFC 9111) in front of any transport.
///
/// It stores responses that are `private` and ignores `s-maxage`. It wraps the transport that sends single requests;
/// redirects are followed outside of it, so that each hop is stored by its own rules. ``TransportResponse/origin`` tells
/// whether a response came from the cache.
///
/// ```swift
/// let store = SQLiteCacheStorage(folder: "/var/cache/example")
/// let client = CurlTransport(settings: TransportSettings(version: "1.0"))
/// let transport = CachingTransport(over: client, store: store)
/// let response = try await transport.send(TransportRequest(url: WebURL("https://example.com/feed.json")))
/// print(response.status, response.origin)  // after a second request: cache(age: 3, isStale: false)
/// await transport.finish()
/// ```
public final class CachingTransport<Base: Transport>: Transport {
    let base: Base
    let store: (any CacheStorage)?
    let settings: CachingSettings
    let now: @Sendable () -> Double
    let shared = SharedFetches()
    let background = BackgroundWork()
    private let onStored: @Sendable (_ request: TransportRequest, _ age: Int, _ isStale: Bool) -> Void
    private let currentMode: Mutex<CacheMode>

    /// Wraps a transport.
    ///
    /// - Parameters:
    ///   - base: sends the requests that the cache cannot answer.
    ///   - store: where responses are stored; with nil every request is sent, or fails in the mode `offline`.
    ///   - settings: mode and limits.
    ///   - now: returns the time in seconds since 1970.
    ///   - onStored: called with each request that was answered from the store alone, the response's age in seconds, and whether
    ///     it is stale.
    public convenience init(
        over base: Base,
        store: SQLiteCacheStorage?,
        settings: CachingSettings = CachingSettings(),
        now: @escaping @Sendable () -> Double = { WallClock.now },
        onStored: @escaping @Sendable (_ request: TransportRequest, _ age: Int, _ isStale: Bool) -> Void = { _, _, _ in
        }
    ) {
        self.init(over: base, storage: store, settings: settings, now: now, onStored: onStored)
    }

    /// Wraps a transport with any storage.
    package init(
        over base: Base,
        storage: (any CacheStorage)?,
        settings: CachingSettings = CachingSettings(),
        now: @escaping @Sendable () -> Double = { WallClock.now },
        onStored: @escaping @Sendable (_ request: TransportRequest, _ age: Int, _ isStale: Bool) -> Void = { _, _, _ in
        }
    ) {
        self.base = base
        store = storage
        self.settings = settings
        self.now = now
        self.onStored = onStored
        currentMode = Mutex(settings.mode)
    }

    /// How stored responses are used; a change holds for later requests.
    public var mode: CacheMode {
        get { currentMode.withLock(\.self) }
        set { currentMode.withLock { $0 = newValue } }
    }

    /// Answers a request from the store where RFC 9111 allows it, else from the wrapped transport.
    ///
    /// Of equal requests at the same time one is sent, where its response may be shared.
    ///
    /// - Parameter request: the request; only GET and HEAD are answered from the store.
    /// - Returns: the response; its `origin` tells where it came from.
    /// - Throws: what the wrapped transport throws, and `TransportError` with the code `notStored` in the mode `offline`.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let mode = mode
        // RFC 9110 §9.3.1: a body means nothing to GET; a server that makes something of it is not for caching.
        let isCacheable = mode != .bypass && (request.method != .get || request.body.isEmpty)
        let isRead = request.method == .get || request.method == .head
        guard isCacheable, let hash = store?.hash(), isRead || mode != .offline else {
            guard mode != .offline else { throw Self.notStored(request) }
            return try await base.send(request)
        }
        let exchange = Exchange(request, hash: hash, mode: mode, now: now())
        guard isRead else { return try await sendUnsafe(exchange) }
        let response = try await respond(to: exchange, isSecondTry: false)
        if case .cache(let age, let isStale) = response.origin { onStored(request, age, isStale) }
        return response
    }

    /// Waits for revalidations in the background, cancels those that take longer, and writes the store's pending changes.
    ///
    /// For a process that is about to end; the transport remains usable.
    ///
    /// - Parameter limit: the maximum time to wait.
    public func finish(within limit: Duration = .seconds(5)) async {
        await background.finish(within: limit)
        store?.flush()
    }

    /// RFC 9111 §4: from the storage, after validation, or anew.
    func respond(to exchange: Exchange, isSecondTry: Bool) async throws -> TransportResponse {
        let start = shared.lastEnd
        let candidates = candidates(for: exchange)
        let stored = candidates.first { isUsable($0, for: exchange) }
        let decision = reuse(of: stored, for: exchange, isSecondTry: isSecondTry)
        if let stored, let isStale = decision.servesStale,
            let response = try await serve(stored, exchange, .stored(isStale: isStale))
        {
            if decision == .useAndRevalidate { revalidateInBackground(stored, exchange) }
            return response
        }
        guard exchange.mode != .offline else { throw Self.notStored(exchange.request) }
        guard !exchange.directives.isOnlyIfCached else { return Self.gatewayTimeout(exchange.request) }
        let lookup = Lookup(candidates: candidates, validated: decision == .validate ? stored : nil, start: start)
        return try await fetchShared(exchange, lookup, isSecondTry: isSecondTry)
    }

    private func reuse(of stored: StoredResponse?, for exchange: Exchange, isSecondTry: Bool) -> Reuse {
        if exchange.isForServerOnly { return exchange.mode == .offline ? .unavailable : .fetch }
        let decide = { (mode: CacheMode, directives: RequestDirectives) in
            Reuse(stored, for: directives, mode: mode, minimumLifetime: exchange.minimumLifetime, now: self.now())
        }
        let decision = decide(exchange.mode, exchange.directives)
        // What came after this request began, for the same request of another caller, is as new as a response of its own.
        guard isSecondTry, decision == .validate, let stored, stored.receivedAt >= exchange.startedAt else {
            return decision
        }
        return decide(.default, RequestDirectives())
    }

    /// The error of a request without a stored response in the mode `offline`.
    private static func notStored(_ request: TransportRequest) -> TransportError {
        TransportError(
            .notStored,
            url: request.url,
            message: "no cached response to \(request)",
            hint: .goOnline
        )
    }

    /// RFC 9111 §5.2.1.7.
    private static func gatewayTimeout(_ request: TransportRequest) -> TransportResponse {
        TransportResponse(status: 504, url: request.url, origin: .cache(age: 0, isStale: false))
    }
}

// MARK: - Fetching

extension CachingTransport {
    /// Sends the request, or waits for the same request of another caller.
    private func fetchShared(
        _ exchange: Exchange, _ lookup: Lookup, isSecondTry: Bool
    ) async throws -> TransportResponse {
        // A request that has waited once and found nothing to use is sent alone: the response is not one to share.
        guard exchange.isShareable, !isSecondTry else { return try await fetch(exchange, lookup) }
        switch try await shared.join(exchange.key, since: lookup.start) {
        case .follow(.answered): return try await respond(to: exchange, isSecondTry: true)
        case .follow(.abandoned): return try await respond(to: exchange, isSecondTry: false)
        case .follow(.failed(let error)):
            if let stored = lookup.validated, let response = try await serve(stored, exchange, after: error) {
                return response
            }
            throw error
        case .lead: break
        }
        // For all callers that wait for the same request, whose wait ends here.
        do {
            let response = try await fetch(exchange, lookup)
            shared.end(exchange.key, .answered)
            return response
        } catch {
            let failure = (error as? TransportError).map {
                $0.code == .sink ? .abandoned : SharedFetches.Ending.failed($0)
            }
            shared.end(exchange.key, failure ?? .abandoned)
            throw error
        }
    }

    /// Asks the server; with a stored response to validate, whether that is still good (RFC 9111 §4.3).
    private func fetch(_ exchange: Exchange, _ lookup: Lookup) async throws -> TransportResponse {
        let (stored, candidates) = (lookup.validated, lookup.candidates)
        if stored == nil, let answer = try await complete(exchange, from: candidates) { return answer }
        var outgoing = exchange.request
        // RFC 9111 §4.3.1.
        let conditional =
            outgoing.method == .get
            ? stored.flatMap { Validation.conditionalFields(outgoing.headers, for: $0.validators) } : nil
        outgoing.headers = conditional ?? outgoing.headers
        let recording = record(&outgoing, for: exchange)
        let requestedAt = now()
        let answer: TransportResponse
        do {
            answer = try await base.send(outgoing)
        } catch let error as TransportError {
            if let stored, let answer = try await serve(stored, exchange, after: error) { return answer }
            throw error
        }
        let received = ReceivedResponse(
            answer: answer, requestedAt: requestedAt, receivedAt: now(), recording: recording)
        if answer.status == 304, conditional != nil, let stored {
            return try await takeNotModified(received, for: stored, exchange, lookup)
        }
        if let stored, let failure = Self.failure(answer.status), mayServe(stored, exchange, after: failure),
            let served = try await serve(stored, exchange, .failed)
        {
            return served
        }
        return take(received, for: exchange, validated: stored, among: candidates)
    }

    /// RFC 5861 §3: validates a stale response for later requests.
    private func revalidateInBackground(_ stored: StoredResponse, _ exchange: Exchange) {
        guard shared.beginUnlessBusy(exchange.key) else { return }
        var request = exchange.request
        // The caller has its response; this one is for the store.
        request.sink = nil
        for name in [.range, .ifRange, .ifNoneMatch, .ifModifiedSince] as [HTTPField.Name] {
            request.headers[name] = nil
        }
        let plain = Exchange(request, hash: exchange.hash, mode: exchange.mode, now: exchange.startedAt)
        background.begin { [self] in
            // No caller waits for this response; the next request reports a failure.
            let validated = stored.part == nil ? stored : nil
            _ = try? await fetch(
                plain, Lookup(candidates: candidates(for: plain), validated: validated, start: shared.lastEnd))
            shared.end(exchange.key, .answered)
        }
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
        _ received: ReceivedResponse,
        for stored: StoredResponse,
        _ exchange: Exchange,
        _ lookup: Lookup
    ) async throws -> TransportResponse {
        if Validation.applies(received.answer.headers, to: stored.fields) {
            let fresh = freshen(stored, with: received, exchange)
            if let answer = try await serve(fresh, exchange, .validated) { return answer }
        } else {
            store?.remove([stored.id])
        }
        // It is about a version that is not here, or what was here is lost: the whole is needed.
        let others = lookup.candidates.filter { $0.id != stored.id }
        return try await fetch(exchange, Lookup(candidates: others, validated: nil, start: lookup.start))
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
        // Neither another mode nor `no-cache` is to be answered with a stale response.
        guard exchange.mode == .default, !exchange.directives.isNoCache, !stored.isStoredByTerms else { return false }
        return StaleServing.mayServe(
            after: failure,
            stored.directives,
            exchange.directives,
            staleness: stored.age.current(at: now()) - stored.freshness.lifetime,
            limit: settings.staleWhenUnreachable / .seconds(1)
        )
    }

    private static func failure(_ status: Int) -> StaleServing.Failure? {
        guard StatusCodes.isServerFailure(status) else { return nil }
        return StatusCodes.isUnreachable(status) ? .unreachable : .failed
    }
}

/// What was found in the storage for a request.
struct Lookup: Sendable {
    /// Everything selected by the same header fields, the most recent first.
    let candidates: [StoredResponse]
    /// The one that the server is asked about; nil for none.
    let validated: StoredResponse?
    /// The last shared fetch that had ended before: a later one may have stored something since.
    let start: Int
}

/// The settings of a ``CachingTransport``.
public struct CachingSettings: Sendable {
    /// How stored responses are used.
    public var mode: CacheMode
    /// How long past its freshness a response may be served when the server cannot be reached, where the response does not say
    /// it (`stale-if-error`, RFC 5861 §4); zero for never.
    public var staleWhenUnreachable: Duration

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - mode: how stored responses are used.
    ///   - staleWhenUnreachable: how long past its freshness a response may be served when the server cannot be reached.
    public init(mode: CacheMode = .default, staleWhenUnreachable: Duration = .seconds(7 * 86_400)) {
        self.mode = mode
        self.staleWhenUnreachable = staleWhenUnreachable
    }
}

/// How a ``CachingTransport`` uses stored responses.
public enum CacheMode: String, Sendable, CaseIterable {
    /// By the rules of RFC 9111.
    case `default`
    /// Every request is sent, with the stored response's validators, and the response is stored.
    case refresh
    /// Nothing is read from the store or written to it.
    case bypass
    /// Only stored responses are used, stale ones too; a request without one fails with `TransportError.Code.notStored`.
    case offline
}

/// Tasks that continue after the response was returned; their owner waits for them or cancels them.
final class BackgroundWork: Sendable {
    private struct State {
        var tasks: [Int: Task<Void, Never>] = [:]
        var lastNumber = 0
    }

    private let state = Mutex(State())

    deinit { cancel() }

    /// Starts a task.
    func begin(_ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            state.lastNumber += 1
            let number = state.lastNumber
            state.tasks[number] = Task { [weak self] in
                await work()
                self?.forget(number)
            }
        }
    }

    /// Waits for all tasks, and cancels those that take longer than `limit`.
    func finish(within limit: Duration) async {
        let tasks = state.withLock { Array($0.tasks.values) }
        guard !tasks.isEmpty else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for task in tasks { await task.value }
            }
            group.addTask {
                // Being cancelled is how this ends when the work is done first.
                try? await Task.sleep(for: limit)
            }
            await group.next()
            for task in tasks { task.cancel() }
            group.cancelAll()
        }
    }

    /// Cancels all tasks.
    func cancel() {
        for task in state.withLock({ Array($0.tasks.values) }) { task.cancel() }
    }

    private func forget(_ number: Int) { state.withLock { _ = $0.tasks.removeValue(forKey: number) } }
}
