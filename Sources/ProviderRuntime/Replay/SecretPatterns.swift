import ProviderModel

/// Detects secrets in any text: tokens of known formats, and pairs and members with such names.
package enum SecretPatterns {
    /// Something that looks like a secret.
    package struct Finding: Hashable, Sendable {
        /// Where, in UTF-8 bytes.
        package var range: Range<Int>
        /// What it looks like: `a JSON Web Token`.
        package var kind: String
    }

    /// The text that replaces a secret.
    package static let mask = "***"

    /// Every finding in a text, in order, none inside another.
    package static func findings(in bytes: [UInt8]) -> [Finding] {
        var findings: [Finding] = []
        var index = 0
        while index < bytes.count {
            if let finding = finding(at: index, in: bytes) {
                findings.append(finding)
                index = finding.range.upperBound
            } else {
                index += 1
            }
        }
        return findings
    }

    /// The bytes with every finding masked; the same bytes when there is none.
    package static func masked(_ bytes: [UInt8]) -> [UInt8] {
        let findings = findings(in: bytes)
        guard !findings.isEmpty else { return bytes }
        var result: [UInt8] = []
        var end = 0
        for finding in findings {
            result += bytes[end..<finding.range.lowerBound]
            result += mask.utf8
            end = finding.range.upperBound
        }
        return result + bytes[end...]
    }

    /// Whether a member or a pair of this name holds a secret, or identifies a user.
    package static func isSecretName(_ name: String) -> Bool {
        secretNames.contains(name.lowercased().filter { $0 != "_" && $0 != "-" && $0 != "." })
    }

    private static let secretNames: Set<String> = [
        "accesstoken", "refreshtoken", "idtoken", "authtoken", "sessiontoken", "oauthtoken", "oauthtokensecret",
        "csrftoken", "xsrftoken", "apikey", "apitoken", "appsecret", "clientsecret", "consumersecret", "password",
        "passwd", "secret", "sessionid", "authorization", "jwt", "xamzsecuritytoken", "xamzcredential",
        "xamzsignature", "csrf", "xsrf", "csrfmiddlewaretoken", "requestverificationtoken", "authenticitytoken",
        "privatetoken", "privatekey", "secretkey", "secretaccesskey", "sessionkey", "sessionsecret", "bearertoken",
        "usertoken", "apisecret", "email", "emailaddress", "phone", "phonenumber", "ipaddress",
    ]

    // MARK: Forms of tokens

    private static func finding(at index: Int, in bytes: [UInt8]) -> Finding? {
        // A form begins with its first pair.
        if index == 0, let first = pair(named: 0, in: bytes) { return first }
        return switch bytes[index] {
        case UInt8(ascii: "e"): webToken(at: index, in: bytes)
        case UInt8(ascii: "A"):
            fixed("AKIA", 16, "an AWS access key", at: index, in: bytes)
                ?? fixed("AIza", 35, "a Google API key", at: index, in: bytes)
        case UInt8(ascii: "g"): fixed("ghp_", 36, "a GitHub token", at: index, in: bytes)
        case UInt8(ascii: "B"), UInt8(ascii: "b"):
            scheme("bearer ", "a bearer token", at: index, in: bytes)
        case UInt8(ascii: "m"): address(at: index, in: bytes)
        case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: ";"): pair(named: index + 1, in: bytes)
        case UInt8(ascii: "="), UInt8(ascii: ":"): AssignedSecret(at: index, in: bytes)?.finding
        default: nil
        }
    }

    /// RFC 7519: three parts in base64url, the first two of which begin with `{"`.
    private static func webToken(at index: Int, in bytes: [UInt8]) -> Finding? {
        guard isStart(index, in: bytes), bytes[index...].starts(with: "eyJ".utf8) else { return nil }
        let header = run(from: index, in: bytes, where: \.isTokenByte)
        guard header - index >= 10, header < bytes.count, bytes[header] == UInt8(ascii: "."),
            bytes[(header + 1)...].starts(with: "eyJ".utf8)
        else { return nil }
        var end = run(from: header + 1, in: bytes, where: \.isTokenByte)
        if end < bytes.count, bytes[end] == UInt8(ascii: ".") {
            end = run(from: end + 1, in: bytes, where: \.isTokenByte)
        }
        return Finding(range: index..<end, kind: "a JSON Web Token")
    }

    private static func fixed(
        _ prefix: String, _ length: Int, _ kind: String, at index: Int, in bytes: [UInt8]
    ) -> Finding? {
        guard isStart(index, in: bytes), bytes[index...].starts(with: prefix.utf8) else { return nil }
        let end = run(from: index, in: bytes, where: \.isTokenByte)
        return end - index == prefix.utf8.count + length ? Finding(range: index..<end, kind: kind) : nil
    }

    private static func scheme(_ name: String, _ kind: String, at index: Int, in bytes: [UInt8]) -> Finding? {
        let start = index + name.utf8.count
        guard isStart(index, in: bytes), start < bytes.count,
            zip(bytes[index..<start], name.utf8).allSatisfy({ $0 | 0x20 == $1 | 0x20 })
        else { return nil }
        let end = run(from: start, in: bytes, where: { $0.isTokenByte || ".+/=".utf8.contains($0) })
        let token = bytes[start..<end]
        // "bearer of good news" is no token.
        guard token.count >= 16, token.contains(where: { (0x30...0x39).contains($0) }) else { return nil }
        return Finding(range: start..<end, kind: kind)
    }

    /// The address of a `mailto:` link.
    ///
    /// Other addresses stay: a name on a server, `@anna@social.example`, is written the same way.
    private static func address(at index: Int, in bytes: [UInt8]) -> Finding? {
        guard isStart(index, in: bytes), bytes[index...].starts(with: "mailto:".utf8) else { return nil }
        let start = index + 7
        let end = run(from: start, in: bytes, where: { $0.isTokenByte || ".+@%".utf8.contains($0) })
        guard bytes[start..<end].contains(UInt8(ascii: "@")) else { return nil }
        return Finding(range: start..<end, kind: "an e-mail address")
    }

    /// `access_token=…` of a URL or a form, whose name begins here.
    private static func pair(named start: Int, in bytes: [UInt8]) -> Finding? {
        let nameEnd = run(from: start, in: bytes, where: { $0.isTokenByte || $0 == UInt8(ascii: ".") })
        guard nameEnd > start, nameEnd < bytes.count, bytes[nameEnd] == UInt8(ascii: "="),
            isSecretName(String(decoding: bytes[start..<nameEnd], as: UTF8.self))
        else { return nil }
        let end = run(from: nameEnd + 1, in: bytes, where: { $0 > 0x20 && !"&\"'<>#;\\".utf8.contains($0) })
        let value = String(decoding: bytes[(nameEnd + 1)..<end], as: UTF8.self)
        guard !value.isEmpty, PercentEncoding.decode(value) != mask else { return nil }
        return Finding(range: (nameEnd + 1)..<end, kind: "the value of a pair that holds a secret")
    }

    // MARK: Bytes

    private static func isStart(_ index: Int, in bytes: [UInt8]) -> Bool {
        index == 0 || !bytes[index - 1].isTokenByte
    }

    private static func run(from start: Int, in bytes: [UInt8], where belongs: (UInt8) -> Bool) -> Int {
        var end = start
        while end < bytes.count, belongs(bytes[end]) { end += 1 }
        return end
    }
}

