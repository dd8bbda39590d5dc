/// The blocks of a GIF file (GIF89a §15).
enum GIFLayout {
    static func read(_ content: some FileContent) throws(DownloadError) -> ImageLayout {
        var cursor = ContentCursor(content)
        guard let head = try cursor.take(13) else { return ImageLayout(end: .cut) }
        var size = ImageSize(head.little(6, 2), head.little(8, 2))
        guard cursor.skip(tableLength(head[10])) else { return ImageLayout(end: .cut) }
        let endsWithMark = try content.tail(2) == [0, 0x3b]
        var images = 0
        var note: String?
        while let byte = try cursor.next() {
            switch byte {
            case 0x3b:
                let end: ImageEnd = images > 0 ? .whole(note: note) : .invalid("it has no picture")
                return ImageLayout(size: size, end: end)
            case 0x21:
                guard cursor.skip(1), try skipBlocks(&cursor) else { return ImageLayout(size: size, end: .cut) }
            case 0x2c:
                guard let image = try cursor.take(9), cursor.skip(tableLength(image[8])), cursor.skip(1) else {
                    return ImageLayout(size: size, end: .cut)
                }
                images += 1
                // Browsers take the first picture's size where the screen has none.
                if size?.width == 0 || size?.height == 0 { size = ImageSize(image.little(4, 2), image.little(6, 2)) }
                if endsWithMark, cursor.offset < content.count - 2 {
                    return ImageLayout(size: size, end: .whole(note: note))
                }
                guard try skipBlocks(&cursor) else { return ImageLayout(size: size, end: .cut) }
            default: note = "has bytes between its blocks"
            }
        }
        guard images > 0 else { return ImageLayout(size: size, end: .cut) }
        return ImageLayout(size: size, end: .unmarked(note: "has no end mark"))
    }

    private static func tableLength(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1) }

    /// Goes on behind blocks of data, of which an empty one is the last.
    private static func skipBlocks(_ cursor: inout ContentCursor<some FileContent>) throws(DownloadError) -> Bool {
        while let length = try cursor.next() {
            if length == 0 { return true }
            guard cursor.skip(Int(length)) else { return false }
        }
        return false
    }
}
