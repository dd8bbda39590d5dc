import HTTPTransport
import ProviderLoading
import ProviderModel
import ProviderTesting
import RateLimits

/// The transports of an engine, joined once: curl, then redirects within the allowed hosts, then tokens, then
/// rate limits, then retries.
struct TransportStack {
    let transport: any Transport
    /// The server that recorded answers come from, by provider; nil where answers are live.
    var recordedInstance: @Sendable (ProviderID) -> WebURL? = { _ in nil }

    init(_ settings: ImgScript.Settings, directory: ProviderDirectory) throws {
        let onNotice = settings.onNotice
        switch settings.answers {
        case .samples:
            let replay = ReplayTransport { id in
                // A provider that does not exist is an error of whoever asks for it, not of its samples.
                (try? directory.entry(named: id.description)).map { "\($0.file.folder)/cassettes/\(id)" }
            }
            transport = NotingTransport(over: replay, onNotice: onNotice)
            recordedInstance = { replay.origin(of: $0) }
        case .dryRun: transport = DryRunTransport(onNotice: onNotice)
        case .live:
            var curl = TransportSettings(version: ImgScript.version, environment: settings.environment)
            curl.bodyLimit = settings.maximumBody
            curl.allowedHosts = try AllowedHosts(settings.allowedHosts)
            curl.trust.extraFile = settings.certificateFile
            let client = CurlTransport(settings: curl)
            client.warmUp()
            let now: @Sendable () -> Int = { WallClock.secondsSince1970 }
            let redirecting = RedirectingTransport(over: client)
            let authorised = OAuthTransport(
                over: redirecting, tokens: OAuthTokens(over: redirecting, now: now))
            let noting = NotingTransport(over: authorised, onNotice: onNotice)
            let limits = LimitStore(
                path: "\(settings.stateFolder)/limits.sqlite",
                now: { Moment(milliseconds: WallClock.millisecondsSince1970) }, warning: { onNotice(.warning($0)) })
            let limited = RateLimitedTransport(
                over: noting, store: limits, limits: { $0.limits }, clock: ContinuousClock(),
                waiting: { notice in
                    onNotice(
                        .waiting(
                            provider: notice.provider.description, seconds: Int(notice.wait.components.seconds),
                            reason: notice.reason))
                })
            transport = RetryingTransport(
                over: limited, clock: ContinuousClock(), now: now,
                waiting: { notice in
                    onNotice(
                        .waiting(
                            provider: notice.provider.description, seconds: Int(notice.wait.components.seconds),
                            reason: notice.reason))
                })
        }
    }
}

/// Tells of every request and answer.
struct NotingTransport<Base: Transport>: Transport {
    private let base: Base
    private let onNotice: @Sendable (ImgScript.Notice) -> Void

    init(over base: Base, onNotice: @escaping @Sendable (ImgScript.Notice) -> Void) {
        self.base = base
        self.onNotice = onNotice
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let provider = request.scope.provider.description
        onNotice(.request(provider: provider, text: request.description))
        let response = try await base.send(request)
        onNotice(.response(provider: provider, text: "\(response.status), \(response.body.count) bytes"))
        return response
    }
}

/// Tells of every request and sends none.
struct DryRunTransport: Transport {
    let onNotice: @Sendable (ImgScript.Notice) -> Void

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        // What would be refused on the way out is refused here too.
        try request.scope.check(request.url)
        onNotice(.request(provider: request.scope.provider.description, text: request.description))
        throw DryRunEnd()
    }
}

/// The end of a dry run: what comes next depends on an answer there is not.
public struct DryRunEnd: Error {}
