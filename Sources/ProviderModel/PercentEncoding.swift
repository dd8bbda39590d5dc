/// Percent-encoding of single components (RFC 3986 §2).
public enum PercentEncoding {
    /// Encodes a text as one component of a URL (RFC 3986 §2.1).
    ///
    /// - Parameter text: any text.
    /// - Returns: the text with each byte of its UTF-8 that is not unreserved (letters, digits and `-._~`) as `%XX`.
    public static func encode(_ text: String) -> String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isUnreserved(byte) { encoded.append(byte) } else { append(byte, to: &encoded) }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Decodes a component of a query or form, in which `+` is a space.
    ///
    /// - Parameter text: encoded text; a `%` without two hexadecimal digits is kept.
    /// - Returns: the decoded text, with U+FFFD for bytes that are not UTF-8.
    public static func decode(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "%") }) else {
            return String(text)
        }
        var decoded: [UInt8] = []
        var bytes = text.utf8.makeIterator()
        while let byte = bytes.next() {
            switch byte {
            case UInt8(ascii: "+"): decoded.append(0x20)
            case UInt8(ascii: "%"):
                var ahead = bytes
                if let high = ahead.next()?.hexadecimalValue, let low = ahead.next()?.hexadecimalValue {
                    decoded.append(high << 4 | low)
                    bytes = ahead
                } else {
                    decoded.append(byte)
                }
            default: decoded.append(byte)
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    static func append(_ byte: UInt8, to encoded: inout [UInt8]) {
        encoded.append(UInt8(ascii: "%"))
        encoded.append(hexDigits[Int(byte >> 4)])
        encoded.append(hexDigits[Int(byte & 15)])
    }

    private static let hexDigits = Array("0123456789ABCDEF".utf8)

    /// Whether a byte stands for itself in every component.
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }
}
