import HTTPTransport
import ProviderModel

/// Posts a notice of every request that goes out, and of its response.
struct LoggingTransport: Transport {
    private let base: any Transport
    private let notices: NoticeCenter

    init(over base: any Transport, notices: NoticeCenter) {
        self.base = base
        self.notices = notices
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let provider = request.scope.provider.description
        notices.post(.request(provider: provider, text: request.description))
        do {
            let response = try await base.send(request)
            notices.post(.response(provider: provider, text: "\(response.status), \(response.body.count) bytes"))
            return response
        } catch {
            notices.post(.response(provider: provider, text: "no response: \(error)"))
            throw error
        }
    }
}

/// Posts a notice of every request and sends none.
struct DryRunTransport: Transport {
    let notices: NoticeCenter

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        // What would be refused on the way out is refused here too.
        try request.scope.check(request.url)
        notices.post(.request(provider: request.scope.provider.description, text: request.wholeDescription))
        throw EngineError(.dryRun, message: "no request is sent in a dry run")
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
