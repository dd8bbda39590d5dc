import ProviderModel

/// Detects truncated image files.
enum ImageEnd {
    /// The number of bytes at the end in which the end marker is searched first: cameras and editors append data.
    private static let tailLength = 64 << 10

    /// Whether the file is complete, as far as its format shows.
    static func isWhole(_ content: some FileContent, as format: MediaFormat) throws(DownloadError) -> Bool {
        switch format {
        case .jpeg: try jpeg(content)
        case .png: try contains([0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82], in: content, from: 8)
        case .gif: try gif(content)
        case .webp: try riff(content)
        case .avif, .heic, .mp4, .mov, .m4a: try boxes(content)
        case .wav: try riff(content)
        // The end of the central directory, before which only a comment may stand.
        case .zip: try content.tail(66_000).lastPlace(of: [0x50, 0x4b, 5, 6]) != nil
        // Their length is that of the response, which is checked.
        case .webm, .mkv, .ogv, .mp3, .ogg, .flac: true
        case .jxl: try content.bytes(at: 0, count: 2) == [0xff, 0x0a] ? true : boxes(content)
        case .bmp: try bmp(content)
        case .ico: try ico(content)
        case .svg: try svg(content)
        case .tiff: try tiff(content)
        }
    }

    /// A thumbnail in the header has an end marker too, so that only those after the start of the picture count.
    private static func jpeg(_ content: some FileContent) throws(DownloadError) -> Bool {
        guard let start = try JPEGLayout(content).scanStart else { return false }
        return try contains([0xff, 0xd9], in: content, from: start)
    }

    /// Looks at the end first, then from the start: films are appended to pictures, too.
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

    private static func gif(_ content: some FileContent) throws(DownloadError) -> Bool {
        try content.tail(1_024).last { $0 != 0 } == 0x3b
    }

    private static func riff(_ content: some FileContent) throws(DownloadError) -> Bool {
        guard let size = try content.bytes(at: 0, count: 12).little(4, 4) else { return false }
        return size + 8 <= content.count
    }

    private static func bmp(_ content: some FileContent) throws(DownloadError) -> Bool {
        guard let size = try content.bytes(at: 0, count: 6).little(2, 4) else { return false }
        return size <= content.count
    }

    /// ISO/IEC 14496-12 §4.2: boxes with their lengths, one after another to the end of the file.
    private static func boxes(_ content: some FileContent) throws(DownloadError) -> Bool {
        var offset = 0
        for _ in 0..<10_000 {
            guard offset < content.count else { return offset == content.count }
            let head = try content.bytes(at: offset, count: 16)
            guard var size = head.big(0, 4) else { return false }
            if size == 0 { return true }
            if size == 1 {
                guard let low = head.big(12, 4), let high = head.big(8, 4), high < 1 << 20 else { return false }
                size = high << 32 | low
            }
            guard size >= 8 else { return false }
            offset += size
        }
        return false
    }

    private static func ico(_ content: some FileContent) throws(DownloadError) -> Bool {
        let head = try content.bytes(at: 0, count: 6 + 256 * 16)
        for number in 0..<(head.little(4, 2) ?? 0) {
            guard let size = head.little(6 + number * 16 + 8, 4), let offset = head.little(6 + number * 16 + 12, 4),
                offset + size <= content.count
            else { return false }
        }
        return true
    }

    private static func svg(_ content: some FileContent) throws(DownloadError) -> Bool {
        let tail = String(decoding: try content.tail(4_096), as: UTF8.self)
        if tail.contains("</svg>") || tail.contains("</svg:svg>") { return true }
        return tail.droppingEnd { $0.isWhitespace }.hasSuffix("/>") && !tail.contains("</")
    }

    private static func tiff(_ content: some FileContent) throws(DownloadError) -> Bool {
        let head = try content.bytes(at: 0, count: 16)
        let isLittle = head.first == 0x49
        let isBig = (isLittle ? head.little(2, 2) : head.big(2, 2)) == 43
        let place = isBig ? 8 : 4
        guard let offset = isLittle ? head.little(place, isBig ? 8 : 4) : head.big(place, isBig ? 8 : 4) else {
            return false
        }
        return offset >= 8 && offset < content.count
    }
}
