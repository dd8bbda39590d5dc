import ProviderModel

/// The error of an HTTP status, where the provider's `check` has not thrown one, or of something in front of the source.
struct StatusError {
    let code: ProviderError.Code
    let message: String
    /// Whether the server caused it, and not the request.
    let isServerFault: Bool

    init(_ response: ProviderResponse, barrier: Barrier? = nil) {
        let status = response.status
        let meaning: String
        switch status {
        case _ where barrier != nil: (code, meaning) = (.blocked, barrier?.meaning ?? "")
        case 300..<400: (code, meaning) = (.transport, "a redirect without a target")
        case 401, 403: (code, meaning) = (.auth, "access denied")
        case 404, 410: (code, meaning) = (.notFound, "not found")
        // RFC 9110 §15.5.20 has 421 for another server's requests; Danbooru and its kin throttle with it.
        case 421, 429: (code, meaning) = (.rate, "too many requests")
        case 451: (code, meaning) = (.blocked, "unavailable for legal reasons")
        case 503: (code, meaning) = (.transport, "temporarily unavailable")
        case 500...: (code, meaning) = (.transport, "server error")
        default: (code, meaning) = (.unsupported, "request refused")
        }
        isServerFault = code == .rate || status >= 500 || barrier != nil
        // RFC 9110 §10.2.3. Long waits only: shorter ones the host has waited already.
        let wait =
            response.headers.first { $0.name.lowercased() == "retry-after" }
            .map { Self.wait($0.value) } ?? ""
        let preview = response.body.isEmpty ? "" : ": \(BodyPreview(response))"
        message = "\(response.url.origin) answered with status \(status) (\(meaning)\(wait))\(preview)"
    }

    private static func wait(_ value: String) -> String {
        guard let seconds = Int64(value) else { return ", retry after \(value)" }
        return seconds > 0 ? ", retry after \(Duration.seconds(seconds).inWords)" : ""
    }
}

extension ProviderResponse {
    /// What refused a request in front of the source; nil for an answer that the script wants.
    func barrier(for request: ProviderRequest) -> Barrier? {
        guard !request.allowedStatus.contains(status) else { return nil }
        return Barrier(
            status: status, headers: headers.lazy.map { ($0.name, $0.value) }, body: body,
            expectsPage: request.format == .html || request.format == .text)
    }
}
