/// The headers of a Windows or OS/2 bitmap, and its rows.
struct BMPLayout {
    /// The lengths of the header behind the file's: Windows' eight versions, and OS/2 2.x, which may be cut short.
    static let headerLengths: Set<Int> = Set([12, 40, 52, 56, 108, 124]).union(stride(from: 16, through: 64, by: 4))

    private let width: Int
    private let height: Int
    private let depth: Int
    private let compression: Int
    private let dataLength: Int
    private let isOS2: Bool

    static func read(_ content: some FileContent) throws(DownloadError) -> ImageLayout {
        let head = try content.bytes(at: 0, count: 54)
        guard head.count >= 26, let offset = head.little(10, 4), let layout = BMPLayout(head) else {
            return ImageLayout(end: .cut)
        }
        guard layout.width > 0, layout.height > 0 else {
            return ImageLayout(end: .invalid("its size is \(layout.width)×\(layout.height)"))
        }
        let size = ImageSize(width: layout.width, height: layout.height)
        guard [1, 2, 4, 8, 16, 24, 32].contains(layout.depth) || layout.isEmbedded else {
            return ImageLayout(size: size, end: .invalid("it has \(layout.depth) bits for a pixel"))
        }
        return ImageLayout(size: size, end: try layout.end(content, dataAt: offset))
    }

    private init?(_ head: [UInt8]) {
        guard let length = head.little(14, 4) else { return nil }
        let isShort = length == 12
        guard let width = head.little(18, isShort ? 2 : 4),
            let height = head.little(isShort ? 20 : 22, isShort ? 2 : 4),
            let depth = head.little(isShort ? 24 : 28, 2)
        else { return nil }
        self.width = isShort ? width : Int(Int32(truncatingIfNeeded: width))
        // A negative height means that the rows begin at the top.
        self.height = isShort ? height : abs(Int(Int32(truncatingIfNeeded: height)))
        self.depth = depth
        isOS2 = length == 64 || length > 12 && length < 40
        compression = length >= 20 ? head.little(30, 4) ?? 0 : 0
        dataLength = length >= 24 ? head.little(34, 4) ?? 0 : 0
    }

    /// Whether a JPEG or PNG file stands in place of the rows.
    private var isEmbedded: Bool { !isOS2 && (compression == 4 || compression == 5) }

    private func end(_ content: some FileContent, dataAt offset: Int) throws(DownloadError) -> ImageEnd {
        switch compression {
        case 1, 2: return try runLengthEnd(content, dataAt: offset)
        case 0, 3, 6:
            if isOS2, compression == 3 { break }  // one-dimensional Huffman coding
            let row = (width * depth + 31) / 32 * 4
            let (rows, isTooLong) = row.multipliedReportingOverflow(by: height - 1)
            guard !isTooLong, rows <= content.count else { return .cut }
            return offset + rows + (width * depth + 7) / 8 <= content.count ? .whole() : .cut
        default: break
        }
        return offset < content.count && offset + dataLength <= content.count ? .whole() : .cut
    }

    /// Follows the runs of a compressed bitmap to its end mark or its last row.
    private func runLengthEnd(_ content: some FileContent, dataAt offset: Int) throws(DownloadError) -> ImageEnd {
        var cursor = ContentCursor(content, at: offset)
        var (column, row) = (0, 0)
        while let count = try cursor.next(), let value = try cursor.next() {
            if count > 0 {
                column += Int(count)
                continue
            }
            switch value {
            case 0: (column, row) = (0, row + 1)
            case 1: return .whole()
            case 2:
                guard let right = try cursor.next(), let up = try cursor.next() else { return .cut }
                (column, row) = (column + Int(right), row + Int(up))
            default:
                column += Int(value)
                let length = compression == 2 ? (Int(value) + 1) / 2 : Int(value)
                guard cursor.skip(length + length % 2) else { return .cut }
            }
        }
        let isComplete = row >= height || row == height - 1 && column >= width
        return isComplete ? .unmarked(note: "has no end mark") : .cut
    }
}
