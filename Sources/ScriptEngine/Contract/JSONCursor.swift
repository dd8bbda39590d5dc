import ProviderModel

/// A place in the JSON text that the engine's own serialiser wrote: well-formed, and without any white space.
struct JSONCursor {
    /// Half of a character that takes two, as the serialiser escapes it.
    struct LoneSurrogate: Error {
        let digits: String
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    /// How many bytes have been read.
    var position: Int

    /// A place in a text.
    init(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    /// The next byte; nil at the end.
    var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Reads a character, if it is the next.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// What has been read since a place.
    func bytes(from start: Int) -> UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: bytes[start..<position]) }

    /// What has been read since a place, as text.
    func text(from start: Int) -> String { String(decoding: bytes(from: start), as: UTF8.self) }

    // MARK: Numbers

    /// Reads a number; nil where there is none.
    mutating func number() -> Double? {
        guard let first = peek, first == UInt8(ascii: "-") || (0x30...0x39).contains(first) else { return nil }
        if let whole = shortWholeNumber() { return Double(whole) }
        let start = position
        while let byte = peek, byte > UInt8(ascii: " "), !Self.isEnd(byte) { position += 1 }
        return Double(text(from: start))
    }

    /// A number of a few digits and nothing else, as most are; otherwise nothing is read.
    private mutating func shortWholeNumber() -> Int? {
        var (index, value) = (position, 0)
        while index < bytes.count, (0x30...0x39).contains(bytes[index]), index - position < 15 {
            value = value * 10 + Int(bytes[index] - 0x30)
            index += 1
        }
        guard index > position, index < bytes.count, Self.isEnd(bytes[index]) else { return nil }
        position = index
        return value
    }

    /// The digits of such a number.
    mutating func shortWholeDigits() -> UnsafeBufferPointer<UInt8>? {
        let start = position
        return shortWholeNumber() == nil ? nil : bytes(from: start)
    }

    private static func isEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
    }

    /// Passes over any value; lone surrogates in it are found all the same.
    mutating func skip() throws(LoneSurrogate) {
        try skip { cursor throws(LoneSurrogate) in try cursor.skipString() }
    }

    /// Passes over any value, whatever its strings hold.
    mutating func skipUnread() { skip { cursor in cursor.skipUnreadString() } }

    @inline(__always)
    private mutating func skip<Fault>(string: (inout JSONCursor) throws(Fault) -> Void) throws(Fault) {
        var depth = 0
        repeat {
            switch peek {
            case UInt8(ascii: "\""): try string(&self)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                position += 1
            case nil: return
            default: position += 1
            }
            // A number or word goes on to the next separator.
            if depth == 0, let byte = peek, !Self.isEnd(byte) { continue }
            if depth == 0 { return }
        } while true
    }

    // MARK: Strings

    /// Reads a string, whose quotation mark is the next byte.
    mutating func string() throws(LoneSurrogate) -> String {
        if let plain = plainString() { return String(decoding: plain, as: UTF8.self) }
        position += 1
        var text: [UInt8] = []
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            let start = position
            position = endOfPlainText(from: start)
            text.append(contentsOf: bytes(from: start))
            if peek == UInt8(ascii: "\\") { try appendEscape(to: &text) }
        }
        position += 1
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads a string that has no escapes, as few have any; otherwise nothing is read.
    mutating func plainString() -> UnsafeBufferPointer<UInt8>? {
        let end = endOfPlainText(from: position + 1)
        guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else { return nil }
        defer { position = end + 1 }
        return UnsafeBufferPointer(rebasing: bytes[position + 1..<end])
    }

    /// Passes over a string, whose quotation mark is the next byte.
    private mutating func skipString() throws(LoneSurrogate) {
        if plainString() == nil { _ = try string() }
    }

    private mutating func skipUnreadString() {
        position = endOfPlainText(from: position + 1)
        while peek == UInt8(ascii: "\\") { position = endOfPlainText(from: position + 2) }
        position += 1
    }

    /// Where the next quotation mark or backslash stands.
    private func endOfPlainText(from start: Int) -> Int { bytes.firstIndex(of: "\"", or: "\\", from: start) }

    private mutating func appendEscape(to text: inout [UInt8]) throws(LoneSurrogate) {
        let kind = position + 1 < bytes.count ? bytes[position + 1] : 0
        position += 2
        switch kind {
        case UInt8(ascii: "n"): text.append(0x0a)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "r"): text.append(0x0d)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0c)
        case UInt8(ascii: "u"):
            // The serialiser escapes controls and lone surrogates only; pairs stand as themselves.
            let digits = String(decoding: bytes[position..<min(position + 4, bytes.count)], as: UTF8.self)
            position += 4
            guard let code = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(code) else {
                throw LoneSurrogate(digits: digits)
            }
            text.append(contentsOf: String(Character(scalar)).utf8)
        default: text.append(kind)
        }
    }
}
