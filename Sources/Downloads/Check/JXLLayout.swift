/// A JPEG XL file (ISO/IEC 18181-2): boxes with a codestream in them, or the codestream alone.
enum JXLLayout {
    static func read(_ content: some FileContent) throws(DownloadError) -> ImageLayout {
        if try content.bytes(at: 0, count: 2) == [0xff, 0x0a] { return try codestream(in: content, from: 0) }
        let chain = try BoxChain(content)
        if let box = chain.first("jxlc") {
            let start = box.content.lowerBound
            // A box without a length ends where the file does.
            let hasLength = try content.bytes(at: start - 8, count: 4) != [0, 0, 0, 0]
            guard hasLength else { return try codestream(in: content, from: start) }
            return ImageLayout(size: try size(in: content, from: start), end: chain.end(has: true))
        }
        let parts = chain.boxes.filter { $0.has("jxlp") }
        guard let first = parts.first, let last = parts.last else { return ImageLayout(end: chain.end(has: false)) }
        let size = try size(in: content, from: first.content.lowerBound + 4)
        // The last part says so in the first bit of its number.
        let isComplete = try content.bytes(at: last.content.lowerBound, count: 1).first.map { $0 & 0x80 } == 0x80
        return ImageLayout(size: size, end: isComplete ? chain.end(has: true) : .cut)
    }

    private static func size(in content: some FileContent, from start: Int) throws(DownloadError) -> ImageSize? {
        var bits = JXLBits(content, from: start + 2)
        return try JXLImage(&bits)?.size
    }

    /// Follows a codestream from frame to frame.
    private static func codestream(in content: some FileContent, from start: Int) throws(DownloadError) -> ImageLayout {
        var bits = JXLBits(content, from: start + 2)
        guard let image = try JXLImage(&bits) else { return ImageLayout(end: .cut) }
        if image.hasProfile, try !JXLNumbers.skipProfile(&bits) { return ImageLayout(size: image.size, end: .cut) }
        return ImageLayout(size: image.size, end: try followFrames(of: image, &bits))
    }

    private static func followFrames(
        of image: JXLImage, _ bits: inout JXLBits<some FileContent>
    ) throws(DownloadError) -> ImageEnd {
        bits.align()
        var isPreview = image.preview != nil
        for _ in 0..<100_000 {
            guard let frame = try JXLFrame(&bits, of: image, isPreview: isPreview) else { return .cut }
            guard bits.skipBytes(frame.length) else { return .cut }
            if frame.isLast, !isPreview { return .whole() }
            isPreview = false
        }
        return .cut
    }
}
