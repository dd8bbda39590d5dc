import HTTPCaching
import HTTPTransport
import ProviderModel
import ProviderRuntime
import RateLimits

/// The transports of an engine, joined once.
///
/// Live answers come from curl, through tokens, rate limits, retries and the cache; redirects go round all of it, so that
/// each hop is kept for what it is, and a stored answer costs no turn.
struct TransportStack {
    let transport: any Transport
    /// The server that recorded answers come from, by provider; nil where answers are live.
    var recordedInstance: @Sendable (ProviderID) -> WebURL? = { _ in nil }
    /// Where manifests and pages are kept; nil for nowhere.
    var results: (any DerivedStore)?
    /// Told of an answer in which a script found that there were too many requests.
    var refused: @Sendable (TransportRequest, TransportResponse) async -> Void = { _, _ in }
    /// Completes what goes on in the background.
    var finish: @Sendable () async -> Void = {}

    /// Joins the transports for these settings.
    ///
    /// `startsAtOnce` has the network made ready beside whatever the caller does next.
    init(_ settings: ImageEngine.Configuration, directory: ProviderDirectory, startsAtOnce: Bool) throws {
        switch settings.answers {
        case .samples:
            let replay = ReplayTransport { id in
                // A provider that does not exist is an error of whoever asks for it, not of its samples.
                (try? directory.entry(named: id.description)).map { "\($0.file.folder)/cassettes/\(id)" }
            }
            transport = LoggingTransport(over: replay, onNotice: settings.onNotice)
            recordedInstance = { replay.origin(of: $0) }
        case .dryRun: transport = DryRunTransport(onNotice: settings.onNotice)
        case .live:
            let store = settings.cacheStore
            let limits = Self.limitStore(settings)
            let cache = CachingTransport(
                over: try Self.network(settings, limits, startsAtOnce: startsAtOnce),
                store: store,
                settings: CachingSettings(mode: settings.cacheMode))
            transport = CacheNoticeTransport(
                over: RedirectingTransport(over: cache, total: .seconds(900)), onNotice: settings.onNotice)
            let kept = store.map { DerivedValueCache(in: $0, mode: settings.cacheMode) }
            results = kept
            finish = {
                // First: finishing the cache closes its database.
                await kept?.finish()
                await cache.finish()
            }
            // Only this run's next request would come too soon: the answer itself is told as it is.
            refused = { try? await limits.noteRefusal(of: $0, answeredBy: $1) }
        }
    }

    /// Curl, then retries, then redirects: for what belongs to no source.
    static func plain(_ settings: ImageEngine.Configuration) throws -> any Transport {
        let onNotice = settings.onNotice
        let client = CurlTransport(settings: try settings.transportSettings)
        return RedirectingTransport(
            over: RetryingTransport(
                over: LoggingTransport(over: client, onNotice: onNotice), clock: ContinuousClock(),
                now: { WallClock.secondsSince1970 },
                waiting: { onNotice(.waiting($0.wait, for: $0.provider, because: $0.reason)) }))
    }

    /// Curl, then what comes above it.
    private static func network(
        _ settings: ImageEngine.Configuration, _ limits: LimitStore, startsAtOnce: Bool
    ) throws -> some Transport {
        let client = CurlTransport(settings: try settings.transportSettings)
        // One after the other: on few processors the worker needs one of them for itself.
        if startsAtOnce { client.warmUp { limits.warmUp() } }
        return turns(over: client, limits, onNotice: settings.onNotice)
    }

    /// Tokens, then rate limits, then as many at once as a source takes, then retries.
    static func turns(
        over client: any Transport, _ limits: LimitStore, onNotice: @escaping @Sendable (ImageEngine.Notice) -> Void
    ) -> some Transport {
        let now: @Sendable () -> Int = { WallClock.secondsSince1970 }
        let tokens = OAuthTokens(over: RedirectingTransport(over: client), now: now)
        let limited = RateLimitedTransport(
            over: OAuthTransport(over: LoggingTransport(over: client, onNotice: onNotice), tokens: tokens),
            store: limits, limits: \.limits, clock: ContinuousClock(),
            waiting: { onNotice(.waiting($0.wait, for: $0.provider, because: $0.reason)) })
        let counted = ConcurrencyLimitedTransport(over: limited, limits: \.limits, clock: ContinuousClock())
        return RetryingTransport(
            over: counted, clock: ContinuousClock(), now: now,
            waiting: { onNotice(.waiting($0.wait, for: $0.provider, because: $0.reason)) })
    }
}

extension TransportStack {
    /// What all processes know of the providers' limits.
    private static func limitStore(_ settings: ImageEngine.Configuration) -> LimitStore {
        let onNotice = settings.onNotice
        return LimitStore(
            path: "\(settings.stateFolder)/limits.sqlite",
            now: { Timestamp(milliseconds: WallClock.millisecondsSince1970) }, warning: { onNotice(.warning($0)) })
    }
}

extension ImageEngine.Notice {
    fileprivate static func waiting(_ wait: Duration, for provider: ProviderID, because reason: String) -> Self {
        .waiting(provider: provider.description, seconds: Int(wait.components.seconds), reason: reason)
    }
}

extension ImageEngine.Configuration {
    var transportSettings: TransportSettings {
        get throws {
            var settings = TransportSettings(version: ImageEngine.version, environment: environment)
            settings.bodyLimit = maximumBody
            settings.allowedHosts = try AllowedHosts(allowedHosts)
            settings.trust.extraFile = certificateFile
            settings.minimumSpeed = minimumSpeed
            settings.connectionsPerHost = connectionsPerHost
            return settings
        }
    }

    /// The store of answers; nil where nothing is to be kept.
    var cacheStore: CacheStore? {
        guard let cacheFolder, cacheMode != .bypass else { return nil }
        let onNotice = onNotice
        return CacheStore(folder: cacheFolder, limit: cacheLimit, warning: { onNotice(.warning($0)) })
    }
}
