/// The directories of a TIFF file (TIFF 6.0 §2), and the strips or tiles that each leads to.
struct TIFFLayout<Content: FileContent> {
    private let content: Content
    private let isLittle: Bool
    /// Whether offsets have eight bytes, as in BigTIFF.
    private let isBig: Bool
    private var size: ImageSize?
    private var visited: Set<Int> = []
    /// How much may still be read: directories and values may share bytes, but not without end.
    private var remaining: Int

    /// A file with more directories than this is none.
    private static var directoryLimit: Int { 10_000 }

    static func read(_ content: Content) throws(DownloadError) -> ImageLayout {
        let head = try content.bytes(at: 0, count: 16)
        let isLittle = head.first == 0x49
        let isBig = (isLittle ? head.little(2, 2) : head.big(2, 2)) == 43
        var layout = TIFFLayout(content, isLittle: isLittle, isBig: isBig)
        guard let first = isBig ? layout.number(head, 8, 8) : layout.number(head, 4, 4) else {
            return ImageLayout(end: .cut)
        }
        let end = try layout.follow(from: first)
        return ImageLayout(size: layout.size, end: end)
    }

    private init(_ content: Content, isLittle: Bool, isBig: Bool) {
        self.content = content
        self.isLittle = isLittle
        self.isBig = isBig
        remaining = 2 * content.count
    }

    private func number(_ bytes: [UInt8], _ offset: Int, _ width: Int) -> Int? {
        isLittle ? bytes.little(offset, width) : bytes.big(offset, width)
    }

    /// The bytes of a part; nil where the file has fewer, or has been read twice over.
    private mutating func read(_ offset: Int, _ count: Int) throws(DownloadError) -> [UInt8]? {
        guard count >= 0, count <= remaining, offset >= 0, offset <= content.count - count else { return nil }
        remaining -= count
        return try content.bytes(at: offset, count: count)
    }

    private mutating func follow(from first: Int) throws(DownloadError) -> ImageEnd {
        var waiting = [first]
        var pictures = 0
        while let offset = waiting.popLast() {
            guard visited.insert(offset).inserted, visited.count <= Self.directoryLimit else { continue }
            guard let directory = try readDirectory(at: offset) else { return .cut }
            if size == nil { size = ImageSize(directory[.width]?.first, directory[.height]?.first) }
            guard try hasAllParts(directory) else { return .cut }
            if directory.hasPicture { pictures += 1 }
            waiting += directory.children
            if directory.next > 0 { waiting.append(directory.next) }
        }
        return pictures > 0 && size != nil ? .whole() : .invalid("it has no picture")
    }

    // MARK: Directories

    private mutating func readDirectory(at offset: Int) throws(DownloadError) -> TIFFDirectory? {
        let (countWidth, entryLength, width) = isBig ? (8, 20, 8) : (2, 12, 4)
        guard let head = try read(offset, countWidth), let count = number(head, 0, countWidth),
            (1...65_535).contains(count),
            let entries = try read(offset + countWidth, count * entryLength)
        else { return nil }
        var directory = TIFFDirectory()
        for place in 0..<count {
            let entry = Array(entries[place * entryLength..<(place + 1) * entryLength])
            guard let code = number(entry, 0, 2), isThere(entry, code, width) else { return nil }
            guard let tag = TIFFDirectory.Tag(rawValue: code), directory[tag] == nil else { continue }
            guard let values = try values(entry, width: width) else { return nil }
            directory[tag] = values
        }
        // Some writers end the last directory without a place for the next.
        let next = try read(offset + countWidth + count * entryLength, width)
        directory.next = next.flatMap { number($0, 0, width) } ?? 0
        return directory
    }

    /// Whether a value is in the file; those of private tags are nobody's.
    private func isThere(_ entry: [UInt8], _ tag: Int, _ width: Int) -> Bool {
        guard tag <= TIFFDirectory.lastBaselineTag, let type = number(entry, 2, 2), let count = number(entry, 4, width),
            let size = Self.widths[type], (0..<1 << 24).contains(count), size * count > width
        else { return true }
        return (number(entry, 4 + width, width) ?? 0) + size * count <= content.count
    }

