import Crypto

/// A picture that stands in for one of a sample, whose files do not exist: a gradient of its own for each address, as a PNG.
package struct SamplePicture {
    /// The file's bytes.
    package let bytes: [UInt8]
    /// The size in pixels.
    package let (columns, rows): (Int, Int)

    /// The picture for a file's address, in the proportions of the file.
    package init(for address: String, width: Int?, height: Int?) {
        let proportions = Double(width ?? 4) / Double(max(height ?? 3, 1))
        (columns, rows) = (32, min(max(Int(32 / proportions), 8), 128))
        let digest = Array(SHA256.hash(data: Array(address.utf8)))
        let (from, to) = (Array(digest[0..<3]), Array(digest[3..<6]))
        var pixels: [UInt8] = []
        for row in 0..<rows {
            pixels.append(0)
            for column in 0..<columns {
                let share = Double(row + column) / Double(rows + columns)
                for part in 0..<3 { pixels.append(Self.mix(from[part], to[part], share)) }
            }
        }
        bytes = Self.png(pixels, columns: columns, rows: rows)
    }

    /// Between two colours, neither of which is glaring.
    private static func mix(_ from: UInt8, _ to: UInt8, _ share: Double) -> UInt8 {
        UInt8(64 + (Double(from) * (1 - share) + Double(to) * share) / 2)
    }

    /// Rows of eight-bit colours, each after its filter's zero, as a PNG (RFC 2083) without compression.
    private static func png(_ pixels: [UInt8], columns: Int, rows: Int) -> [UInt8] {
        let length = UInt16(pixels.count)
        var data: [UInt8] = [0x78, 0x01, 1]
        for value in [length, ~length] { data += [UInt8(value & 255), UInt8(value >> 8)] }
        data += pixels + bigEndian(adler32(pixels))
        let header = bigEndian(UInt32(columns)) + bigEndian(UInt32(rows)) + [8, 2, 0, 0, 0]
        return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + chunk("IHDR", header) + chunk("IDAT", data)
            + chunk("IEND", [])
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + data
        return bigEndian(UInt32(data.count)) + named + bigEndian(crc32(named))
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { value, byte in
            (0..<8).reduce(value ^ UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 1 ? 0xedb8_8320 : 0) }
        }
    }
}
