import ProviderModel

/// What an HTTP status means when the provider's `check` has not said so already.
struct StatusError {
    let code: ProviderError.Code
    let message: String

    init(_ response: ProviderResponse) {
        let status = response.status
        let meaning: String
        switch status {
        case 300..<400: (code, meaning) = (.transport, "the source redirects without saying where")
        case 401, 403: (code, meaning) = (.auth, "the source refused the request or the key")
        case 404, 410: (code, meaning) = (.notFound, "the source does not have it")
        case 429: (code, meaning) = (.rate, "the source asks for fewer requests")
        case 451: (code, meaning) = (.blocked, "the source may not show it here")
        case 500...: (code, meaning) = (.transport, "the source has a fault")
        default: (code, meaning) = (.unsupported, "the source did not accept the request")
        }
        // RFC 9110 §10.2.3. Long waits only: shorter ones the host has waited already.
        let wait =
            response.headers.first { $0.name.lowercased() == "retry-after" }
            .map { Self.wait($0.value) } ?? ""
        let preview = response.body.isEmpty ? "" : ": \(BodyPreview(response))"
        message = "status \(status), \(meaning)\(wait)\(preview)"
    }

    private static func wait(_ value: String) -> String {
        guard let seconds = Int64(value) else { return " (not before \(value))" }
        return seconds > 0 ? " (not for \(Duration.seconds(seconds).inWords))" : ""
    }
}
