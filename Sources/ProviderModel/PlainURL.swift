/// The parts of a URL of the most common kind, which is in its normal form: a host in lower case, no port but one that
/// has to be named, nothing to encode.
///
/// A page has a thousand URLs and each is read on both sides of the wall, so this is one pass over the bytes that
/// copies nothing.
struct PlainURL {
    let scheme: WebURL.Scheme
    let port: UInt16
    let hostEnd: UInt16
    let pathStart: UInt16

    /// nil for a text that may be any other kind of URL, or none.
    init?(_ text: String) {
        guard let parts = text.utf8.withContiguousStorageIfAvailable({ PlainURL($0) }) ?? nil else { return nil }
        self = parts
    }

    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count > 8, bytes.count <= 8_192, let scheme = Self.scheme(of: bytes) else { return nil }
        let start = scheme == .https ? 8 : 7
        var index = start
        while index < bytes.count, bytes[index].isLowerHostByte { index += 1 }
        guard index > start, index <= start + 255 else { return nil }
        hostEnd = UInt16(index)
        var port = scheme.defaultPort
        if index < bytes.count, bytes[index] == .colon {
            guard let (named, end) = Self.port(in: bytes, at: index + 1), named != port else { return nil }
            (port, index) = (named, end)
        }
        if index < bytes.count {
            guard bytes[index] == .slash || bytes[index] == .question || bytes[index] == .hash else { return nil }
            guard Self.isPlain(UnsafeBufferPointer(rebasing: bytes[index...])) else { return nil }
        }
        (self.scheme, self.port, pathStart) = (scheme, port, UInt16(index))
    }

    private static func scheme(of bytes: UnsafeBufferPointer<UInt8>) -> WebURL.Scheme? {
        guard let start = UnsafeRawPointer(bytes.baseAddress)?.loadUnaligned(as: UInt64.self) else { return nil }
        let text = UInt64(littleEndian: start)
        if text == 0x2f2f_3a73_7074_7468 { return .https }  // https://
        return text & 0x00ff_ffff_ffff_ffff == 0x002f_2f3a_7074_7468 ? .http : nil  // http://
    }

    /// A port without a zero at its beginning, and where it ends.
    private static func port(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> (UInt16, end: Int)? {
        var number = 0
        var index = start
        while index < bytes.count, index < start + 5, (0x30...0x39).contains(bytes[index]) {
            number = number * 10 + Int(bytes[index] - 0x30)
            index += 1
        }
        guard index > start, bytes[start] != 0x30, let port = UInt16(exactly: number) else { return nil }
        return (port, index)
    }

    /// Whether nothing has to be encoded.
    private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let text = UnsafeRawBufferPointer(bytes)
        var index = 0
        while index + 16 <= text.count {
            guard isPlain(SixteenBytes(text, at: index)) else { return false }
            index += 16
        }
        // The last of them once more, with those that are left.
        if index > 0, index < text.count { return isPlain(SixteenBytes(text, at: text.count - 16)) }
        return bytes[index...].allSatisfy(WebURLParser.isPlain)
    }

    private static func isPlain(_ part: SixteenBytes) -> Bool {
        let outside = part.below(0x21) | part.above(0x7e)
        let brackets = part.equal(to: UInt8(ascii: "<")) | part.equal(to: UInt8(ascii: ">"))
        let braces = part.equal(to: UInt8(ascii: "{")) | part.equal(to: UInt8(ascii: "}"))
        let marks = part.equal(to: UInt8(ascii: "\"")) | part.equal(to: UInt8(ascii: "\\"))
        let accents = part.equal(to: UInt8(ascii: "^")) | part.equal(to: UInt8(ascii: "`"))
        return (outside | brackets | braces | marks | accents | part.equal(to: UInt8(ascii: "|"))).isEmpty
    }
}

extension UInt8 {
    fileprivate static let colon = UInt8(ascii: ":")
    fileprivate static let slash = UInt8(ascii: "/")
    fileprivate static let question = UInt8(ascii: "?")
    fileprivate static let hash = UInt8(ascii: "#")

    fileprivate var isLowerHostByte: Bool {
        switch self {
        case 0x30...0x39, 0x61...0x7a, 0x2d, 0x2e, 0x5f: true
        default: false
        }
    }
}
