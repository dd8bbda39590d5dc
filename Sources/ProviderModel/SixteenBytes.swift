/// Sixteen bytes of a text, looked through in one go.
struct SixteenBytes {
    /// Which of them are meant.
    struct Places {
        fileprivate var mask: SIMDMask<SIMD16<Int8>>

        /// Whether none is.
        var isEmpty: Bool { halves.low | halves.high == 0 }

        /// The first that is.
        fileprivate var first: Int {
            halves.low != 0 ? halves.low.trailingZeroBitCount / 8 : 8 + halves.high.trailingZeroBitCount / 8
        }

        private var halves: (low: UInt64, high: UInt64) {
            let halves = unsafeBitCast(mask, to: SIMD2<UInt64>.self)
            return (UInt64(littleEndian: halves.x), UInt64(littleEndian: halves.y))
        }

        static func | (places: Places, others: Places) -> Places { Places(mask: places.mask .| others.mask) }
    }

    private let bytes: SIMD16<UInt8>

    /// The bytes at a place that has sixteen of them.
    init(_ text: UnsafeRawBufferPointer, at offset: Int) {
        bytes = text.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
    }

    /// Those that equal a byte.
    func equal(to byte: UInt8) -> Places { Places(mask: bytes .== SIMD16(repeating: byte)) }

    /// Those that are below a byte.
    func below(_ byte: UInt8) -> Places { Places(mask: bytes .< SIMD16(repeating: byte)) }

    /// Those that are above a byte.
    func above(_ byte: UInt8) -> Places { Places(mask: bytes .> SIMD16(repeating: byte)) }
}

extension UnsafeBufferPointer<UInt8> {
    /// Where the first of two characters of ASCII stands from a place on; `endIndex` where neither does.
    package func firstIndex(of first: Unicode.Scalar, or second: Unicode.Scalar, from start: Int) -> Int {
        let (first, second) = (UInt8(ascii: first), UInt8(ascii: second))
        let text = UnsafeRawBufferPointer(self)
        var index = start
        while index + 16 <= text.count {
            let part = SixteenBytes(text, at: index)
            let found = part.equal(to: first) | part.equal(to: second)
            if !found.isEmpty { return index + found.first }
            index += 16
        }
        while index < text.count, text[index] != first, text[index] != second { index += 1 }
        return index
    }
}
