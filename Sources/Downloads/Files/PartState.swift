import Crypto
import LocalDatabase

/// What has to be known of an unfinished file to resume it: written behind its last byte, cut off when it is finished.
struct PartState: Hashable, Sendable {
    /// The URL without its query: signatures there change, the file does not.
    var url: String
    /// What shows that the file on the server is still the same.
    var validator: RangeValidator
    /// Which blocks have come and were read back.
    private(set) var blocks: BlockMap
    /// The checksum of each of these blocks.
    private var checksums: [UInt32]

    private static let magic = Array("imgscript part 2".utf8)

    /// The bytes that follow the file's content; always as many for the same file.
    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        for text in [url, validator.text] { bytes += Self.number(text.utf8.count) + Array(text.utf8) }
        bytes += Self.number(validator.isTag ? 1 : 0) + Self.number(blocks.total) + Self.number(blocks.blockLength)
        bytes += blocks.bits
        for checksum in checksums { withUnsafeBytes(of: checksum.littleEndian) { bytes += $0 } }
        bytes += Crypto.SHA256.hash(data: bytes).prefix(8)
        return bytes + Self.number(bytes.count) + Self.magic
    }

    /// Reads the state at the end of a file; nil when there is none, or not a whole one.
    init?(atEndOf content: some FileContent, length: Int) throws(DownloadError) {
        let footerLength = 8 + Self.magic.count
        guard length > footerLength else { return nil }
        let footer = try content.bytes(at: length - footerLength, count: footerLength)
        guard footer.count == footerLength, Array(footer[8...]) == Self.magic, let count = footer.little(0, 8),
            (8...1 << 20).contains(count), count + footerLength <= length
        else { return nil }
        let bytes = try content.bytes(at: length - footerLength - count, count: count)
        guard let state = PartState(decoding: bytes), state.blocks.total == length - footerLength - count else {
            return nil
        }
        self = state
    }

    /// The state of a file with such blocks, none of which has come.
    init(url: String, validator: RangeValidator, blocks: BlockMap) {
        self.url = url
        self.validator = validator
        self.blocks = BlockMap(total: blocks.total, blockLength: blocks.blockLength)
        checksums = [UInt32](repeating: 0, count: blocks.blockCount)
    }

    private init?(decoding bytes: [UInt8]) {
        guard bytes.count > 8 else { return nil }
        let body = Array(bytes.dropLast(8))
        guard Array(Crypto.SHA256.hash(data: body).prefix(8)) == Array(bytes.suffix(8)) else { return nil }
        var offset = 0
        func number() -> Int? {
            defer { offset += 8 }
            return body.little(offset, 8).flatMap { $0 >= 0 ? $0 : nil }
        }
        func text() -> String? {
            guard let count = number(), count <= body.count - offset else { return nil }
            defer { offset += count }
            return String(decoding: body[offset..<offset + count], as: UTF8.self)
        }
        guard let url = text(), let validator = text(), let isTag = number(), let total = number(),
            let blockLength = number(), blockLength > 0, total > 0, total / blockLength < body.count
        else { return nil }
        let blank = BlockMap(total: total, blockLength: blockLength)
        let end = offset + blank.bits.count
        guard body.count == end + 4 * blank.blockCount else { return nil }
        self.url = url
        self.validator = RangeValidator(text: validator, isTag: isTag == 1)
        blocks = BlockMap(total: total, blockLength: blockLength, bits: Array(body[offset..<end]))
        checksums = (0..<blank.blockCount).map { UInt32(body.little(end + 4 * $0, 4) ?? 0) }
    }

    /// Adds blocks that have come, with the checksums of what the file holds of them; stops early where that is not wanted
    /// any more.
    mutating func add(
        _ present: BlockMap, of content: some FileContent, isWanted: () -> Bool = { true }
    ) throws(DownloadError) {
        for block in 0..<blocks.blockCount where present.contains(block) && !blocks.contains(block) {
            guard isWanted() else { return }
            checksums[block] = try Self.checksum(of: content, in: blocks.range(of: block))
            blocks.insert(block)
        }
    }

    /// Drops blocks that hold something else than when they came: a disk, a power cut or another program changed them.
    mutating func dropDamagedBlocks(of content: some FileContent) async throws {
        for block in 0..<blocks.blockCount where blocks.contains(block) {
            if try Self.checksum(of: content, in: blocks.range(of: block)) != checksums[block] { blocks.remove(block) }
            // Gigabytes take seconds, which other tasks need not wait for.
            await Task.yield()
            try Task.checkCancellation()
        }
    }

    private static func checksum(of content: some FileContent, in range: Range<Int>) throws(DownloadError) -> UInt32 {
        let pieceLength = 64 << 10
        var checksum = Checksum()
        for start in stride(from: range.lowerBound, to: range.upperBound, by: pieceLength) {
            let bytes = try content.bytes(at: start, count: min(pieceLength, range.upperBound - start))
            bytes.withUnsafeBytes { checksum.update($0) }
        }
        return UInt32(truncatingIfNeeded: checksum.value)
    }

    private static func number(_ value: Int) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}

