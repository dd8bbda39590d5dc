import ProviderModel
import ProviderRuntime

/// Keys in the query of an address: they fetch a pack, and are neither stored nor shown.
enum AddressSecrets {
    /// Words of a name that say what its value is for; `X-Amz-Signature` and `sv_token` have one.
    private static let words: Set<String> = [
        "token", "key", "apikey", "secret", "sig", "signature", "sign", "auth", "authorization", "password", "passwd",
        "pass", "pwd", "credential", "credentials", "session", "jwt", "bearer", "access", "hmac", "sas", "ticket",
    ]
    /// How such names end where their words are not separated: `downloadToken`.
    private static let endings = ["token", "secret", "signature", "password", "apikey"]
    /// Shorter values are words, numbers and versions.
    private static let shortest = 20

    /// The address with `***` in place of each value that is, or looks like, a key.
    static func masked(_ address: String) -> String {
        guard let question = address.firstIndex(of: "?") else { return address }
        let start = address.index(after: question)
        let end = address[start...].firstIndex(of: "#") ?? address.endIndex
        let pairs = address[start..<end].split(separator: "&", omittingEmptySubsequences: false).map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let value = parts.last, !value.isEmpty, isSecret(parts.count > 1 ? parts[0] : "", value) else {
                return String(pair)
            }
            return parts.count > 1 ? "\(parts[0])=\(SecretPatterns.mask)" : SecretPatterns.mask
        }
        return address[..<start] + pairs.joined(separator: "&") + address[end...]
    }

    /// The names of the values that were masked; empty for an address that can be asked for.
    static func missing(in address: String) -> [String] {
        guard let question = address.firstIndex(of: "?") else { return [] }
        let query = address[address.index(after: question)...].prefix { $0 != "#" }
        return query.split(separator: "&").filter { pair in
            pair == SecretPatterns.mask[...] || pair.hasSuffix("=\(SecretPatterns.mask)")
        }.map { pair in PercentEncoding.decode(pair.prefix { $0 != "=" }) }
    }

    private static func isSecret(_ name: Substring, _ value: Substring) -> Bool {
        let name = PercentEncoding.decode(name)
        if SecretPatterns.isSecretName(name) { return true }
        let parts = name.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        if !words.isDisjoint(with: parts) { return true }
        if parts.contains(where: { part in endings.contains(where: part.hasSuffix) }) { return true }
        let value = PercentEncoding.decode(value)
        let findings = SecretPatterns.findings(in: Array(value.utf8))
        return !findings.isEmpty || looksRandom(value)
    }

    /// Whether a value is letters and digits without a word in them; a commit or a digest, all hexadecimal, is no key.
    private static func looksRandom(_ value: String) -> Bool {
        value.utf8.count >= shortest && !value.contains(".") && !value.contains("/")
            && value.contains { $0.isASCII && $0.isNumber } && value.contains { $0.isLetter }
            && !value.allSatisfy { $0.isHexDigit || $0 == "-" }
    }
}

extension PackError {
    /// The error of an address whose key was not stored.
    static func keyless(_ address: String, without names: [String]) -> PackError {
        PackError(
            .refused,
            "the URL was given with a key (\(names.joined(separator: ", "))), which is not stored in lockfiles",
            subject: address,
            hint: .several([
                "pass the whole URL, with its key",
                .installPack("'\(address.replacing(SecretPatterns.mask, with: "…"))'"),
            ]))
    }
}
