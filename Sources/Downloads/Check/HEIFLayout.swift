import ProviderModel

/// The items of an AVIF or HEIC file (ISO/IEC 23008-12): where their bytes are, and what is said of the picture.
struct HEIFLayout {
    private let bytes: [UInt8]
    private var primary: Int?
    /// The parts of the file, or of the box `idat`, that items have; to the end where there is no length.
    private var parts: [Part] = []
    private var dataLength = 0
    private var properties: [MediaBox] = []
    /// The numbers of the primary item's properties, in the order in which they count.
    private var associated: [Int] = []

    private struct Part {
        let item: Int
        let isInBox: Bool
        let offset: Int
        let length: Int
    }

    private static let lengthLimit = 16 << 20

    static func read(_ content: some FileContent) throws(DownloadError) -> ImageLayout {
        let chain = try BoxChain(content)
        guard let kind = chain.boxes.first, kind.has("ftyp"), kind.content.upperBound < content.count else {
            return ImageLayout(end: chain.boxes.first?.has("ftyp") == true ? .cut : .invalid("it has no type"))
        }
        guard let meta = chain.first("meta"), meta.content.count > 4 else {
            return try sequence(chain, content)
        }
        guard meta.content.upperBound <= content.count, meta.content.count <= lengthLimit else {
            return ImageLayout(end: .cut)
        }
        let bytes = try content.bytes(at: meta.content.lowerBound, count: meta.content.count)
        let layout = HEIFLayout(bytes)
        guard !layout.parts.isEmpty else { return ImageLayout(size: layout.size, end: .invalid("it has no picture")) }
        return ImageLayout(size: layout.size, end: layout.end(chain, count: content.count))
    }

    /// A sequence of pictures only, which is built as a film.
    private static func sequence(_ chain: BoxChain, _ content: some FileContent) throws(DownloadError) -> ImageLayout {
        guard let film = chain.first("moov"), film.content.upperBound <= content.count,
            film.content.count <= lengthLimit
        else { return ImageLayout(end: chain.end(has: false)) }
        let bytes = try content.bytes(at: film.content.lowerBound, count: film.content.count)
        for track in MediaBox.all(in: bytes, 0..<bytes.count) where track.has("trak") {
            for head in MediaBox.all(in: bytes, track.content) where head.has("tkhd") && head.content.count >= 84 {
                let end = head.content.upperBound
                // Fixed-point numbers with sixteen bits behind the point.
                let size = ImageSize(bytes.big(end - 8, 2), bytes.big(end - 4, 2))
                return ImageLayout(size: size, end: chain.filmEnd)
            }
        }
        return ImageLayout(end: chain.filmEnd)
    }

    /// Whether all parts that items have are there; a film beside them has its parts elsewhere.
    private func end(_ chain: BoxChain, count: Int) -> ImageEnd {
        for part in parts {
            let isThere = part.isInBox ? part.offset + part.length <= dataLength : part.offset + part.length <= count
            guard isThere, part.offset < (part.isInBox ? dataLength : count) else { return .cut }
        }
        if chain.first("moov") != nil { return chain.filmEnd }
        return chain.rest == .nothing ? .whole() : .whole(note: "has bytes behind its end")
    }

    // MARK: Size

    /// The primary item's size as it is shown: cropped and turned.
    private var size: ImageSize? {
        var size: ImageSize?
        for number in associated where properties.indices.contains(number - 1) {
            let property = properties[number - 1]
            let start = property.content.lowerBound
            if property.has("ispe") {
                size = ImageSize(bytes.big(start + 4, 4), bytes.big(start + 8, 4))
            } else if property.has("clap"), let crop = crop(at: start) {
                size = crop
            } else if property.has("irot"), bytes[start..<property.content.upperBound].first.map({ $0 & 1 }) == 1 {
                size = size?.turned
            }
        }
        return size ?? largestSize
    }

