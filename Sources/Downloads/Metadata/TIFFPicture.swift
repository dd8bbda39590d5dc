import Crypto

/// What makes the pictures of a TIFF file (TIFF 6.0 §2): each directory's entries without metadata, and the
/// strips or tiles they lead to.
struct TIFFPicture {
    private let content: any FileContent
    private let isLittle: Bool
    private var hasher = Crypto.SHA256()
    /// How much may still be read: directories and values may share bytes, but not without end.
    private var remaining: Int

    /// The digest; nil when the file is not built so, or is a BigTIFF.
    static func digest(of content: some FileContent) throws(DownloadError) -> [UInt8]? {
        let head = try content.bytes(at: 0, count: 8)
        guard head.has("II", at: 0) || head.has("MM", at: 0) else { return nil }
        var picture = TIFFPicture(content: content, isLittle: head.has("II", at: 0))
        guard picture.number(head, 2, 2) == 42, var offset = picture.number(head, 4, 4) else { return nil }
        // A file with more pages than this is none.
        for _ in 0..<4_096 {
            guard offset > 0 else { return Array(picture.hasher.finalize()) }
            guard let next = try picture.readDirectory(at: offset) else { return nil }
            offset = next
        }
        return nil
    }

    private init(content: some FileContent, isLittle: Bool) {
        self.content = content
        self.isLittle = isLittle
        remaining = 2 * content.count
    }

    /// The bytes of a part; nil where the file has fewer, or has been read twice over.
    private mutating func read(_ offset: Int, _ count: Int) throws(DownloadError) -> [UInt8]? {
        guard count <= remaining else { return nil }
        remaining -= count
        let bytes = try content.bytes(at: offset, count: count)
        return bytes.count == count ? bytes : nil
    }

    private func number(_ bytes: [UInt8], _ offset: Int, _ width: Int) -> Int? {
        isLittle ? bytes.little(offset, width) : bytes.big(offset, width)
    }

    /// ImageDescription, Software, DateTime, Artist, XMP, Copyright, IPTC, Photoshop, Exif and GPS.
    private static let telling: Set<Int> = [270, 305, 306, 315, 700, 33_432, 33_723, 34_377, 34_665, 34_853]
    /// Where strips and tiles are, which may move, and how long they are.
    private static let places = [273: 279, 324: 325]

    /// Reads one picture; returns where the next one's directory is, 0 at the end, nil when it is broken.
    private mutating func readDirectory(at offset: Int) throws(DownloadError) -> Int? {
        guard let head = try read(offset, 2), let count = number(head, 0, 2), count > 0,
            let entries = try read(offset + 2, count * 12 + 4)
        else { return nil }
        var numbers: [Int: [Int]] = [:]
        for place in 0..<count {
            let start = place * 12
            guard let tag = number(entries, start, 2) else { return nil }
            if Self.telling.contains(tag) { continue }
            guard let value = try value(Array(entries[start..<start + 12])) else { return nil }
            numbers[tag] = value.numbers
            // Subdirectories hold previews and masks, which are not part of the picture.
            if Self.places[tag] == nil, tag != 330 {
                hasher.update(data: Array(entries[start..<start + 8]) + value.bytes)
            }
        }
        for (offsets, lengths) in Self.places.sorted(by: { $0.key < $1.key }) {
            guard let offsets = numbers[offsets] else { continue }
            guard let lengths = numbers[lengths], lengths.count == offsets.count else { return nil }
            for (offset, length) in zip(offsets, lengths) { guard try take(offset, length) else { return nil } }
        }
        return number(entries, count * 12, 4)
    }

    private static let widths = [1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4]

    /// An entry's value, which stands in it or where it leads; as numbers where it is short or long ones.
    private mutating func value(_ entry: [UInt8]) throws(DownloadError) -> (bytes: [UInt8], numbers: [Int])? {
        guard let type = number(entry, 2, 2), let count = number(entry, 4, 4), let width = Self.widths[type],
            count < 1 << 24
        else { return nil }
        var bytes = Array(entry[8...].prefix(width * count))
        if width * count > 4 {
            guard let offset = number(entry, 8, 4), let found = try read(offset, width * count) else { return nil }
            bytes = found
        }
        guard type == 3 || type == 4 else { return (bytes, []) }
        return (bytes, (0..<count).compactMap { number(bytes, $0 * width, width) })
    }

    private mutating func take(_ offset: Int, _ length: Int) throws(DownloadError) -> Bool {
        var taken = 0
        while taken < length {
            guard let bytes = try read(offset + taken, min(length - taken, 256 << 10)) else { return false }
            hasher.update(data: bytes)
            taken += bytes.count
        }
        return true
    }
}
