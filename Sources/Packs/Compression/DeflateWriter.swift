/// Compression by RFC 1951.
///
/// zlib gives other bytes in every version, and its relatives do so on every processor. This gives the same bytes
/// everywhere, so that whoever builds a pack anew can compare it with what was signed.
struct DeflateWriter {
    private var output = BitOutput()

    /// How many tokens share one code.
    private static let blockTokens = 1 << 15

    /// The compressed form of bytes.
    static func compress(_ bytes: [UInt8]) -> [UInt8] {
        var writer = DeflateWriter()
        return bytes.withUnsafeBufferPointer { bytes in
            var matcher = DeflateMatcher(bytes)
            repeat {
                let start = matcher.end
                let tokens = matcher.tokens(Self.blockTokens)
                writer.add(tokens, of: bytes[start..<matcher.end], isLast: matcher.end == bytes.count)
            } while matcher.end < bytes.count
            return writer.output.finished()
        }
    }

    /// Adds a block: with a code of its own, or as it is where that is shorter.
    private mutating func add(
        _ tokens: [DeflateToken], of bytes: Slice<UnsafeBufferPointer<UInt8>>, isLast: Bool
    ) {
        let block = DeflateBlock(tokens)
        // Three bits, up to a whole byte, two lengths; a stored block holds at most 65535 bytes.
        let storedBits = bytes.count * 8 + (bytes.count / 65_535 + 1) * 42
        if block.bitCount < storedBits {
            output.add(isLast ? 1 : 0, bits: 1)
            output.add(2, bits: 2)
            block.write(tokens, to: &output)
        } else {
            store(bytes, isLast: isLast)
        }
    }

    private mutating func store(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, isLast: Bool) {
        var rest = bytes
        repeat {
            let piece = rest.prefix(65_535)
            rest = rest.dropFirst(piece.count)
            output.add(isLast && rest.isEmpty ? 1 : 0, bits: 1)
            output.add(0, bits: 2)
            output.fillByte()
            output.add(UInt32(piece.count), bits: 16)
            output.add(UInt32(piece.count) ^ 0xffff, bits: 16)
            for byte in piece { output.add(UInt32(byte), bits: 8) }
        } while !rest.isEmpty
    }
}

/// Bits, the first of them lowest in its byte.
struct BitOutput {
    private var bytes: [UInt8] = []
    private var pending: UInt64 = 0
    private var pendingBits = 0

    mutating func add(_ value: UInt32, bits: Int) {
        pending |= UInt64(value) << UInt64(pendingBits)
        pendingBits += bits
        while pendingBits >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: pending))
            pending >>= 8
            pendingBits -= 8
        }
    }

    mutating func fillByte() {
        if pendingBits > 0 { add(0, bits: 8 - pendingBits) }
    }

    consuming func finished() -> [UInt8] {
        fillByte()
        return bytes
    }
}