extension UInt8 {
    /// A byte of base64url: letters, digits, `-` and `_`.
    var isTokenByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }
}

// MARK: - Secrets by name

/// A secret that a page or a script gives a name to: `csrfToken: "…"`, `window.API_KEY = '…'`, or a field of a form,
/// `<input name="authenticity_token" value="…">`.
struct AssignedSecret {
    /// What was found.
    let finding: SecretPatterns.Finding

    /// Shorter values are labels and flags.
    private static let shortest = 8
    /// How far from a value its tag's name may stand.
    private static let longestTag = 400

    /// Looks at an equals sign or a colon; nil where it gives no secret to anything.
    init?(at sign: Int, in bytes: [UInt8]) {
        var start = sign + 1
        while start < bytes.count, bytes[start] == 0x20 { start += 1 }
        // In JSON within a script quotes are escaped.
        if start < bytes.count, bytes[start] == UInt8(ascii: "\\") { start += 1 }
        guard start < bytes.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[start]) else { return nil }
        let quote = bytes[start]
        start += 1
        var end = start
        while end < bytes.count, bytes[end] > 0x20, bytes[end] != quote, bytes[end] != UInt8(ascii: "\\") { end += 1 }
        guard end < bytes.count, bytes[end] == quote || bytes[end] == UInt8(ascii: "\\"),
            Self.isSecret(bytes[start..<end]), Self.isNamed(sign, valueAt: start..<end, in: bytes)
        else { return nil }
        finding = SecretPatterns.Finding(range: start..<end, kind: "a value whose name says that it is secret")
    }

    /// Whether a value looks made up, which a placeholder such as `{key}` does not.
    private static func isSecret(_ value: ArraySlice<UInt8>) -> Bool {
        value.count >= shortest && value.contains { (0x30...0x39).contains($0) }
            && !value.contains { "{}$<>".utf8.contains($0) }
    }

    private static func isNamed(_ sign: Int, valueAt value: Range<Int>, in bytes: [UInt8]) -> Bool {
        let name = self.name(before: sign, in: bytes)
        if ["value", "content"].contains(name) {
            return namesInTag(around: value, in: bytes).contains { SecretPatterns.isSecretName($0) || $0 == "token" }
        }
        let last = name.split(separator: ".").last.map(String.init) ?? name
        guard ["token", "secret"].contains(last.lowercased().filter { $0 != "_" }) else {
            return SecretPatterns.isSecretName(last)
        }
        // A member `"token"` of JSON is often how a listing goes on, `"secret"` part of a file's address; a variable of
        // that name is neither.
        return value.count >= 16 && bytes[value].allSatisfy(\.isTokenByte)
            && bytes[..<sign].last { $0 != 0x20 }.map { $0.isTokenByte } ?? false
    }

    private static func name(before sign: Int, in bytes: [UInt8]) -> String {
        var end = sign
        while end > 0, [0x20, UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\")].contains(bytes[end - 1]) {
            end -= 1
        }
        var start = end
        while start > 0, bytes[start - 1].isTokenByte || bytes[start - 1] == UInt8(ascii: ".") { start -= 1 }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    /// What the attributes `name`, `id` and `property` of the tag say that a value stands in.
    private static func namesInTag(around value: Range<Int>, in bytes: [UInt8]) -> [String] {
        let from = max(0, value.lowerBound - longestTag), to = min(bytes.count, value.upperBound + longestTag)
        guard let open = bytes[from..<value.lowerBound].lastIndex(of: UInt8(ascii: "<")) else { return [] }
        let close = bytes[value.upperBound..<to].firstIndex(of: UInt8(ascii: ">")) ?? to
        let tag = String(decoding: bytes[open..<close], as: UTF8.self)
        return tag.matches(of: /\b(?:name|id|property)\s*=\s*["']?([^"'\s>]+)/).map { String($0.1) }
    }
}
