import HTTPTransport
import ProviderModel

/// Tells of every request that goes out, and of its answer.
struct LoggingTransport: Transport {
    private let base: any Transport
    private let onNotice: @Sendable (ImageEngine.Notice) -> Void

    init(over base: any Transport, onNotice: @escaping @Sendable (ImageEngine.Notice) -> Void) {
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

/// Tells of every answer that was stored.
struct CacheNoticeTransport: Transport {
    private let base: any Transport
    private let onNotice: @Sendable (ImageEngine.Notice) -> Void

    init(over base: any Transport, onNotice: @escaping @Sendable (ImageEngine.Notice) -> Void) {
        self.base = base
        self.onNotice = onNotice
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let response = try await base.send(request)
        if case .cache(let age, let isStale) = response.origin {
            let provider = request.scope.provider.description
            onNotice(.stored(provider: provider, text: request.description, age: age, isStale: isStale))
        }
        return response
    }
}

/// Tells of every request and sends none.
struct DryRunTransport: Transport {
    let onNotice: @Sendable (ImageEngine.Notice) -> Void

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        // What would be refused on the way out is refused here too.
        try request.scope.check(request.url)
        onNotice(.request(provider: request.scope.provider.description, text: request.wholeDescription))
        throw DryRunEnd()
    }
}

extension TransportRequest {
    /// `POST https://graphql.example/ {"query":"…"}`: the line and what is sent after it, with every secret masked.
    fileprivate var wholeDescription: String {
        guard !body.isEmpty else { return description }
        let sent = credentials?.redaction.redact(body) ?? body
        return "\(description) \(String(decoding: sent, as: UTF8.self))"
    }
}

/// The end of a dry run: what comes next depends on an answer there is not.
public struct DryRunEnd: Error {}
