/// Small files that are what they say, made by hand.
enum ImageBytes {
    static func jpeg(width: Int = 40, height: Int = 30, payload: Int = 64, thumbnail: Bool = false) -> [UInt8] {
        var bytes: [UInt8] = [0xff, 0xd8]
        if thumbnail { bytes += [0xff, 0xe1, 0, 10] + [0xff, 0xd8, 0xff, 0xdb, 0, 0, 0xff, 0xd9] }
        bytes += [0xff, 0xc0, 0, 17, 8] + big(height, 2) + big(width, 2) + [3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]
        bytes += [0xff, 0xda, 0, 12, 3, 1, 0, 2, 0x11, 3, 0x11, 0, 0x3f, 0]
        bytes += (0..<payload).map { UInt8($0 % 251) } + [0xff, 0xd9]
        return bytes
    }

    static func png(width: Int = 40, height: Int = 30) -> [UInt8] {
        [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + big(13, 4) + Array("IHDR".utf8) + big(width, 4)
            + big(height, 4)
            + [8, 2, 0, 0, 0, 0, 0, 0, 0] + big(0, 4) + Array("IEND".utf8) + [0xae, 0x42, 0x60, 0x82]
    }

    static func gif(width: Int = 40, height: Int = 30) -> [UInt8] {
        Array("GIF89a".utf8) + big(width, 2).reversed() + big(height, 2).reversed() + [0, 0, 0, 0x2c, 1, 2, 3, 0x3b]
    }

    static func webp(width: Int = 40, height: Int = 30) -> [UInt8] {
        let chunk =
            Array("VP8X".utf8) + big(10, 4).reversed() + [0, 0, 0, 0] + big(width - 1, 3).reversed()
            + big(height - 1, 3).reversed()
        return Array("RIFF".utf8) + big(chunk.count + 4, 4).reversed() + Array("WEBP".utf8) + chunk
    }

    static func avif(width: Int = 40, height: Int = 30) -> [UInt8] {
        let ispe = big(20, 4) + Array("ispe".utf8) + [0, 0, 0, 0] + big(width, 4) + big(height, 4)
        return big(20, 4) + Array("ftypavif".utf8) + big(0, 4) + Array("mif1".utf8)
            + big(8 + ispe.count, 4) + Array("meta".utf8) + ispe
    }

    static func bmp(width: Int = 40, height: Int = 30) -> [UInt8] {
        Array("BM".utf8) + big(54, 4).reversed() + [0, 0, 0, 0] + big(54, 4).reversed() + big(40, 4).reversed()
            + big(width, 4).reversed() + big(height, 4).reversed() + [UInt8](repeating: 0, count: 28)
    }

    static func big(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
