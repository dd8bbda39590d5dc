import Glibc
import HTTPTransport
import HTTPTypes
import Synchronization

/// A private HTTP cache (RFC 9111) in front of any transport.
///
/// It belongs to one person: what is `private` is kept, `s-maxage` means nothing. It wraps the transport that sends single
/// requests; redirects are followed outside of it, so that each hop is kept for what it is. An answer says in `origin` how
/// it was had.
public final class CachingTransport<Base: Transport>: Transport {
    let base: Base
    let store: CacheStore?
    let settings: CachingSettings
    let now: @Sendable () -> Double
    let shared = SharedFetches()
    let background = BackgroundWork()
    private let currentMode: Mutex<CacheMode>

    /// Wraps a transport; without a store nothing is kept, and only the mode `offline` makes a difference.
    ///
    /// `now` is the time of day in seconds since 1970.
    public init(
        over base: Base,
        store: CacheStore?,
        settings: CachingSettings = CachingSettings(),
        now: @escaping @Sendable () -> Double = { SystemTime.now }
    ) {
        self.base = base
        self.store = store
        self.settings = settings
        self.now = now
        currentMode = Mutex(settings.mode)
    }

    /// How what is stored is treated, from the next request on.
    public var mode: CacheMode {
        get { currentMode.withLock(\.self) }
        set { currentMode.withLock { $0 = newValue } }
    }

    /// Returns the answer, from the store where HTTP allows it.
    ///
    /// Throws what the wrapped transport throws, and a `TransportError` with the code `notStored` where nothing but the
    /// store may answer and it cannot.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try request.scope.check(request.url)
        let mode = mode
        guard mode != .bypass, let hash = store?.hash() else {
            guard mode != .offline else { throw Self.notStored(request) }
            return try await base.send(request)
        }
        guard request.method != .get || request.body.isEmpty else {
            // RFC 9110 §9.3.1: a body means nothing to GET; a server that makes something of it is not for caching.
            guard mode != .offline else { throw Self.notStored(request) }
            return try await base.send(request)
        }
        let exchange = Exchange(request, hash: hash, mode: mode, now: now())
        guard request.method == .get || request.method == .head else {
            guard mode != .offline else { throw Self.notStored(request) }
            return try await sendUnsafe(exchange)
        }
        return try await answer(exchange, isSecondTry: false)
    }

    /// Waits for what goes on in the background, calls off what takes longer, and notes what was used.
    ///
    /// For a process that is about to end; the transport can be used on.
    public func finish(within limit: Duration = .seconds(5)) async {
        await background.finish(within: limit)
        store?.settle()
    }

    /// RFC 9111 §4: from the store, after asking, or anew.
    func answer(_ exchange: Exchange, isSecondTry: Bool) async throws -> TransportResponse {
        let candidates = candidates(for: exchange)
        let stored = candidates.first { isUsable($0, for: exchange) }
        switch reuse(of: stored, for: exchange, isSecondTry: isSecondTry) {
        case .use(let isStale):
            guard let stored, let answer = try await serve(stored, exchange, .stored(isStale: isStale)) else { break }
            return answer
        case .useAndRevalidate:
            guard let stored, let answer = try await serve(stored, exchange, .stored(isStale: true)) else { break }
            revalidateInBackground(stored, exchange)
            return answer
        case .validate:
            return try await fetchShared(exchange, validating: stored, among: candidates, isSecondTry: isSecondTry)
        case .fetch, .unavailable: break
        }
        guard exchange.mode != .offline else { throw Self.notStored(exchange.request) }
        guard !exchange.wish.isOnlyIfCached else { return Self.gatewayTimeout(exchange.request) }
        return try await fetchShared(exchange, validating: nil, among: candidates, isSecondTry: isSecondTry)
    }

    private func reuse(of stored: StoredResponse?, for exchange: Exchange, isSecondTry: Bool) -> Reuse {
        if exchange.isForServerOnly { return exchange.mode == .offline ? .unavailable : .fetch }
        let decide = { (mode: CacheMode, wish: RequestDirectives) in
            Reuse(stored, for: wish, mode: mode, demanded: exchange.demanded, now: self.now())
        }
        let decision = decide(exchange.mode, exchange.wish)
        // What came after this request began, for somebody who asked the same, is as new as an answer of its own.
        guard isSecondTry, decision == .validate, let stored, stored.receivedAt >= exchange.startedAt else {
            return decision
        }
        return decide(.standard, RequestDirectives())
    }

    /// What a caller gets that takes nothing but stored answers.
    private static func notStored(_ request: TransportRequest) -> TransportError {
        TransportError(
            .notStored,
            url: request.url,
            message: "no answer to \(request) is stored; go without --offline to ask \(request.url.origin)"
        )
    }

    /// RFC 9111 §5.2.1.7.
    private static func gatewayTimeout(_ request: TransportRequest) -> TransportResponse {
        TransportResponse(status: 504, url: request.url, origin: .cache(age: 0, isStale: false))
    }
}

/// The clock on the wall.
public enum SystemTime {
    /// Seconds since 1970.
    public static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
