import HTTPTransport
import HTTPTypes
import ProviderModel
import ProviderRuntime

/// Removes from a request and its response what a file must not contain: secrets, cookies, and identifiers of the user.
package struct CassetteRedaction: Sendable {
    private var known: [SecretRedaction]
    private let pairNames: Set<String>

    /// Masks the secrets of these credentials besides what looks like a secret.
    ///
    /// `pairNames` are query pairs that only carry credentials; they are left out as the host leaves them out.
    package init(credentials: Credentials? = nil, pairNames: Set<String> = []) {
        known = [credentials?.redaction].compactMap(\.self)
        self.pairNames = pairNames
    }

    /// The same, and these texts masked wherever they stand.
    package func masking(_ secrets: [String]) -> CassetteRedaction {
        var redaction = self
        redaction.known.append(SecretRedaction(secrets))
        return redaction
    }

    /// What the pairs of a URL hold that only carry credentials.
    package func secrets(in url: WebURL) -> [String] {
        url.queryItems.filter { pairNames.contains($0.name) }.map(\.value)
    }

    /// The entry of a request and its answer.
    package func entry(
        calls: [RecordedCall] = [], method: String, url: WebURL, body: [UInt8], status: Int, headers: HTTPFields,
        content: [UInt8], recorded: CalendarDay?
    ) -> Cassette.Entry {
        Cassette.Entry(
            calls: calls, method: method, url: self.url(url), body: self.content(body), status: status,
            headers: self.headers(headers), content: self.content(content), recorded: recorded)
    }

    /// An entry with more of it masked.
    func entry(of entry: Cassette.Entry) -> Cassette.Entry {
        self.entry(
            calls: entry.calls, method: entry.method, url: entry.url, body: entry.body, status: entry.status,
            headers: entry.headers, content: entry.content, recorded: entry.recorded)
    }

    /// A URL without credentials.
    package func url(_ url: WebURL) -> WebURL {
        let pairs = (url.query ?? "").split(separator: "&", omittingEmptySubsequences: false)
        let kept = pairs.filter { pair in !pairNames.contains(PercentEncoding.decode(pair.prefix { $0 != "=" })) }
        let query = kept.isEmpty ? "" : "?" + kept.joined(separator: "&")
        let text = url.query == nil ? url.description : url.origin + url.path + query
        // Masks are stars, which a URL may have; should it not parse, nothing of it is kept but the path.
        return (try? WebURL(self.text(text))) ?? url
    }

    /// Header lines worth keeping, masked.
    package func headers(_ headers: HTTPFields) -> HTTPFields {
        HTTPFields(
            headers.filter { RecordedHeaders.keeps($0.name.canonicalName, value: $0.value) }
                .map { HTTPField(name: $0.name, value: text($0.value)) })
    }

    /// A body, masked: members of JSON by their names, any text by what looks like a secret.
    package func content(_ bytes: [UInt8]) -> [UInt8] {
        let plain = known.reduce(bytes) { $1.redact($0) }
        if let json = JSONValue.found(in: plain) {
            let masked = self.json(json)
            return masked == json ? plain : Array(masked.compact.utf8)
        }
        return String(validating: plain, as: UTF8.self) == nil ? plain : SecretPatterns.masked(plain)
    }

    private func text(_ text: String) -> String {
        let plain = known.reduce(text) { $1.redact($0) }
        return String(decoding: SecretPatterns.masked(Array(plain.utf8)), as: UTF8.self)
    }

    private func json(_ value: JSONValue) -> JSONValue {
        switch value {
        case .text(let text): .text(self.text(text))
        case .array(let values): .array(values.map(json))
        case .object(let members):
            .object(
                members.map { member in
                    guard case .text(let text) = member.value, !text.isEmpty, isSecret(member.name, among: members)
                    else {
                        return JSONValue.Member(member.name, json(member.value))
                    }
                    return JSONValue.Member(member.name, .text(SecretPatterns.mask))
                })
        default: value
        }
    }

    /// Whether a member holds a secret: `token` alone may as well be how a listing goes on, and `secret` a part of a
    /// file's address, as Flickr has it.
    private func isSecret(_ name: String, among members: [JSONValue.Member]) -> Bool {
        guard ["token", "secret"].contains(name.lowercased()) else { return SecretPatterns.isSecretName(name) }
        let others = members.map { $0.name.lowercased() }.filter { $0 != name.lowercased() }
        return others.isEmpty || others.contains { other in Self.besideSecrets.contains { other.hasPrefix($0) } }
    }

    /// How the names begin that stand beside a token or a secret.
    private static let besideSecrets = ["expire", "refresh", "token", "key", "client", "access", "api", "oauth"]
}

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
