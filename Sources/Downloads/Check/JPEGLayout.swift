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