    private static var widths: [Int: Int] {
        [1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 13: 4, 16: 8, 17: 8, 18: 8]
    }

    /// An entry's numbers, which stand in it or where it leads; nil where that is not in the file.
    private mutating func values(_ entry: [UInt8], width: Int) throws(DownloadError) -> [Int]? {
        guard let type = number(entry, 2, 2), let count = number(entry, 4, width), let size = Self.widths[type],
            count >= 0, count < 1 << 24
        else { return [] }
        var bytes = Array(entry[(4 + width)...])
        if size * count > width {
            guard let offset = number(entry, 4 + width, width), let found = try read(offset, size * count) else {
                return nil
            }
            bytes = found
        }
        return (0..<count).compactMap { number(bytes, $0 * size, size) }
    }

    // MARK: Strips and tiles

    private func hasAllParts(_ directory: TIFFDirectory) throws(DownloadError) -> Bool {
        let places: [(TIFFDirectory.Tag, TIFFDirectory.Tag)] = [
            (.stripOffsets, .stripLengths), (.tileOffsets, .tileLengths), (.jpegOffset, .jpegLength),
        ]
        for (offsetTag, lengthTag) in places {
            guard let offsets = directory[offsetTag] else { continue }
            let lengths = directory[lengthTag] ?? []
            for (number, offset) in offsets.enumerated() {
                let length = number < lengths.count ? lengths[number] : 0
                if offset == 0 && length == 0 { continue }  // sparse: a tile of zeros
                let needed = offsetTag == .stripOffsets ? directory.stripLength(number, listed: length) : length
                guard offset >= 0, needed >= 0, offset < content.count, needed <= content.count - offset else {
                    return false
                }
            }
        }
        return true
    }
}

/// The numbers of a directory that tell where its picture is.
struct TIFFDirectory {
    enum Tag: Int {
        case width = 256
        case height = 257
        case depth = 258
        case compression = 259
        case stripOffsets = 273
        case samples = 277
        case stripRows = 278
        case stripLengths = 279
        case planes = 284
        case colours = 320
        case tileOffsets = 324
        case tileLengths = 325
        case children = 330
        case jpegTables = 347
        case jpegOffset = 513
        case jpegLength = 514
    }

    /// The last of the tags that TIFF 6.0 itself defines in one row, up to `ReferenceBlackWhite`.
    static let lastBaselineTag = 532

    private var values: [Tag: [Int]] = [:]
    /// The position of the next directory; 0 for the last one.
    var next = 0

    subscript(tag: Tag) -> [Int]? {
        get { values[tag] }
        set { values[tag] = newValue }
    }

    var children: [Int] { (values[.children] ?? []).filter { $0 > 0 } }

    var hasPicture: Bool {
        values[.stripOffsets]?.isEmpty == false || values[.tileOffsets]?.isEmpty == false || values[.jpegOffset] != nil
    }

    /// The bytes that a strip needs: one that is not compressed may be listed with more than its rows have.
    func stripLength(_ number: Int, listed: Int) -> Int {
        guard values[.compression]?.first ?? 1 == 1, let width = values[.width]?.first,
            let height = values[.height]?.first, width > 0, height > 0
        else { return listed }
        let samples = values[.samples]?.first ?? 1
        let isPlanar = values[.planes]?.first == 2
        let rowsInStrip = min(max(values[.stripRows]?.first ?? height, 1), height)
        let strips = (height + rowsInStrip - 1) / rowsInStrip
        let rows = min(rowsInStrip, height - number % strips * rowsInStrip)
        let bits = (values[.depth]?.first ?? 1).multipliedReportingOverflow(by: isPlanar ? 1 : samples)
        let rowBits = bits.partialValue.multipliedReportingOverflow(by: width)
        let total = ((rowBits.partialValue &+ 7) / 8).multipliedReportingOverflow(by: rows)
        guard !bits.overflow, !rowBits.overflow, !total.overflow, total.partialValue > 0 else { return listed }
        return listed == 0 ? total.partialValue : min(listed, total.partialValue)
    }
}
