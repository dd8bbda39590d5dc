/// Eight bytes of a text, looked through in one go.
///
/// Answers have the highest bit of each byte that is meant, so that they can be joined with `|`.
struct EightBytes {
    private let bytes: UInt64

    /// The bytes at a place that has eight of them.
    init(_ text: UnsafeRawBufferPointer, at offset: Int) {
        bytes = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// Those that equal a byte of ASCII.
    func equal(to byte: UInt8) -> UInt64 {
        let difference = bytes ^ Self.eight(byte)
        return ~(((difference & ~Self.highest) &+ ~Self.highest) | difference) & Self.highest
    }

    /// Those that are below a byte of ASCII.
    func below(_ byte: UInt8) -> UInt64 {
        ~(((bytes & ~Self.highest) &+ Self.eight(0x80 - byte)) | bytes) & Self.highest
    }

    /// Those that are not among some; what is not ASCII is among none of the above.
    func others(than some: UInt64) -> UInt64 { ~some & Self.highest }

    private static var highest: UInt64 { 0x8080_8080_8080_8080 }

    private static func eight(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }
}

extension UnsafeBufferPointer<UInt8> {
    /// Where the first of two characters of ASCII stands from a place on; `endIndex` where neither does.
    package func firstIndex(of first: Unicode.Scalar, or second: Unicode.Scalar, from start: Int) -> Int {
        let (first, second) = (UInt8(ascii: first), UInt8(ascii: second))
        let text = UnsafeRawBufferPointer(self)
        var index = start
        while index + 8 <= text.count {
            let part = EightBytes(text, at: index)
            let found = part.equal(to: first) | part.equal(to: second)
            if found != 0 { return index + found.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < text.count, text[index] != first, text[index] != second { index += 1 }
        return index
    }
}
