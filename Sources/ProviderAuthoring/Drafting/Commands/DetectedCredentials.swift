import FoundationEssentials
import HTTPTransport
import ProviderModel
import ProviderRuntime

/// The keys in a copied request, taken out of it: where the host would put them, and what they are.
package struct DetectedCredentials: Sendable {
    /// Where they go; nil for a request without keys.
    package private(set) var method: AuthenticationMethod?
    /// The entry of `auth` in a provider's file; nil for a request without keys.
    private(set) var script: String?
    /// The secrets by name, for this one request only.
    package private(set) var secrets: [String: String] = [:]
    /// Notes for the user on what was left out.
    package private(set) var notes: [String] = []
    /// The request without them, and without what browsers add.
    package private(set) var command: CurlCommand

    /// Header lines of a browser or a connection, which the source does not need.
    private static let noise: Set<String> = [
        "user-agent", "accept-language", "accept-encoding", "cache-control", "pragma", "dnt", "connection", "te",
        "priority",
        "upgrade-insecure-requests", "if-none-match", "if-modified-since", "host", "content-length", "referer",
        "origin",
        "x-requested-with", "expect", "range", "save-data",
    ]
    /// Names of query pairs that hold a key, besides those that any text with a secret has.
    private static let queryNames: Set<String> = [
        "key", "apikey", "clientid", "appid", "appkey", "wskey", "token", "auth", "authtoken", "userkey", "devkey",
        "consumerkey", "subscriptionkey", "apitoken", "accesskey", "licensekey",
    ]

    /// Takes the keys out of a request.
    package init(in command: CurlCommand) {
        self.command = command
        takeHeaders()
        takeUser()
        takeQuery()
    }

    /// What sends the request as it was copied.
    package func credentials(for provider: ProviderID) -> Credentials? {
        method.flatMap { Credentials(provider: provider, methods: [$0], secrets: secrets) }
    }

    private mutating func take(_ method: AuthenticationMethod.Placement, _ secrets: [String: String], script: String) {
        guard self.method == nil else {
            notes.append(
                "a second key was left out; list both methods in auth if the source accepts either")
            return
        }
        self.method = AuthenticationMethod(placement: method)
        self.secrets = secrets
        self.script = script
    }

    private mutating func takeHeaders() {
        var kept: [NamedValue] = []
        for line in command.headers {
            let name = line.name.lowercased()
            if name == "authorization" {
                takeAuthorization(line)
            } else if name == "cookie" {
                takeCookies(line.value)
            } else if Self.isKeyHeader(name) {
                take(
                    .header([NamedValue(line.name, "{key}")]), ["key": line.value],
                    script: "{ type: 'header', name: \(line.name.asJavaScript) }")
            } else if !Self.noise.contains(name), !name.hasPrefix("sec-"), !name.hasPrefix(":") {
                kept.append(line)
            }
        }
        command.headers = kept
    }

    private static func isKeyHeader(_ name: String) -> Bool {
        let words = Set(NameWords(name).words)
        return SecretPatterns.isSecretName(name)
            || !words.isDisjoint(with: ["key", "apikey", "token", "secret", "auth"])
            || words.isSuperset(of: ["client", "id"])
    }

    private mutating func takeAuthorization(_ line: NamedValue) {
        let parts = line.value.split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
            take(
                .header([NamedValue("Authorization", "{key}")]), ["key": line.value],
                script: "{ type: 'header', name: 'Authorization' }")
            return
        }
        switch parts[0].lowercased() {
        case "bearer":
            take(
                .header([NamedValue("Authorization", "Bearer {key}")]), ["key": parts[1]], script: "{ type: 'bearer' }")
        case "basic":
            let pair = Data(base64Encoded: parts[1]).map { String(decoding: $0, as: UTF8.self) } ?? ""
            takeBasic(pair.isEmpty ? parts[1] : pair)
        default:
            take(
                .header([NamedValue("Authorization", "\(parts[0]) {key}")]), ["key": parts[1]],
                script: "{ type: 'header', name: 'Authorization', template: \("\(parts[0]) {key}".asJavaScript) }")
        }
    }

    private mutating func takeUser() {
        guard let user = command.user else { return }
        command.user = nil
        takeBasic(user)
    }

    private mutating func takeBasic(_ pair: String) {
        let parts = pair.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let password = parts.count > 1 ? parts[1] : ""
        // A key alone stands for either half; an empty one is no secret.
        if parts[0].isEmpty || password.isEmpty {
            let isUser = password.isEmpty
            take(
                .basic(user: isUser ? "{key}" : "", password: isUser ? "" : "{key}"),
                ["key": isUser ? parts[0] : password],
                script: isUser
                    ? "{ type: 'basic', user: '{key}', password: '' }"
                    : "{ type: 'basic', user: '', password: '{key}' }")
        } else {
            take(
                .basic(user: "{user}", password: "{password}"), ["user": parts[0], "password": password],
                script: "{ type: 'basic' }")
        }
    }

    /// Cookies that hold a session are a way to authenticate; those of trackers and settings are nothing.
    private mutating func takeCookies(_ line: String) {
        let cookies = line.split(separator: ";").compactMap { pair -> NamedValue? in
            let parts = pair.trimmingSpaces.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 ? NamedValue(String(parts[0]), String(parts[1])) : nil
        }
        let sessions = cookies.filter { cookie in
            let isNamedSo = NameWords(cookie.name).contains(anyOf: [
                "session", "sessionid", "sid", "auth", "token", "sess", "login", "jwt", "key",
            ])
            return !cookie.value.isEmpty && (isNamedSo || SecretPatterns.isSecretName(cookie.name))
        }
        if sessions.count == 1, let cookie = sessions.first {
            take(
                .cookie([NamedValue(cookie.name, "{key}")]), ["key": cookie.value],
                script: "{ type: 'cookie', name: \(cookie.name.asJavaScript) }")
        }
        let left = cookies.count - (sessions.count == 1 ? 1 : 0)
        if left > 0 {
            notes.append(
                "\(left) cookie\(left == 1 ? " was" : "s were") left out; auth: { type: 'cookie', … } is for a source that needs one"
            )
        }
    }

    /// Whether a value is a key or a signature by its looks: 24 characters and more that are no words.
    private static func isRandom(_ value: String) -> Bool {
        let isPlain = value.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_+/=".contains($0)) }
        guard value.utf8.count >= 24, isPlain, value.contains(where: \.isNumber) else { return false }
        let isMixed = value.contains(where: \.isUppercase) && value.contains(where: \.isLowercase)
        return isMixed || value.allSatisfy(\.isHexDigit) && value.contains(where: \.isLetter)
    }

    private mutating func takeQuery() {
        let found = command.url.queryItems.filter { pair in
            !pair.value.isEmpty
                && (SecretPatterns.isSecretName(pair.name)
                    || Self.queryNames.contains(NameWords(pair.name).joined) && pair.value.count > 3
                    || Self.isRandom(pair.value) && !RequestPattern.cursors.contains(NameWords(pair.name).joined))
        }
        guard !found.isEmpty else { return }
        command.url = command.url.removing(pairs: Set(found.map(\.name)))
        if found.count == 1, let pair = found.first {
            take(
                .query([NamedValue(pair.name, "{key}")]), ["key": pair.value],
                script: "{ type: 'query', name: \(pair.name.asJavaScript) }")
        } else {
            let names = found.map { ($0.name, $0.name.filter { $0.isLetter || $0.isNumber || $0 == "_" }) }
            take(
                .query(names.map { NamedValue($0.0, "{\($0.1)}") }),
                Dictionary(zip(names.map(\.1), found.map(\.value)), uniquingKeysWith: { first, _ in first }),
                script: "{ type: 'query', fields: { "
                    + names.map { "\($0.0.asMemberName): \("{\($0.1)}".asJavaScript)" }.joined(separator: ", ") + " } }"
            )
        }
    }
}

extension WebURL {
    /// The URL without the query pairs of these names.
    func removing(pairs names: Set<String>) -> WebURL {
        let kept = (query ?? "").split(separator: "&").filter {
            !names.contains(PercentEncoding.decode($0.prefix { $0 != "=" }))
        }
        // Part of a URL that parsed parses again.
        return (try? WebURL(origin + path + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&")))) ?? self
    }
}
