import Crypto
import Glibc

/// What has to be known of an unfinished file to resume it: written behind its last byte, cut off when it is finished.
struct PartState: Hashable, Sendable {
    /// The URL without its query: signatures there change, the file does not.
    var url: String
    /// What shows that the file on the server is still the same.
    var validator: RangeValidator
    /// Which blocks have come.
    var blocks: BlockMap
    /// Which boot of the system wrote this: what was written before a power cut may not have reached the disk.
    var bootID: String

    private static let magic = Array("imgscript part 1".utf8)

    /// The bytes that follow the file's content; always as many for the same file.
    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        for text in [url, validator.text, bootID] { bytes += Self.number(text.utf8.count) + Array(text.utf8) }
        bytes += Self.number(validator.isTag ? 1 : 0) + Self.number(blocks.total) + Self.number(blocks.blockLength)
        bytes += Self.number(blocks.bits.count) + blocks.bits
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

    init(url: String, validator: RangeValidator, blocks: BlockMap, bootID: String = PartState.currentBootID) {
        self.url = url
        self.validator = validator
        self.blocks = blocks
        self.bootID = bootID
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
        guard let url = text(), let validator = text(), let bootID = text(), let isTag = number(),
            let total = number(),
            let blockLength = number(), let count = number(), blockLength > 0, total > 0, count == body.count - offset,
            count == BlockMap(total: total, blockLength: blockLength).bits.count
        else { return nil }
        self.init(
            url: url,
            validator: RangeValidator(text: validator, isTag: isTag == 1),
            blocks: BlockMap(total: total, blockLength: blockLength, bits: Array(body[offset...])),
            bootID: bootID
        )
    }

    /// The identifier of this boot of the system.
    static let currentBootID: String = {
        guard let file = fopen("/proc/sys/kernel/random/boot_id", "r") else { return "unknown" }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 64)
        guard fgets(&line, Int32(line.count), file) != nil else { return "unknown" }
        return String(decoding: line.prefix { $0 > 32 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()

    /// Drops blocks from before a reboot that hold a page of zeros, as pages do that never reached the disk.
    mutating func dropLostBlocks(of content: some FileContent) throws(DownloadError) {
        guard bootID != Self.currentBootID || bootID == "unknown" else { return }
        for block in 0..<blocks.blockCount where blocks.contains(block) {
            let range = blocks.range(of: block)
            let bytes = try content.bytes(at: range.lowerBound, count: range.count)
            let hasLostPage = stride(from: 0, to: bytes.count, by: 4_096).contains { start in
                bytes[start..<min(start + 4_096, bytes.count)].allSatisfy { $0 == 0 }
            }
            if hasLostPage || bytes.count < range.count { blocks.remove(block) }
        }
        bootID = Self.currentBootID
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
