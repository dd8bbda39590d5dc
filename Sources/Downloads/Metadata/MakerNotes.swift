import ProviderModel

/// A camera's own notes in the Exif data of an image (Exif 2.32 §4.6.5, `MakerNote`), with their place among these.
///
/// Most are read by offsets that count from the beginning of the Exif data: moved, they are lost.
struct MakerNotes: Hashable {
    private let offset: Int
    private let bytes: [UInt8]

    /// The notes of an image; nil for none.
    init?(of content: some FileContent, as format: MediaFormat) throws(DownloadError) {
        guard let exif = try ExifData.range(in: content, as: format) else { return nil }
        let data = try content.bytes(at: exif.lowerBound, count: min(exif.count, 64 << 20))
        guard let found = Self.find(in: data) else { return nil }
        offset = found.lowerBound
        bytes = Array(data[found])
    }

    private static func find(in data: [UInt8]) -> Range<Int>? {
        let isLittle = data.has("II", at: 0)
        func number(_ offset: Int, _ width: Int) -> Int? {
            isLittle ? data.little(offset, width) : data.big(offset, width)
        }
        /// An entry's count and where its value is.
        func entry(_ tag: Int, in directory: Int) -> (count: Int, value: Int)? {
            guard let count = number(directory, 2) else { return nil }
            for place in 0..<count where number(directory + 2 + place * 12, 2) == tag {
                guard let length = number(directory + 6 + place * 12, 4),
                    let value = number(directory + 10 + place * 12, 4)
                else { return nil }
                return (length, value)
            }
            return nil
        }
        guard let first = number(4, 4), let exif = entry(0x8769, in: first),
            let notes = entry(0x927c, in: exif.value), notes.count > 4, notes.value + notes.count <= data.count
        else { return nil }
        return notes.value..<notes.value + notes.count
    }
}

/// Exif data, which are built as a TIFF file.
private enum ExifData {
    static func range(in content: some FileContent, as format: MediaFormat) throws(DownloadError) -> Range<Int>? {
        switch format {
        case .tiff: 0..<content.count
        case .jpeg: try jpeg(content)
        case .png: try chunk("eXIf", in: content, from: 8, lengthFirst: true)
        case .webp: try chunk("EXIF", in: content, from: 12, lengthFirst: false)
        default: nil
        }
    }

    private static func jpeg(_ content: some FileContent) throws(DownloadError) -> Range<Int>? {
        var offset = 2
        for _ in 0..<4_096 {
            let head = try content.bytes(at: offset, count: 10)
            guard head.count == 10, head[0] == 0xff, head[1] != 0xda, let length = head.big(2, 2) else { return nil }
            if head[1] == 0xe1, head.has("Exif\0\0", at: 4) {
                return offset + 10..<max(min(offset + 2 + length, content.count), offset + 10)
            }
            offset += head[1] == 0xff ? 1 : 2 + length
        }
        return nil
    }

    private static func chunk(
        _ name: StaticString, in content: some FileContent, from start: Int, lengthFirst: Bool
    ) throws(DownloadError) -> Range<Int>? {
        var cursor = ContentCursor(content, at: start)
        while let head = try cursor.take(8) {
            guard let length = lengthFirst ? head.big(0, 4) : head.little(4, 4) else { return nil }
            let begin = cursor.offset
            guard cursor.skip(length + (lengthFirst ? 4 : length % 2)) else { return nil }
            guard head.has(name, at: lengthFirst ? 4 : 0) else { continue }
            let isPrefixed = try content.bytes(at: begin, count: 6).has("Exif\0\0", at: 0)
            return begin + (isPrefixed ? 6 : 0)..<begin + length
        }
        return nil
    }
}
