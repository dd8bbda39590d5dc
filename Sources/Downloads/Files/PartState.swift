import Crypto
import Glibc

/// What an unfinished file has to know to be gone on with: written behind its last byte, cut off when it is finished.
///
/// A file of its own beside it would cost a creation and a removal per download, which is what makes other clients slow.
struct PartState: Hashable, Sendable {
    /// Where it comes from, without the query: signatures there change, the file does not.
    var place: String
    /// What shows that the file on the server is still the same.
    var validator: RangeValidator
    /// Which blocks are there.
    var blocks: BlockMap
    /// Which start of the system wrote this: what was written before a power cut may not have reached the disk.
    var bootID: String

    private static let magic = Array("imgscript part 1".utf8)

    /// The bytes that follow the file's content; always as many for the same file.
    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        for text in [place, validator.text, bootID] { bytes += Self.number(text.utf8.count) + Array(text.utf8) }
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

    init(place: String, validator: RangeValidator, blocks: BlockMap, bootID: String = PartState.currentBootID) {
        self.place = place
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
        guard let place = text(), let validator = text(), let bootID = text(), let isTag = number(),
            let total = number(),
            let blockLength = number(), let count = number(), blockLength > 0, total > 0, count == body.count - offset,
            count == BlockMap(total: total, blockLength: blockLength).bits.count
        else { return nil }
        self.init(
            place: place,
            validator: RangeValidator(text: validator, isTag: isTag == 1),
            blocks: BlockMap(total: total, blockLength: blockLength, bits: Array(body[offset...])),
            bootID: bootID
        )
    }

    /// What this start of the system is called.
    static let currentBootID: String = {
        guard let file = fopen("/proc/sys/kernel/random/boot_id", "r") else { return "unknown" }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 64)
        guard fgets(&line, Int32(line.count), file) != nil else { return "unknown" }
        return String(decoding: line.prefix { $0 > 32 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()

    /// Blocks from before a restart of the system that hold a page of zeros, as pages do that never reached the disk.
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
