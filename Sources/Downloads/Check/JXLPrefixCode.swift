/// Symbols by a prefix code (RFC 7932 §3.4 and §3.5).
struct JXLPrefixCode {
    private let codes: HuffmanCodes
    /// The only symbol, which has no bits.
    private var only: Int?

    private static let order = [1, 2, 3, 4, 0, 5, 17, 6, 16, 7, 8, 9, 10, 11, 12, 13, 14, 15]

    init?(_ bits: inout JXLBits<some FileContent>, symbols: Int) throws(DownloadError) {
        var lengths = [Int](repeating: 0, count: symbols)
        if symbols == 1 {
            only = 0
        } else {
            let skipped = try bits.number(2)
            guard let read = try skipped == 1 ? Self.simple(&bits, symbols) : Self.complex(&bits, symbols, skipped)
            else {
                return nil
            }
            lengths = read
            if lengths.filter({ $0 > 0 }).count == 1 { only = lengths.firstIndex { $0 > 0 } }
        }
        codes = Self.codes(lengths)
    }

    private init(_ lengths: [Int]) {
        codes = Self.codes(lengths)
        if lengths.filter({ $0 > 0 }).count == 1 { only = lengths.firstIndex { $0 > 0 } }
    }

    func symbol(_ bits: inout JXLBits<some FileContent>) throws(DownloadError) -> Int {
        if let only { return only }
        var code = 0
        for length in 1...16 {
            code = try code << 1 | bits.number(1)
            if let value = codes.value(of: code, length: length) { return value }
        }
        return 0
    }

    private static func codes(_ lengths: [Int]) -> HuffmanCodes {
        let ordered = lengths.indices.filter { lengths[$0] > 0 }.sorted { (lengths[$0], $0) < (lengths[$1], $1) }
        return HuffmanCodes((1...16).map { length in lengths.count { $0 == length } }, values: ordered)
    }

    private static func simple(
        _ bits: inout JXLBits<some FileContent>, _ symbols: Int
    ) throws(DownloadError) -> [Int]? {
        let width = Int.bitWidth - (symbols - 1).leadingZeroBitCount
        let count = try bits.number(2) + 1
        var found: [Int] = []
        for _ in 0..<count { found.append(try bits.number(width)) }
        guard found.allSatisfy({ $0 < symbols }), Set(found).count == count else { return nil }
        let isDeep = try count == 4 ? bits.flag() : false
        let widths = [1: [1], 2: [1, 1], 3: [1, 2, 2]][count] ?? (isDeep ? [1, 2, 3, 3] : [2, 2, 2, 2])
        var lengths = [Int](repeating: 0, count: symbols)
        for (symbol, width) in zip(found, widths) { lengths[symbol] = width }
        return lengths
    }

    private static func complex(
        _ bits: inout JXLBits<some FileContent>, _ symbols: Int, _ skipped: Int
    ) throws(DownloadError) -> [Int]? {
        var widths = [Int](repeating: 0, count: 18)
        var space = 32
        for place in order[skipped...] where space > 0 {
            let width = try self.width(&bits)
            widths[place] = width
            if width > 0 { space -= 32 >> width }
        }
        guard space == 0 || widths.filter({ $0 > 0 }).count == 1 else { return nil }
        let code = JXLPrefixCode(widths)
        var lengths: [Int] = []
        var (previous, repeated, repeatedLength) = (8, 0, 0)
        space = 1 << 15
        while lengths.count < symbols, space > 0, !bits.isExhausted {
            let length = try code.symbol(&bits)
            if length < 16 {
                repeated = 0
                lengths.append(length)
                if length > 0 { (previous, space) = (length, space - (1 << 15) >> length) }
                continue
            }
            let extra = length - 14
            let wanted = length == 16 ? previous : 0
            if wanted != repeatedLength { (repeated, repeatedLength) = (0, wanted) }
            let before = repeated
            if repeated > 0 { repeated = (repeated - 2) << extra }
            repeated += try bits.number(extra) + 3
            guard lengths.count + repeated - before <= symbols else { return nil }
            lengths += [Int](repeating: wanted, count: repeated - before)
            if wanted > 0 { space -= (repeated - before) << (15 - wanted) }
        }
        guard space == 0 else { return nil }
        return lengths + [Int](repeating: 0, count: symbols - lengths.count)
    }

    private static func width(_ bits: inout JXLBits<some FileContent>) throws(DownloadError) -> Int {
        switch try bits.number(2) {
        case 0: return 0
        case 1: return 4
        case 2: return 3
        default: break
        }
        guard try bits.flag() else { return 2 }
        return try bits.flag() ? 5 : 1
    }
}
