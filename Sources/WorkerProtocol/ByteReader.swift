/// Reads untrusted bytes in the format of ``ByteWriter``; invalid ones throw ``WireError``.
package struct ByteReader {
    private let bytes: [UInt8]
    private var position = 0

    /// A reader over a whole message.
    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Bytes not yet read.
    package var remaining: Int { bytes.count - position }

    /// Reads a value.
    package mutating func read<Value: WireValue>(_: Value.Type = Value.self) throws(WireError) -> Value {
        try Value(from: &self)
    }

    /// Reads bytes, whose count stands before them.
    package mutating func readBytes() throws(WireError) -> [UInt8] {
        let count = try readCount()
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    /// Reads one byte.
    package mutating func readByte() throws(WireError) -> UInt8 {
        guard remaining > 0 else { throw .truncated }
        defer { position += 1 }
        return bytes[position]
    }

    /// Reads a number from 0.
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

    /// Reads the number of bytes or elements that follow: never more than there are bytes left, so that it is safe to
    /// reserve for.
    package mutating func readCount() throws(WireError) -> Int {
        let length = try readUnsigned()
        guard length <= UInt64(remaining) else { throw .truncated }
        return Int(length)
    }

    /// Fails unless everything has been read.
    package func end() throws(WireError) {
        guard remaining == 0 else { throw .malformed("\(remaining) bytes after the end of a message") }
    }

    mutating func readDouble() throws(WireError) -> Double {
        guard remaining >= 8 else { throw .truncated }
        defer { position += 8 }
        let pattern = bytes[position..<position + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Double(bitPattern: pattern)
    }

    mutating func readText() throws(WireError) -> String {
        let count = try readCount()
        defer { position += count }
        guard let text = String(validating: bytes[position..<position + count], as: UTF8.self) else {
            throw .malformed("text that is not UTF-8")
        }
        return text
    }
}

/// Why bytes from the other process are not a message.
package enum WireError: Error, Hashable, CustomStringConvertible {
    /// The message ends before its last field.
    case truncated
    /// A field is not valid.
    case malformed(String)
    /// The frame is longer than any message may be.
    case oversized(Int)
    /// The other process has another version of the protocol.
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
