extension Sequence<UInt8> {
    /// The bytes in hexadecimal, two lower-case digits for each.
    package var hexadecimal: String {
        let digits: StaticString = "0123456789abcdef"
        var text: [UInt8] = []
        text.reserveCapacity(2 * underestimatedCount)
        for byte in self {
            text.append(digits.utf8Start[Int(byte >> 4)])
            text.append(digits.utf8Start[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension StringProtocol {
    /// The bytes that two hexadecimal digits each stand for; nil where something else stands among them, or half a byte.
    package var hexadecimalBytes: [UInt8]? {
        let digits = utf8.compactMap(\.hexadecimalValue)
        guard digits.count == utf8.count, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}

extension UInt8 {
    /// What an ASCII character stands for as a hexadecimal digit.
    package var hexadecimalValue: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x37
        case 0x61...0x66: self - 0x57
        default: nil
        }
    }
}
