/// One gzip member (RFC 1952) without name, time or system: the same bytes wherever it is made.
enum GzipMember {
    /// Wraps bytes.
    static func wrapping(_ bytes: [UInt8]) -> [UInt8] {
        // Deflate; no flags; no time; no remark on the method; an unknown system.
        var member: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]
        member += DeflateWriter.compress(bytes)
        for value in [CRC32.of(bytes), UInt32(truncatingIfNeeded: bytes.count)] {
            for shift in stride(from: 0, to: 32, by: 8) { member.append(UInt8(truncatingIfNeeded: value >> shift)) }
        }
        return member
    }
}

/// The check sum of gzip (RFC 1952 §8).
enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }

    static func of(_ bytes: [UInt8]) -> UInt32 {
        table.withUnsafeBufferPointer { table in
            bytes.withUnsafeBufferPointer { bytes in
                var sum = UInt32.max
                for byte in bytes { sum = table[Int((sum ^ UInt32(byte)) & 0xff)] ^ sum >> 8 }
                return ~sum
            }
        }
    }
}