/// Which blocks of a file have come.
struct BlockMap: Hashable, Sendable {
    /// The file's length.
    let total: Int
    /// The length of each block but perhaps the last.
    let blockLength: Int
    private(set) var bits: [UInt8]

    /// Blocks are small enough that little is lost, and few enough that the map stays small.
    init(total: Int) {
        let unit = 64 << 10
        self.init(total: total, blockLength: max(unit, (total / 8_192 + unit - 1) / unit * unit))
    }

    init(total: Int, blockLength: Int, bits: [UInt8]? = nil) {
        self.total = total
        self.blockLength = blockLength
        let length = ((total + blockLength - 1) / blockLength + 7) / 8
        self.bits = bits ?? [UInt8](repeating: 0, count: length)
    }

    var blockCount: Int { (total + blockLength - 1) / blockLength }

    var isComplete: Bool { firstMissing == nil }

    func contains(_ block: Int) -> Bool { bits[block / 8] & (1 << (block % 8)) != 0 }

    func range(of block: Int) -> Range<Int> { block * blockLength..<min((block + 1) * blockLength, total) }

    mutating func insert(_ block: Int) { bits[block / 8] |= 1 << (block % 8) }

    mutating func remove(_ block: Int) { bits[block / 8] &= ~(1 << (block % 8)) }

    /// Adds bytes; only whole blocks count.
    mutating func insert(bytes: Range<Int>) {
        var block = (bytes.lowerBound + blockLength - 1) / blockLength
        while block < blockCount, range(of: block).upperBound <= bytes.upperBound {
            insert(block)
            block += 1
        }
    }

    /// Adds bytes, all but the last `count` of which are known already.
    mutating func insert(bytes: Range<Int>, adding count: Int) {
        insert(bytes: max(bytes.lowerBound, bytes.upperBound - count - blockLength)..<bytes.upperBound)
    }

    /// The first block that is missing.
    private var firstMissing: Int? {
        guard let place = bits.firstIndex(where: { $0 != .max }) else { return nil }
        let block = place * 8 + (~bits[place]).trailingZeroBitCount
        return block < blockCount ? block : nil
    }

    /// How far the file goes from its beginning without a gap.
    var prefix: Int { firstMissing.map { $0 * blockLength } ?? total }

    /// The first bytes that are missing, as far as they go in one piece.
    var firstGap: Range<Int>? {
        guard let first = firstMissing else { return nil }
        let end = (first..<blockCount).first { contains($0) } ?? blockCount
        return first * blockLength..<min(end * blockLength, total)
    }

    /// How many bytes have come.
    var presentBytes: Int { (0..<blockCount).lazy.filter(contains).reduce(0) { $0 + range(of: $1).count } }
}
