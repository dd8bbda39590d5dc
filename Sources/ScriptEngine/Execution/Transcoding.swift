/// UTF-8 to UTF-16 and back, for the texts that are long: an answer's body, and what a script made of it.
///
/// The engine's own functions go character by character, which takes longer than parsing the JSON. Nearly all that
/// sources write is ASCII, and that is widened and narrowed many bytes at a time.
enum Transcoding {
    /// Lends the UTF-16 units of a text; what is no UTF-8 in it becomes U+FFFD.
    static func withUTF16<Result>(
        of bytes: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt16>) -> Result
    ) -> Result {
        // No sequence of bytes has more units than bytes.
        let units = UnsafeMutableBufferPointer<UInt16>.allocate(capacity: bytes.count)
        defer { units.deallocate() }
        if copyASCII(bytes, to: units) { return body(UnsafeBufferPointer(units)) }
        var text = String(decoding: bytes, as: UTF8.self)
        let count = text.withUTF8 { widen($0, to: units) }
        return body(UnsafeBufferPointer(rebasing: units[..<count]))
    }

    /// The UTF-8 of a text; half a character becomes U+FFFD.
    static func utf8(of units: UnsafeBufferPointer<UInt16>) -> [UInt8] {
        var isASCII = true
        let bytes = [UInt8](unsafeUninitializedCapacity: units.count) { bytes, count in
            isASCII = copyASCII(units, to: bytes)
            count = isASCII ? units.count : 0
        }
        return isASCII ? bytes : Array(String(decoding: units, as: UTF16.self).utf8)
    }

    /// Widens or narrows each unit; false where one is not ASCII, and then what was written says nothing.
    ///
    /// A loop without a way out in it, which the compiler turns into vectors.
    private static func copyASCII<From: FixedWidthInteger, To: FixedWidthInteger>(
        _ units: UnsafeBufferPointer<From>, to copies: UnsafeMutableBufferPointer<To>
    ) -> Bool {
        guard let source = units.baseAddress, let target = copies.baseAddress else { return true }
        var all: From = 0
        for index in 0..<units.count {
            all |= source[index]
            target[index] = To(truncatingIfNeeded: source[index])
        }
        return all < 0x80
    }

    /// Writes the units of valid UTF-8 and returns how many they are.
    private static func widen(
        _ bytes: UnsafeBufferPointer<UInt8>, to units: UnsafeMutableBufferPointer<UInt16>
    ) -> Int {
        var (index, count) = (0, 0)
        func continuation(_ offset: Int) -> UInt32 { UInt32(bytes[index + offset] & 0x3f) }
        while index < bytes.count {
            let first = UInt32(bytes[index])
            switch first {
            case 0..<0x80:
                units[count] = UInt16(first)
                index += 1
            case 0..<0xe0:
                units[count] = UInt16((first & 0x1f) << 6 | continuation(1))
                index += 2
            case 0..<0xf0:
                units[count] = UInt16((first & 0xf) << 12 | continuation(1) << 6 | continuation(2))
                index += 3
            default:
                let scalar = (first & 7) << 18 | continuation(1) << 12 | continuation(2) << 6 | continuation(3)
                let beyond = scalar - 0x10000
                units[count] = UInt16(0xd800 | beyond >> 10)
                count += 1
                units[count] = UInt16(0xdc00 | beyond & 0x3ff)
                index += 4
            }
            count += 1
        }
        return count
    }
}
