/// What precedes every message on the pipe: the length of the payload and its kind.
package struct FrameHeader: Hashable, Sendable {
    /// The version of the messages; both executables have to be of the same build when it differs.
    package static let version = 4
    /// Bytes of a header on the pipe.
    package static let size = 5
    /// The longest payload: a page's body, and room for the rest of the message.
    package static let maximumLength = 256 << 20

    /// The payload's length in bytes.
    package var length: Int
    /// Which message it is.
    package var kind: UInt8

    /// Reads a header from its five bytes.
    ///
    /// - Throws: ``WireError`` where there are too few bytes, or where the payload would be longer than any may be.
    package init(_ bytes: [UInt8]) throws(WireError) {
        guard bytes.count == Self.size else { throw .truncated }
        length = bytes[..<4].reversed().reduce(0) { $0 << 8 | Int($1) }
        kind = bytes[4]
        guard length <= Self.maximumLength else { throw .oversized(length) }
    }

    /// A message as it goes on the pipe, whose payload `write` writes; it has about `capacity` bytes.
    static func frame(kind: UInt8, capacity: Int = 256, _ write: (inout ByteWriter) -> Void) -> [UInt8] {
        var writer = ByteWriter(capacity: size + capacity)
        // The header goes where the payload is put together: a page's body is not copied for it.
        for _ in 0..<size { writer.write(byte: 0) }
        write(&writer)
        let length = UInt32(writer.bytes.count - size)
        writer.replace(from: 0, with: withUnsafeBytes(of: length.littleEndian, Array.init) + [kind])
        return writer.bytes
    }
}
