import HTTPTransport
import HTTPTypes
import ProviderModel
import ProviderRuntime

/// Takes out of a request and its answer what must not lie in a file: secrets, cookies, and what tells who recorded it.
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
        method: String, url: WebURL, body: [UInt8], status: Int, headers: HTTPFields, content: [UInt8],
        recorded: CalendarDay?
    ) -> Cassette.Entry {
        Cassette.Entry(
            method: method, url: self.url(url), body: self.content(body), status: status,
            headers: self.headers(headers),
            content: self.content(content), recorded: recorded)
    }

    /// An entry with more of it masked.
    func entry(of entry: Cassette.Entry) -> Cassette.Entry {
        self.entry(
            method: entry.method, url: entry.url, body: entry.body, status: entry.status, headers: entry.headers,
            content: entry.content, recorded: entry.recorded)
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
