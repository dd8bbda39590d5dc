import ProviderModel

/// The name that a server gives a file in `Content-Disposition` (RFC 6266): a suggestion, of which only the last part of a path counts.
struct ContentDisposition {
    /// The file's name; nil where there is none that can be read.
    let fileName: String?

    /// Reads a header's value, as servers write it: what RFC 6266 does not allow is taken as browsers and curl take it.
    init(_ value: String) {
        let parameters = Parameters(value)
        // RFC 6266 §4.3: `filename*` wins, wherever it stands.
        let name =
            parameters.extended("filename*") ?? parameters.continued("filename")
            ?? parameters.first("filename").map(EncodedWords.decode)
        fileName = name.flatMap(Self.lastPart)
    }

    /// The name without folders, which are none of the server's business (RFC 6266 §4.3).
    private static func lastPart(of name: String) -> String? {
        // Bytes that are not UTF-8 are no characters any more: the name is lost.
        guard !name.unicodeScalars.contains("\u{FFFD}") else { return nil }
        let last = name.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }.last ?? ""
        let trimmed = String(last).trimmingSpaces
        return trimmed.isEmpty || trimmed.allSatisfy { $0 == "." } ? nil : trimmed
    }

    /// The stem and the ending of the name: `image` and `png`.
    var stem: String? {
        guard let fileName, let dot = fileName.lastIndex(of: "."), dot > fileName.startIndex else { return fileName }
        return String(fileName[..<dot])
    }
}

/// The parameters of a header's value: `attachment; filename="a.png"; size=3`.
private struct Parameters {
    private var values: [(name: String, value: String)] = []

    init(_ text: String) {
        var rest = text[...]
        while !rest.isEmpty {
            let name = Self.next(in: &rest, until: ";=")
            // A disposition without a value: `attachment`; some servers leave it out.
            guard rest.first == "=" else {
                rest = rest.dropFirst()
                continue
            }
            rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
            let value = rest.first == "\"" ? Self.quoted(in: &rest) : Self.bare(in: &rest)
            values.append((name.lowercased(), value))
        }
    }

    /// The first value of a name: a second one is not valid.
    func first(_ name: String) -> String? { values.first { $0.name == name }?.value }

    /// A value with its character set (RFC 8187 §3.2): `UTF-8'en'%e2%82%ac.png`; nil where it is not a valid one.
    func extended(_ name: String) -> String? { first(name).flatMap { Self.decodeExtended($0) } }

    /// A value in pieces (RFC 2231 §3), as mail programs send it: `filename*0="a"; filename*1="b.png"`.
    func continued(_ name: String) -> String? {
        var text = ""
        var charset = ""
        for number in 0... {
            if let piece = first("\(name)*\(number)") {
                text += charset.isEmpty ? piece : PercentEncoding.encode(piece)
            } else if let piece = first("\(name)*\(number)*") {
                if number == 0 {
                    let parts = piece.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
                    guard parts.count == 3 else { return nil }
                    charset = "\(parts[0])'\(parts[1])'"
                    text = String(parts[2])
                } else {
                    text += piece
                }
            } else {
                break
            }
        }
        guard !text.isEmpty else { return nil }
        return charset.isEmpty ? text : Self.decodeExtended(charset + text)
    }

    private static func next(in rest: inout Substring, until ends: String) -> String {
        let found = rest.prefix { !ends.contains($0) }
        rest = rest[found.endIndex...]
        return String(found).trimmingSpaces
    }

    /// Up to the next semicolon; in single quotes as some programs write it.
    private static func bare(in rest: inout Substring) -> String {
        let value = next(in: &rest, until: ";")
        rest = rest.dropFirst()
        return value.count > 1 && value.first == "'" && value.last == "'" ? String(value.dropFirst().dropLast()) : value
    }

    /// A quoted string (RFC 9110 §5.6.4); other backslashes than those before quotes are of a path on Windows.
    private static func quoted(in rest: inout Substring) -> String {
        var value = ""
        rest = rest.dropFirst()
        while let next = rest.popFirst() {
            if next == "\"" { break }
            if next == "\\", let escaped = rest.first, escaped == "\"" || escaped == "\\" {
                value.append(escaped)
                rest = rest.dropFirst()
            } else {
                value.append(next)
            }
        }
        rest = rest.drop { $0 != ";" }.dropFirst()
        return value
    }

    private static func decodeExtended(_ text: String) -> String? {
        let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        var bytes: [UInt8] = []
        var rest = Array(parts[2].utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst()?.hexadecimalValue, let low = rest.popFirst()?.hexadecimalValue else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return CharacterSet(parts[0])?.text(of: bytes)
    }
}

/// The character sets of encoded names (RFC 8187 §3.2.1, and Latin-1 of RFC 5987).
private enum CharacterSet {
    case utf8
    case latin1

    init?(_ name: some StringProtocol) {
        switch name.lowercased() {
        case "utf-8", "utf8": self = .utf8
        case "iso-8859-1", "latin1", "us-ascii": self = .latin1
        default: return nil
        }
    }

    /// The text of bytes; nil where they are of another set.
    func text(of bytes: [UInt8]) -> String? {
        switch self {
        case .utf8: String(validating: bytes, as: UTF8.self)
        case .latin1: String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        }
    }
}

/// Words as headers of mail have them (RFC 2047 §2), which some servers send: `=?UTF-8?B?…?=`.
private enum EncodedWords {
    static func decode(_ text: String) -> String {
        guard text.contains("=?") else { return text }
        var decoded = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "=?") {
            let parts = rest[start.upperBound...].split(
                separator: "?", maxSplits: 3, omittingEmptySubsequences: false)
            guard parts.count == 4, parts[3].first == "=", let word = word(parts[0], parts[1], parts[2]) else {
                return decoded + rest
            }
            let before = rest[..<start.lowerBound]
            // RFC 2047 §6.2: white space between two words is not shown.
            if decoded.isEmpty || before.contains(where: { $0 != " " }) { decoded += before }
            decoded += word
            rest = parts[3].dropFirst()
        }
        return decoded + rest
    }

    private static func word(_ set: Substring, _ encoding: Substring, _ content: Substring) -> String? {
        let bytes: [UInt8]? =
            switch encoding.lowercased() {
            case "b": Base64Text.decode(String(content))
            case "q": quotedPrintable(content)
            default: nil
            }
        return bytes.flatMap { CharacterSet(set)?.text(of: $0) }
    }

    private static func quotedPrintable(_ content: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = Array(content.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "_"): bytes.append(0x20)
            case UInt8(ascii: "="):
                guard let high = rest.popFirst()?.hexadecimalValue, let low = rest.popFirst()?.hexadecimalValue else {
                    return nil
                }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return bytes
    }
}
