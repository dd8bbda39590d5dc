/// The segments of a JPEG file up to its coded picture (ITU T.81 §B.1), as far as their own lengths lead.
struct JPEGLayout {
    /// The size of the picture.
    private(set) var size: ImageSize?
    /// The position of the coded picture; nil when the header breaks off before.
    private(set) var scanStart: Int?
    /// Whether a segment ends elsewhere than its length says.
    private var hasWrongLength = false
    private var hasInvalidFrame = false

    /// The number of bytes at the end in which the end mark is searched first: cameras and editors append data.
    private static let tailLength = 64 << 10

    init(_ content: some FileContent) throws(DownloadError) {
        var offset = 2
        // A header with more segments than this is none.
        for _ in 0..<4_096 {
            let bytes = try content.bytes(at: offset, count: 20)
            guard bytes.count >= 4 else { return }
            guard bytes[0] == 0xff, bytes[1] != 0 else {
                guard let next = try Self.nextMarker(content, from: offset) else { return }
                hasWrongLength = true
                offset = next
                continue
            }
            let marker = bytes[1]
            if marker == 0xff {  // fill bytes may stand before a marker
                offset += 1
                continue
            }
            if marker == 0x01 || (0xd0...0xd8).contains(marker) {  // those have no length
                offset += 2
                continue
            }
            guard marker != 0xd9, let length = bytes.big(2, 2), length >= 2 else { return }
            if marker == 0xda {
                scanStart = offset + 2 + length
                return
            }
            if Self.isFrame(marker), let height = bytes.big(5, 2), let width = bytes.big(7, 2) {
                size = ImageSize(width: width, height: height)
                hasInvalidFrame =
                    width == 0 || height == 0 || bytes.count < 10 || length < 8 + 3 * Int(bytes[9]) || bytes[9] == 0
            }
            offset += 2 + length
        }
    }

    /// The size, and whether the picture has its end.
    func layout(_ content: some FileContent) throws(DownloadError) -> ImageLayout {
        guard let scanStart else { return ImageLayout(size: size, end: .cut) }
        guard size != nil, !hasInvalidFrame else { return ImageLayout(end: .invalid("it has no picture")) }
        let note = hasWrongLength ? "has a segment of another length than it says" : nil
        if try Self.contains([0xff, 0xd9], in: content, from: scanStart) {
            return ImageLayout(size: size, end: .whole(note: note))
        }
        let isComplete = try JPEGScan.isComplete(content)
        return ImageLayout(size: size, end: isComplete ? .unmarked(note: "has no end mark (EOI)") : .cut)
    }

    /// Where the next marker is that has a length, behind a segment that ends elsewhere than it says.
    private static func nextMarker(_ content: some FileContent, from offset: Int) throws(DownloadError) -> Int? {
        var cursor = ContentCursor(content, at: offset)
        var previous: UInt8 = 0
        while let byte = try cursor.next() {
            if previous == 0xff, byte >= 0xc0, byte != 0xff { return cursor.offset - 2 }
            previous = byte
        }
        return nil
    }

    /// ITU T.81 table B.1: start-of-frame markers, without those for tables.
    static func isFrame(_ marker: UInt8) -> Bool {
        (0xc0...0xcf).contains(marker) && ![0xc4, 0xc8, 0xcc].contains(marker)
    }

    /// Looks at the end first, then from the start: films are appended to pictures, too.
    ///
    /// A thumbnail in the header has an end mark as well, so that only those behind the start of the picture count.
    private static func contains(_ marker: [UInt8], in content: some FileContent, from start: Int) throws(DownloadError)
        -> Bool
    {
        let tailStart = max(start, content.count - tailLength)
        // Most files end with the marker.
        let ending = max(start, content.count - marker.count)
        if try content.bytes(at: ending, count: marker.count) == marker { return true }
        if try content.bytes(at: tailStart, count: tailLength).lastPlace(of: marker) != nil { return true }
        var offset = start
        while offset < tailStart {
            let bytes = try content.bytes(at: offset, count: 1 << 20)
            if bytes.lastPlace(of: marker) != nil { return true }
            guard bytes.count > marker.count else { return false }
            offset += bytes.count - marker.count + 1
        }
        return false
    }
}
