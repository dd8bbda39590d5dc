import TestSupport

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
        TestPicture.png(width: width, height: height) { x, y in (x * 6, y * 8, 90) }
    }

    static func gif(width: Int = 40, height: Int = 30, images: Int = 1) -> [UInt8] {
        TestPicture.gif(width: width, height: height, images: images)
    }

    static func webp(width: Int = 40, height: Int = 30) -> [UInt8] {
        let head =
            Array("VP8X".utf8) + little(10, 4) + [0, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3)
        let picture = Array("VP8L".utf8) + little(6, 4) + [0x2f, 0, 0, 0, 0, 1]
        return Array("RIFF".utf8) + little(head.count + picture.count + 4, 4) + Array("WEBP".utf8) + head + picture
    }

    /// An AVIF file of one item; `properties` come after its size, in the order in which they count.
    static func avif(width: Int = 40, height: Int = 30, properties: [[UInt8]] = [], data: Int = 50) -> [UInt8] {
        let kind = box("ftyp", Array("avif".utf8) + big(0, 4) + Array("mif1".utf8))
        func meta(dataAt offset: Int) -> [UInt8] {
            let all = [box("ispe", big(0, 4) + big(width, 4) + big(height, 4))] + properties
            // A thumbnail, which is another item, is wider than the picture.
            let thumbnail = box("ispe", big(0, 4) + big(9_000, 4) + big(1, 4))
            let numbers = (1...all.count).map { UInt8($0) }
            let associations =
                big(0, 4) + big(2, 4) + big(7, 2) + [UInt8(all.count)] + numbers + big(8, 2) + [
                    1, UInt8(all.count + 1),
                ]
            let locations =
                big(0, 4) + [0x44, 0] + big(2, 2) + big(7, 2) + big(0, 2) + big(1, 2) + big(offset, 4) + big(data, 4)
                + big(8, 2) + big(0, 2) + big(1, 2) + big(offset, 4) + big(data / 2, 4)
            return box(
                "meta",
                big(0, 4) + box("pitm", big(0, 4) + big(7, 2)) + box("iloc", locations)
                    + box("iprp", box("ipco", all.flatMap(\.self) + thumbnail) + box("ipma", associations)))
        }
        let offset = kind.count + meta(dataAt: 0).count + 8
        return kind + meta(dataAt: offset) + box("mdat", [UInt8](repeating: 3, count: data))
    }

    static func bmp(width: Int = 40, height: Int = 30, headerLength: Int = 40) -> [UInt8] {
        let side = headerLength == 12 ? 2 : 4
        let header =
            little(headerLength, 4) + little(width, side) + little(height, side) + little(1, 2) + little(24, 2)
        let rows = [UInt8](repeating: 9, count: (width * 3 + 3) / 4 * 4 * height)
        let start = 14 + headerLength
        let padding = [UInt8](repeating: 0, count: headerLength - header.count)
        return Array("BM".utf8) + little(start + rows.count, 4) + little(0, 4) + little(start, 4) + header + padding
            + rows
    }

    /// A TIFF file of one strip for each of its directories, or of tiles.
    static func tiff(
        width: Int = 40, height: Int = 30, pages: Int = 1, isLittle: Bool = true, isBig: Bool = false
    ) -> [UInt8] {
        func number(_ value: Int, _ width: Int) -> [UInt8] { isLittle ? little(value, width) : big(value, width) }
        let (countWidth, offsetWidth) = isBig ? (8, 8) : (2, 4)
        var bytes = Array((isLittle ? "II" : "MM").utf8) + number(isBig ? 43 : 42, 2)
        if isBig { bytes += number(8, 2) + number(0, 2) }
        let length = width * height
        let directoryLength = countWidth + 6 * (isBig ? 20 : 12) + offsetWidth
        bytes += number(bytes.count + offsetWidth, offsetWidth)
        for page in 0..<pages {
            let strip = bytes.count + directoryLength
            // Width, height, bits, compression, where the strip is, and how long.
            let entries = [(256, width), (257, height), (258, 8), (259, 5), (273, strip), (279, length)]
            bytes += number(entries.count, countWidth)
            for (tag, value) in entries {
                bytes +=
                    number(tag, 2) + number(isBig ? 16 : 4, 2) + number(1, offsetWidth) + number(value, offsetWidth)
            }
            bytes += number(page == pages - 1 ? 0 : strip + length, offsetWidth)
            bytes += [UInt8](repeating: 7, count: length)
        }
        return bytes
    }

    /// An icon of one bitmap for each size.
    static func ico(_ sizes: [Int] = [16, 40]) -> [UInt8] {
        var (directory, pictures) = (little(0, 2) + little(1, 2) + little(sizes.count, 2), [UInt8]())
        for size in sizes {
            let picture =
                little(40, 4) + little(size, 4) + little(2 * size, 4) + little(1, 2) + little(32, 2)
                + [UInt8](repeating: 5, count: 24 + size * size * 4)
            directory += [UInt8(size), UInt8(size), 0, 0] + little(1, 2) + little(32, 2) + little(picture.count, 4)
            directory += little(6 + sizes.count * 16 + pictures.count, 4)
            pictures += picture
        }
        return directory + pictures
    }

    static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        big(content.count + 8, 4) + Array(name.utf8) + content
    }

    static func big(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    static func little(_ value: Int, _ width: Int) -> [UInt8] { big(value, width).reversed() }
}
