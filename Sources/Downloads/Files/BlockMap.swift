/// Which blocks of a file are there.
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

    /// Notes that bytes are there; only whole blocks count.
    mutating func insert(bytes: Range<Int>) {
        var block = (bytes.lowerBound + blockLength - 1) / blockLength
        while block < blockCount, range(of: block).upperBound <= bytes.upperBound {
            insert(block)
            block += 1
        }
    }

    /// The same, where all but the last `count` bytes are noted already.
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

    /// How many bytes are there.
    var presentBytes: Int { (0..<blockCount).lazy.filter(contains).reduce(0) { $0 + range(of: $1).count } }
}
