/// Which header lines of an answer are kept: those that say the same the next time, and that a provider may read.
enum RecordedHeaders {
    /// What the provider contract and the host read, whatever the value looks like.
    private static let kept: Set<String> = [
        "content-type", "content-language", "content-location", "location", "link", "retry-after", "cache-control",
        "etag", "last-modified", "vary", "www-authenticate",
    ]

    /// Families of headers that say how much may be asked and how much there is.
    private static let keptPrefixes = [
        "x-ratelimit-", "x-rate-limit-", "ratelimit", "x-total", "x-page", "x-pagination",
    ]

    private static let dropped: Set<String> = [
        "date", "server", "age", "via", "set-cookie", "set-cookie2", "expires", "alt-svc", "connection", "keep-alive",
        "transfer-encoding", "content-length", "content-encoding", "content-md5", "digest", "nel", "report-to",
        "reporting-endpoints", "server-timing", "strict-transport-security", "content-security-policy",
        "content-security-policy-report-only", "permissions-policy", "feature-policy", "referrer-policy",
        "expect-ct", "p3p", "pragma", "status", "priority", "proxy-status", "authorization", "cookie",
        "accept-ranges", "origin-agent-cluster", "timing-allow-origin", "traceparent", "tracestate", "request-id",
        "correlation-id", "x-request-id", "x-correlation-id", "x-trace-id", "x-runtime", "x-response-time", "x-timer",
        "x-cache", "x-cache-hits", "x-cache-status", "x-served-by", "x-varnish", "x-powered-by", "x-backend",
        "x-backend-server", "x-hostname", "x-host", "x-server", "x-node", "x-client-ip", "x-real-ip", "x-forwarded-for",
        "x-robots-tag", "x-ua-compatible", "x-download-options", "x-dns-prefetch-control", "x-csrf-token",
        "x-session-id",
    ]

    private static let droppedPrefixes = [
        "cf-", "x-amz-", "x-amzn-", "x-goog-", "x-guploader-", "x-fastly-", "x-akamai-", "akamai-", "x-vercel-", "fly-",
        "x-github-request-", "access-control-", "cross-origin-", "sec-", "x-xss-", "x-frame-", "x-content-type-",
        "x-permitted-", "x-envoy-", "x-b3-", "x-azure-", "x-ms-", "x-sucuri-", "x-cdn", "x-kong-", "x-auth-",
    ]

    /// Whether a line is kept.
    static func keeps(_ name: String, value: String) -> Bool {
        if kept.contains(name) || keptPrefixes.contains(where: name.hasPrefix) { return true }
        if dropped.contains(name) || droppedPrefixes.contains(where: name.hasPrefix) { return false }
        return !isMark(value)
    }

    /// Whether a value is made up for one answer: a long word of letters and digits, such as a UUID or a digest.
    private static func isMark(_ value: String) -> Bool {
        value.utf8.count >= 16 && !value.contains(" ") && !value.contains("/") && value.contains(where: \.isNumber)
    }
}
