import Glibc

/// Reads what `ByteWriter` wrote and trusts nothing: whatever the bytes are, the worst outcome is a `WireError`.
package struct ByteReader {
    private let bytes: [UInt8]
    private var position = 0

    /// A reader over a whole message.
    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Bytes not yet read.
    package var remaining: Int { bytes.count - position }

    package mutating func readByte() throws(WireError) -> UInt8 {
        guard remaining > 0 else { throw .truncated }
        defer { position += 1 }
        return bytes[position]
    }

    package mutating func readUnsigned() throws(WireError) -> UInt64 {
        var result: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            let byte = try readByte()
            guard shift < 63 || byte <= 1 else { throw .malformed("a number of more than 64 bits") }
            result |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return result }
        }
        throw .malformed("a number that does not end")
    }

    package mutating func readInt() throws(WireError) -> Int {
        let raw = try readUnsigned()
        return Int(truncatingIfNeeded: Int64(bitPattern: raw >> 1) ^ -Int64(bitPattern: raw & 1))
    }

    package mutating func readDouble() throws(WireError) -> Double {
        guard remaining >= 8 else { throw .truncated }
        defer { position += 8 }
        let pattern = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position, as: UInt64.self) }
        return Double(bitPattern: UInt64(littleEndian: pattern))
    }

    package mutating func readBool() throws(WireError) -> Bool {
        switch try readByte() {
        case 0: return false
        case 1: return true
        default: throw .malformed("a truth value that is neither 0 nor 1")
        }
    }

    package mutating func readString() throws(WireError) -> String {
        let count = try readLength()
        defer { position += count }
        guard let text = bytes.withUnsafeBufferPointer({ Self.text($0[position..<position + count]) }) else {
            throw .malformed("text that is not UTF-8")
        }
        return text
    }

    /// The text of UTF-8; nil where it is none, which is when a text that was repaired has other bytes.
    ///
    /// `String(validating:)` would say so too, but takes three times as long for the short texts of a page.
    private static func text(_ slice: Slice<UnsafeBufferPointer<UInt8>>) -> String? {
        let bytes = UnsafeBufferPointer(rebasing: slice)
        guard !bytes.isEmpty, let start = bytes.baseAddress else { return "" }
        var text = String(decoding: bytes, as: UTF8.self)
        let isSame = text.withUTF8 { utf8 in
            guard utf8.count == bytes.count, let decoded = utf8.baseAddress else { return false }
            return memcmp(decoded, start, utf8.count) == 0
        }
        return isSame ? text : nil
    }

    package mutating func readBytes() throws(WireError) -> [UInt8] {
        let count = try readLength()
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    /// The number of elements that follow: never more than there are bytes left, so it is safe to reserve for.
    package mutating func readCount() throws(WireError) -> Int { try readLength() }

    /// The number of elements of a list, as `ByteWriter.closeList` put it.
    package mutating func readListCount() throws(WireError) -> Int {
        guard remaining >= 4 else { throw .truncated }
        let count = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position, as: UInt32.self) }
        position += 4
        guard Int(UInt32(littleEndian: count)) <= remaining else { throw .truncated }
        return Int(UInt32(littleEndian: count))
    }

    /// Fails unless everything has been read.
    package func end() throws(WireError) {
        guard remaining == 0 else { throw .malformed("\(remaining) bytes after the end of a message") }
    }

    private mutating func readLength() throws(WireError) -> Int {
        let length = try readUnsigned()
        guard length <= UInt64(remaining) else { throw .truncated }
        return Int(length)
    }
}

/// Why bytes from the other side of the wall are no message.
package enum WireError: Error, Hashable, CustomStringConvertible {
    /// The message ends before its last field.
    case truncated
    /// A field is not what it has to be.
    case malformed(String)
    /// The frame is longer than any message may be.
    case oversized(Int)
    /// The other side speaks another version.
    case version(found: Int)

    package var description: String {
        switch self {
        case .truncated: "a message that ends too early"
        case .malformed(let what): what
        case .oversized(let count): "a message of \(count) bytes"
        case .version(let found): "protocol version \(found), expected \(FrameHeader.version)"
        }
    }
}
