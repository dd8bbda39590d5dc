import ProviderModel

/// Width and height in pixels.
package struct ImageSize: Hashable, Sendable, CustomStringConvertible {
    /// Pixels across.
    package var width: Int
    /// Pixels down.
    package var height: Int

    /// A size.
    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// `4000×3000`.
    package var description: String { "\(width)×\(height)" }

    /// Reads the size from a file's header; nil where the format does not say it plainly.
    package init?(of content: some FileContent, as format: MediaFormat) throws(DownloadError) {
        let size: ImageSize? =
            switch format {
            case .jpeg: try JPEGLayout(content).size
            case .png: Self.png(try content.bytes(at: 0, count: 32))
            case .gif: Self.gif(try content.bytes(at: 0, count: 16))
            case .webp: Self.webp(try content.bytes(at: 0, count: 32))
            case .bmp: Self.bmp(try content.bytes(at: 0, count: 32))
            case .avif, .heic: Self.boxed(try content.bytes(at: 0, count: 32 << 10))
            default: nil
            }
        guard let size, size.width > 0, size.height > 0 else { return nil }
        self = size
    }

    private init?(_ width: Int?, _ height: Int?) {
        guard let width, let height else { return nil }
        self.init(width: width, height: height)
    }

    private static func png(_ head: [UInt8]) -> ImageSize? {
        head.has("IHDR", at: 12) ? ImageSize(head.big(16, 4), head.big(20, 4)) : nil
    }

    private static func gif(_ head: [UInt8]) -> ImageSize? { ImageSize(head.little(6, 2), head.little(8, 2)) }

    private static func bmp(_ head: [UInt8]) -> ImageSize? {
        if head.little(14, 4) == 12 { return ImageSize(head.little(18, 2), head.little(20, 2)) }
        // A negative height means that the rows begin at the top.
        let height = head.little(22, 4).map { Int(abs(Int64(Int32(truncatingIfNeeded: $0)))) }
        return ImageSize(head.little(18, 4), height)
    }

    /// RFC 9649 §2.
    private static func webp(_ head: [UInt8]) -> ImageSize? {
        if head.has("VP8X", at: 12) {
            return ImageSize(head.little(24, 3).map { $0 + 1 }, head.little(27, 3).map { $0 + 1 })
        }
        if head.has("VP8L", at: 12), let bits = head.little(21, 4) {
            return ImageSize(width: bits & 0x3fff + 1, height: bits >> 14 & 0x3fff + 1)
        }
        guard head.has("VP8 ", at: 12) else { return nil }
        return ImageSize(head.little(26, 2).map { $0 & 0x3fff }, head.little(28, 2).map { $0 & 0x3fff })
    }

    /// The largest of the sizes in the `ispe` boxes: thumbnails and tiles have theirs too.
    private static func boxed(_ head: [UInt8]) -> ImageSize? {
        var largest: ImageSize?
        for offset in head.indices where head[offset] == UInt8(ascii: "i") && head.has("ispe", at: offset) {
            guard let size = ImageSize(head.big(offset + 8, 4), head.big(offset + 12, 4)) else { continue }
            if size.width > largest?.width ?? 0 { largest = size }
        }
        return largest
    }
}

/// Where in a JPEG file its parts are, as far as the segments' own lengths lead.
struct JPEGLayout {
    /// The size of the picture.
    private(set) var size: ImageSize?
    /// Where the coded picture begins; nil when the header breaks off before.
    private(set) var scanStart: Int?

    init(_ content: some FileContent) throws(DownloadError) {
        var offset = 2
        // A header with more segments than this is none.
        for _ in 0..<4_096 {
            let bytes = try content.bytes(at: offset, count: 20)
            guard bytes.count >= 4, bytes[0] == 0xff else { return }
            let marker = bytes[1]
            if marker == 0xff {  // fill bytes may stand before a marker
                offset += 1
                continue
            }
            guard let length = bytes.big(2, 2), length >= 2 else { return }
            if marker == 0xda {
                scanStart = offset + 2 + length
                return
            }
            if Self.isFrame(marker), let height = bytes.big(5, 2), let width = bytes.big(7, 2) {
                size = ImageSize(width: width, height: height)
            }
            offset += 2 + length
        }
    }

    /// ITU T.81 table B.1: start-of-frame markers, without those for tables.
    private static func isFrame(_ marker: UInt8) -> Bool {
        (0xc0...0xcf).contains(marker) && ![0xc4, 0xc8, 0xcc].contains(marker)
    }
}
