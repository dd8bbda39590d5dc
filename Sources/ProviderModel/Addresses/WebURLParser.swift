/// One pass over a URL's bytes that checks and normalises it.
struct WebURLParser {
    private let text: String
    private(set) var scheme = WebURL.Scheme.https
    private(set) var host = ""
    private(set) var port: UInt16?
    private(set) var normalised = ""
    private(set) var pathStart = 0

    /// The most bytes of a URL, as it came and in its normal form.
    private static let maximumLength = 8_192

    init(_ text: String) { self.text = text }

    mutating func parse() throws(InvalidURL) {
        let bytes = text.utf8
        try Self.check(length: bytes.count)
        let authorityStart = try parseScheme(bytes)
        let rest = bytes[authorityStart...]
        let authorityEnd = rest.firstIndex { $0 == .slash || $0 == .question || $0 == .hash } ?? rest.endIndex
        try parseAuthority(bytes[authorityStart..<authorityEnd])
        let head = "\(scheme.rawValue)://\(host)" + (port.map { $0 == scheme.defaultPort ? "" : ":\($0)" } ?? "")
        pathStart = head.utf8.count
        let tail = bytes[authorityEnd...]
        if tail.allSatisfy(Self.isPlain) {
            let same = text.utf8.starts(with: head.utf8) && text.utf8.count == pathStart + tail.count
            normalised = same ? text : head + String(decoding: tail, as: UTF8.self)
        } else {
            normalised = head + (try Self.encode(tail, in: text))
            // Else what was accepted here would be refused where it is read again.
            try Self.check(length: normalised.utf8.count)
        }
    }

    private static func check(length: Int) throws(InvalidURL) {
        guard length <= maximumLength else { throw InvalidURL("a URL of \(length) bytes, more than \(maximumLength)") }
    }

    private mutating func parseScheme(_ bytes: String.UTF8View) throws(InvalidURL) -> String.Index {
        for candidate in [WebURL.Scheme.https, .http] {
            let prefix = candidate.rawValue.utf8
            guard zip(bytes, prefix).allSatisfy({ $0 | 0x20 == $1 }) else { continue }
            let after = bytes.dropFirst(prefix.count)
            guard after.starts(with: "://".utf8) else { continue }
            scheme = candidate
            return after.dropFirst(3).startIndex
        }
        throw InvalidURL(text.isEmpty ? "an empty string" : text.quoted)
    }

    private mutating func parseAuthority(_ bytes: Substring.UTF8View) throws(InvalidURL) {
        guard !bytes.contains(UInt8(ascii: "@")) else {
            throw InvalidURL("\(text.maskingUserInfo.quoted), which carries a user name")
        }
        var hostEnd = bytes.endIndex
        let bracketed = bytes.first == UInt8(ascii: "[")
        let searchFrom = bracketed ? (bytes.firstIndex(of: UInt8(ascii: "]")) ?? bytes.endIndex) : bytes.startIndex
        if let colon = bytes[searchFrom...].firstIndex(of: UInt8(ascii: ":")) {
            hostEnd = colon
            let digits = String(decoding: bytes[bytes.index(after: colon)...], as: UTF8.self)
            if !digits.isEmpty {
                guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(digits) else {
                    throw InvalidURL("\(text.quoted), whose port is not a number up to 65535")
                }
                port = number
            }
        }
        host = String(decoding: bytes[..<hostEnd], as: UTF8.self).lowercased()
        let isValid =
            bracketed
            ? host.hasSuffix("]") && host.utf8.dropFirst().dropLast().allSatisfy(\.isAddressByte)
            : host.utf8.allSatisfy(\.isHostByte)
        guard !host.isEmpty, isValid, host.utf8.count <= 255 else {
            throw InvalidURL("\(text.quoted), whose host is not valid")
        }
    }

    /// Whether a byte need not be encoded.
    static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, 0x7f...0xff: false
        case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
            UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
            false
        default: true
        }
    }

    private static func encode(_ bytes: Substring.UTF8View, in text: String) throws(InvalidURL) -> String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(bytes.count + 16)
        for byte in bytes {
            guard byte >= 0x20, byte != 0x7f else { throw InvalidURL("\(text.quoted), which has a control character") }
            if isPlain(byte) { encoded.append(byte) } else { PercentEncoding.append(byte, to: &encoded) }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate static let slash = UInt8(ascii: "/")
    fileprivate static let question = UInt8(ascii: "?")
    fileprivate static let hash = UInt8(ascii: "#")

    fileprivate var isHostByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: self == UInt8(ascii: ".") || self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
        }
    }

    fileprivate var isAddressByte: Bool {
        switch self {
        case 0x30...0x39, 0x61...0x66: true
        default: self == UInt8(ascii: ":") || self == UInt8(ascii: ".")
        }
    }
}
