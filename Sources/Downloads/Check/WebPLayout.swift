/// The chunks of a WebP file (RFC 9649 §2).
enum WebPLayout {
    static func read(_ content: some FileContent) throws(DownloadError) -> ImageLayout {
        var cursor = ContentCursor(content)
        guard let head = try cursor.take(12), let length = head.little(4, 4) else { return ImageLayout(end: .cut) }
        guard length + 8 <= content.count else { return ImageLayout(size: try size(content), end: .cut) }
        var hasPicture = false
        while cursor.offset + 8 <= length + 8, !hasPicture, let chunk = try cursor.take(8),
            let size = chunk.little(4, 4)
        {
            let isFrame = chunk.has("ANMF", at: 0) && size >= 16 + 8
            hasPicture = isFrame || size >= 5 && (chunk.has("VP8 ", at: 0) || chunk.has("VP8L", at: 0))
            guard cursor.offset + size <= length + 8, cursor.skip(size) else { return ImageLayout(end: .cut) }
            _ = cursor.skip(size % 2)
        }
        guard hasPicture, let size = try size(content) else {
            return ImageLayout(end: .invalid("it has no picture"))
        }
        return ImageLayout(size: size, end: .whole())
    }

    /// The end by the length in the head of a RIFF file.
    static func riffEnd(_ content: some FileContent) throws(DownloadError) -> ImageEnd {
        guard let length = try content.bytes(at: 0, count: 12).little(4, 4) else { return .cut }
        return length + 8 <= content.count ? .whole() : .cut
    }

    private static func size(_ content: some FileContent) throws(DownloadError) -> ImageSize? {
        let head = try content.bytes(at: 0, count: 32)
        if head.has("VP8X", at: 12) {
            return ImageSize(head.little(24, 3).map { $0 + 1 }, head.little(27, 3).map { $0 + 1 })
        }
        if head.has("VP8L", at: 12) {
            guard head.count > 20, head[20] == 0x2f, let bits = head.little(21, 4) else { return nil }
            return ImageSize(width: bits & 0x3fff + 1, height: bits >> 14 & 0x3fff + 1)
        }
        // RFC 6386 §9.1: the start code, then fourteen bits each.
        guard head.has("VP8 ", at: 12), head.little(23, 3) == 0x2a019d else { return nil }
        return ImageSize(head.little(26, 2).map { $0 & 0x3fff }, head.little(28, 2).map { $0 & 0x3fff })
    }
}
