import ProviderModel

/// The error of an HTTP status, where the provider's `check` has not thrown one.
struct StatusError {
    let code: ProviderError.Code
    let message: String
    /// Whether the server caused it, and not the request.
    let isServerFault: Bool

    init(_ response: ProviderResponse) {
        let status = response.status
        let meaning: String
        switch status {
        case _ where response.isChallenge: (code, meaning) = (.blocked, "a challenge that only browsers solve")
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
        isServerFault = code == .rate || status >= 500
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
    /// Whether a guard before the source wants proof of a browser:
    /// https://developers.cloudflare.com/cloudflare-challenges/challenge-types/challenge-pages/detect-response/, and the
    /// pages of DDoS-Guard.
    fileprivate var isChallenge: Bool {
        guard status >= 400 else { return false }
        return headers.contains { header in
            switch header.name.lowercased() {
            case "cf-mitigated": header.value.lowercased() == "challenge"
            case "server": status == 403 && header.value.lowercased() == "ddos-guard"
            default: false
            }
        }
    }
}
