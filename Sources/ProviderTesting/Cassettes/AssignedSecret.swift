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