    private func crop(at start: Int) -> ImageSize? {
        let numbers = (0..<4).map { bytes.big(start + $0 * 4, 4) ?? 0 }
        guard numbers[1] > 0, numbers[3] > 0, numbers[0] > 0, numbers[2] > 0 else { return nil }
        return ImageSize(
            width: (numbers[0] + numbers[1] / 2) / numbers[1], height: (numbers[2] + numbers[3] / 2) / numbers[3])
    }

    /// Where nothing is said of the primary item: thumbnails and tiles are smaller.
    private var largestSize: ImageSize? {
        properties.filter { $0.has("ispe") }.compactMap {
            ImageSize(bytes.big($0.content.lowerBound + 4, 4), bytes.big($0.content.lowerBound + 8, 4))
        }.max { $0.width < $1.width }
    }

    // MARK: Reading

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let boxes = MediaBox.all(in: bytes, 4..<bytes.count)
        for box in boxes {
            let start = box.content.lowerBound
            if box.has("pitm") { primary = bytes.big(start + 4, bytes[start...].first == 0 ? 2 : 4) }
            if box.has("idat") { dataLength = box.content.count }
        }
        for box in boxes {
            if box.has("iloc") { readLocations(box.content) }
            if box.has("iprp") { readProperties(box.content) }
        }
    }

    private mutating func readProperties(_ range: Range<Int>) {
        for box in MediaBox.all(in: bytes, range) {
            if box.has("ipco") { properties = MediaBox.all(in: bytes, box.content) }
            if box.has("ipma") { readAssociations(box.content) }
        }
    }

    /// ISO/IEC 23008-12 §9.3.2: for each item the numbers of its properties, which begin with one.
    private mutating func readAssociations(_ range: Range<Int>) {
        var reader = BoxReader(bytes, range)
        guard let version = reader.number(1), let flags = reader.number(3), let count = reader.number(4) else { return }
        let width = flags & 1 == 1 ? 2 : 1
        for _ in 0..<count {
            guard let item = reader.number(version == 0 ? 2 : 4), let length = reader.number(1) else { return }
            for _ in 0..<length {
                guard let number = reader.number(width) else { return }
                if item == primary { associated.append(number & (width == 2 ? 0x7fff : 0x7f)) }
            }
        }
    }

    /// ISO/IEC 14496-12 §8.11.3.
    private mutating func readLocations(_ range: Range<Int>) {
        var reader = BoxReader(bytes, range)
        guard let version = reader.number(1), reader.number(3) != nil, let sizes = reader.number(2),
            let count = reader.number(version < 2 ? 2 : 4)
        else { return }
        for _ in 0..<count {
            guard let item = reader.number(version < 2 ? 2 : 4) else { return }
            let method = version == 0 ? 0 : reader.number(2).map { $0 & 15 }
            guard let method, let reference = reader.number(2), let base = reader.number(sizes >> 4 & 15),
                let extents = reader.number(2)
            else { return }
            // Extents without numbers are the whole of the file, each of them.
            for _ in 0..<(sizes >> 8 == 0 ? min(extents, 1) : extents) {
                if version > 0, reader.number(sizes & 15) == nil { return }
                guard let offset = reader.number(sizes >> 12 & 15), let length = reader.number(sizes >> 8 & 15) else {
                    return
                }
                // Parts of another item, or of another file, are not here.
                guard method < 2, reference == 0, base < 1 << 48, offset < 1 << 48, length < 1 << 48 else { continue }
                parts.append(Part(item: item, isInBox: method == 1, offset: base + offset, length: length))
            }
        }
    }
}

/// Reads numbers one after another.
private struct BoxReader {
    private let bytes: [UInt8]
    private var range: Range<Int>

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        self.range = range
    }

    /// A number of so many bytes, 0 for none; nil at the end.
    mutating func number(_ width: Int) -> Int? {
        guard width <= range.count, width <= 8, let number = bytes.big(range.lowerBound, width), number >= 0 else {
            return nil
        }
        range = range.lowerBound + width..<range.upperBound
        return number
    }
}
