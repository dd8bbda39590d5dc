import HTTPTransport
import ProviderModel
import ProviderRuntime
import ProviderTesting

/// The secrets in a browser's requests, which have more of them than a provider sends.
struct HARSecrets {
    /// Values to mask wherever they stand: a service often repeats what it was sent.
    let texts: [String]

    /// Shorter values are words, and stand elsewhere for something else.
    private static let shortest = 12

    /// Looks at all exchanges of an archive; `redaction` knows which pairs carry the provider's own credentials.
    init(of exchanges: [JSONValue], _ redaction: CassetteRedaction) {
        var texts: [String] = []
        for exchange in exchanges {
            let (request, response) = (exchange["request"], exchange["response"])
            // What is no URL is reported where the exchange is read.
            if let url = try? WebURL(request?["url"]?.textValue ?? "") {
                texts += redaction.secrets(in: url)
                texts += url.queryItems.filter { Self.isSecretPair($0.name) }.map(\.value).filter(Self.isLong)
            }
            texts += Self.values(of: request?["headers"], where: Self.isSecretHeader)
            texts += Self.values(of: response?["headers"], where: Self.isSecretHeader)
            for cookies in [request?["cookies"], response?["cookies"]] {
                texts += Self.values(of: cookies) { _ in true }
            }
            texts += Self.members(of: HARArchive.sentBody(request?["postData"])).filter { Self.isSecretPair($0.name) }
                .map(\.value).filter(Self.isLong)
        }
        self.texts = Array(Set(texts)).sorted()
    }

    // MARK: Masking

    /// A URL with stars in place of what looks like a credential.
    func masked(_ url: WebURL) -> WebURL {
        guard let query = url.query else { return url }
        let pairs = query.split(separator: "&", omittingEmptySubsequences: false).map { pair -> String in
            let name = pair.prefix { $0 != "=" }
            guard name.endIndex < pair.endIndex, Self.isSecretPair(PercentEncoding.decode(name)) else {
                return String(pair)
            }
            return "\(name)=\(SecretPatterns.mask)"
        }
        // Stars are a URL's own signs; what follows the query never went anywhere.
        return (try? WebURL(url.origin + url.path + "?" + pairs.joined(separator: "&"))) ?? url
    }

    /// A body with stars in place of what looks like a credential; of a login nothing is left.
    func masked(body: [UInt8]) -> [UInt8] {
        let names = Self.members(of: body).map(\.name)
        let isLogin = names.contains(where: Self.isPassword)
        guard isLogin || names.contains(where: Self.isSecretPair) else { return body }
        let isSecret = { (name: String) in isLogin || Self.isSecretPair(name) }
        switch RequestBody(body) {
        case .form(let fields):
            let pairs = fields.map { field in
                "\(PercentEncoding.encode(field.name))="
                    + (isSecret(field.name) ? SecretPatterns.mask : PercentEncoding.encode(field.value))
            }
            return Array(pairs.joined(separator: "&").utf8)
        case .json(.object(let members)):
            let masked = members.map { member in
                guard case .text = member.value, isSecret(member.name) else { return member }
                return JSONValue.Member(member.name, .text(SecretPatterns.mask))
            }
            return Array(JSONValue.object(masked).compact.utf8)
        default: return body
        }
    }

    // MARK: Names

    private static func isSecretPair(_ name: String) -> Bool {
        SecretPatterns.isSecretName(name) || isPassword(name) || pairNames.contains(bare(name))
    }

    private static let pairNames: Set<String> = [
        "token", "auth", "key", "sig", "sign", "signature", "session", "sid", "nonce", "ticket", "hmac", "clientid",
        "code", "otp", "bearer", "credential", "credentials",
    ]

    private static let headerWords: Set<String> = [
        "key", "token", "auth", "secret", "session", "csrf", "xsrf", "signature",
    ]

    private static func isPassword(_ name: String) -> Bool {
        ["password", "passwd", "passphrase", "pwd", "pass", "pin", "otp"].contains(bare(name))
    }

    private static func isSecretHeader(_ name: String) -> Bool {
        let words = name.lowercased().split(separator: "-")
        return ["authorization", "cookie", "set-cookie"].contains(name.lowercased())
            || words.contains { headerWords.contains(String($0)) } || SecretPatterns.isSecretName(name)
    }

    private static func bare(_ name: String) -> String {
        name.lowercased().filter { $0 != "_" && $0 != "-" && $0 != "." }
    }

    // MARK: Values

    private static func isLong(_ text: String) -> Bool { text.utf8.count >= shortest }

    /// The words of header lines or cookies: a scheme and the names of cookies are no secrets.
    private static func values(of lines: JSONValue?, where isWanted: (String) -> Bool) -> [String] {
        (lines?.elements ?? []).filter { isWanted($0["name"]?.textValue ?? "") }
            .compactMap { $0["value"]?.textValue }
            .flatMap { $0.split { " ;=,\"".contains($0) } }.map(String.init).filter(isLong)
    }

    private static func members(of body: [UInt8]) -> [NamedValue] {
        switch RequestBody(body) {
        case .form(let fields): fields
        case .json(.object(let members)):
            members.compactMap { member in member.value.textValue.map { NamedValue(member.name, $0) } }
        default: []
        }
    }
}
