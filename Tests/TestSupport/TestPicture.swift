/// Small real pictures, made by hand, that every program reads.
package enum TestPicture {
    /// A PNG of these colours.
    package static func png(
        width: Int, height: Int, _ color: (_ x: Int, _ y: Int) -> (red: Int, green: Int, blue: Int)
    ) -> [UInt8] {
        var rows: [UInt8] = []
        for y in 0..<height {
            rows.append(0)
            for x in 0..<width {
                let color = color(x, y)
                rows += [color.red, color.green, color.blue].map { UInt8(clamping: $0) }
            }
        }
        return png(width: width, height: height, rows: rows)
    }

    /// A PNG of these rows, each with its filter first, of three bytes for a pixel.
    package static func png(width: Int, height: Int, rows: [UInt8]) -> [UInt8] {
        let header = big(width) + big(height) + [8, 2, 0, 0, 0]
        return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + chunk("IHDR", header) + chunk("IDAT", stored(rows))
            + chunk("IEND", [])
    }

    /// A PNG of a scene of its own for each number, the same in every size; `noise` changes pixels a little.
    package static func scene(_ number: Int, width: Int = 180, height: Int = 160, noise: Int = 0) -> [UInt8] {
        func light(_ column: Int, _ row: Int) -> Int {
            var state = UInt64(number &* 7_919 &+ column &* 104_729 &+ row &* 1_299_709 &+ 1)
            state = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
            state = (state ^ state >> 27) &* 0x94d0_49bb_1331_11eb
            return Int((state ^ state >> 31) % 256)
        }
        return png(width: width, height: height) { x, y in
            let value = light(x * 9 / width, y * 8 / height) + (noise == 0 ? 0 : (x * 7 + y * 13) % (2 * noise) - noise)
            return (value, value, 255 - value)
        }
    }

    /// A PNG that is whole, with checksums that are right, of which one row has a filter that there is not (PNG §9.1): only a
    /// decoder sees it.
    package static func undecodable(width: Int = 180, height: Int = 160) -> [UInt8] {
        let rows = (0..<height).flatMap { row in
            [row == height / 2 ? 9 : 0] + [UInt8](repeating: 99, count: 3 * width)
        }
        return png(width: width, height: height, rows: rows)
    }

    /// A GIF of so many images, each shown for a tenth of a second.
    package static func gif(width: Int = 40, height: Int = 30, images: Int) -> [UInt8] {
        var bytes = Array("GIF89a".utf8) + little(width) + little(height) + [0x81, 0, 0]
        bytes += [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255]
        bytes += [0x21, 0xff, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
        for image in 0..<images {
            bytes += [0x21, 0xf9, 4, 4, 10, 0, 0, 0, 0x2c, 0, 0, 0, 0] + little(width) + little(height) + [0, 2]
            // Codes of three bits: the table is cleared before each pixel, so that it never grows.
            var bits: [UInt8] = []
            func add(_ code: Int) { bits += (0..<3).map { UInt8(code >> $0 & 1) } }
            for place in 0..<width * height {
                add(4)
                add((place % width * 4 / width + image) % 4)
            }
            add(5)
            let codes = stride(from: 0, to: bits.count, by: 8).map { start in
                bits[start..<min(start + 8, bits.count)].reversed().reduce(UInt8(0)) { $0 << 1 | $1 }
            }
            for start in stride(from: 0, to: codes.count, by: 255) {
                let block = codes[start..<min(start + 255, codes.count)]
                bytes += [UInt8(block.count)] + block
            }
            bytes.append(0)
        }
        return bytes + [0x3b]
    }

    private static func little(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }

    private static func big(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

    /// A zlib stream without compression (RFC 1950, RFC 1951 §3.2.4).
    package static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: bytes.count, by: 65_535) {
            let block = bytes[start..<min(start + 65_535, bytes.count)]
            let isLast: UInt8 = start + 65_535 >= bytes.count ? 1 : 0
            stream += [isLast] + little(block.count) + little(~block.count & 0xffff) + block
        }
        var (low, high) = (1, 0)
        for byte in bytes {
            low = (low + Int(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return stream + big(high << 16 | low)
    }

    /// A chunk of a PNG with its checksum.
    package static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + data
        let code = ~named.reduce(~UInt32(0)) { value, byte in checks[Int((value ^ UInt32(byte)) & 255)] ^ value >> 8 }
        return big(data.count) + named + big(Int(code))
    }

    private static let checks: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 1 ? 0xedb8_8320 : 0) }
    }
}
