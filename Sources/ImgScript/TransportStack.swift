import HTTPCaching
import HTTPTransport
import ProviderModel
import ProviderRuntime
import RateLimits

/// Manifests and pages lie beside the stored answers they were made of.
extension DerivedValues: DerivedStore {}

/// The transports of an engine, joined once.
///
/// Live responses come from curl, through logins, limits, retries and the cache; redirects go round all of it, so that
/// each hop is cached for what it is, and a cached response costs no request of a rate.
struct TransportStack: Sendable {
    let transport: any Transport
    /// The server that recorded answers come from, by provider; nil where answers are live.
    var recordedInstance: @Sendable (ProviderID) -> WebURL? = { _ in nil }
    /// Where manifests and pages are kept; nil for nowhere.
    var results: DerivedValues?
    /// Called with a response in which a script found that there were too many requests.
    var refused: @Sendable (TransportRequest, TransportResponse) async -> Void = { _, _ in }
    /// Prepares for a request that is about to come.
    var prewarm: @Sendable () -> Void = {}
    /// Waits until the cache is written.
    var finish: @Sendable () async -> Void = {}
    /// The cookies of logins, with what servers have set.
    let cookies = CookieJars()
    /// Closes connections and files.
    var shutdown: @Sendable () async -> Void = {}

    /// Joins the transports for a configuration.
    init(
        _ settings: ImageEngine.Configuration, directory: ProviderDirectory, notices: NoticeCenter,
        logins: LoginStorage
    ) throws {
        switch settings.answers {
        case .samples:
            let replay = SampleTransport { [folder = settings.sampleFolder] id in
                if let folder { return "\(folder)/\(id)" }
                // A provider that does not exist is an error of the caller, not of its samples.
                return (try? directory.entry(named: id.description)).map { "\($0.file.folder)/cassettes/\(id)" }
            }
            self.init(LoggingTransport(over: replay, notices: notices))
            recordedInstance = { replay.origin(of: $0) }
        case .dryRun: self.init(DryRunTransport(notices: notices))
        case .live: try self.init(live: settings, notices, logins)
        }
    }

    private init(_ transport: any Transport) { self.transport = transport }

    /// The transport, whose responses somebody sees where that is wanted.
    func transport(
        seenBy observe: (@Sendable (TransportRequest, TransportResponse) -> Void)?
    ) -> any Transport {
        guard let observe else { return transport }
        return ObservedTransport(base: transport, observe: observe)
    }

    private init(live settings: ImageEngine.Configuration, _ notices: NoticeCenter, _ logins: LoginStorage) throws {
        let store = settings.cacheStore(notices)
        let limits = SQLiteRateLimitStore(
            path: "\(settings.stateFolder)/limits.sqlite",
            now: { Timestamp(milliseconds: WallClock.millisecondsSince1970) },
            warning: { notices.post(.warning($0)) })
        let client = CurlTransport(settings: try settings.transportSettings)
        let cache = CachingTransport(
            over: Self.live(over: client, limits, cookies, logins, settings, notices), store: store,
            settings: CachingSettings(mode: settings.cacheMode),
            onStored: { notices.post(.stored($0, age: $1, isStale: $2)) })
        let derived = store.map { DerivedValues(in: $0, mode: settings.cacheMode) }
        transport = RedirectingTransport(over: cache, total: .seconds(900))
        results = derived
        if settings.cacheMode != .offline {
            prewarm = {
                client.prewarm()
                limits.prewarm()
            }
        }
        finish = {
            // First: finishing the cache closes its database.
            await derived?.finish()
            await cache.finish()
        }
        shutdown = {
            await client.shutdown()
            limits.close()
        }
        // Only this run's next request would come too soon: the response itself is reported as it is.
        refused = { await limits.noteRefusal(of: $0, answeredBy: $1) }
    }

    /// Curl, then retries, then redirects: for what belongs to no source.
    static func plain(_ settings: ImageEngine.Configuration, _ notices: NoticeCenter) throws -> any Transport {
        let client = CurlTransport(settings: try settings.transportSettings)
        return RedirectingTransport(
            over: retrying(LoggingTransport(over: client, notices: notices), settings, notices))
    }

    /// Tokens and cookies, then limits, then retries.
    private static func live(
        over client: any Transport, _ limits: SQLiteRateLimitStore, _ cookies: CookieJars, _ logins: LoginStorage,
        _ settings: ImageEngine.Configuration, _ notices: NoticeCenter
    ) -> some Transport {
        let now: @Sendable () -> Int = { WallClock.secondsSince1970 }
        let tokens = OAuthTokens(over: RedirectingTransport(over: client), logins: logins, now: now)
        let loggedIn = LoginTransport(
            over: LoggingTransport(over: client, notices: notices), tokens: tokens, jars: cookies, now: now)
        return retrying(
            RateLimitedTransport(
                over: loggedIn, store: limits, clock: ContinuousClock(), onWait: { notices.post(.waiting($0)) }),
            settings, notices)
    }

    private static func retrying(
        _ base: some Transport, _ settings: ImageEngine.Configuration, _ notices: NoticeCenter
    ) -> some Transport {
        RetryingTransport(
            over: base, policy: settings.retryPolicy, clock: ContinuousClock(), now: { WallClock.secondsSince1970 },
            onWait: { notices.post(.waiting($0)) })
    }
}

/// A transport whose responses somebody sees.
struct ObservedTransport: Transport {
    let base: any Transport
    let observe: @Sendable (TransportRequest, TransportResponse) -> Void

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let response = try await base.send(request)
        observe(request, response)
        return response
    }
}

extension ImageEngine.Notice {
    fileprivate static func waiting(_ notice: WaitNotice) -> Self {
        .waiting(
            provider: notice.provider.description, seconds: Int(notice.wait.components.seconds), reason: notice.reason)
    }

    fileprivate static func stored(_ request: TransportRequest, age: Int, isStale: Bool) -> Self {
        .stored(
            provider: request.scope.provider.description, text: request.description, age: age, isStale: isStale)
    }
}
