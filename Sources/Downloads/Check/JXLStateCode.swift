/// Symbols by the states of an asymmetric numeral system, whose frequencies are parts of 4,096.
struct JXLStateCode {
    private var frequencies: [Int] = []
    private var cutoffs: [Int] = []
    private var offsets: [Int] = []
    private var others: [Int] = []
    private let entryWidth: Int

    init?(_ bits: inout JXLBits<some FileContent>, alphabet: Int) throws(DownloadError) {
        entryWidth = 12 - alphabet
        guard let read = try Self.frequencies(&bits), read.count <= 1 << alphabet, read.allSatisfy({ $0 >= 0 }) else {
            return nil
        }
        frequencies = read + [Int](repeating: 0, count: 1 << alphabet - read.count)
        makeAliases()
    }

    func symbol(_ bits: inout JXLBits<some FileContent>, _ state: inout Int) throws(DownloadError) -> Int {
        let place = state & 0xfff
        let (entry, rest) = (place >> entryWidth, place & (1 << entryWidth - 1))
        let isOther = rest >= cutoffs[entry]
        let symbol = isOther ? others[entry] : entry
        let offset = isOther ? offsets[entry] + rest : rest
        state = frequencies[symbol] * (state >> 12) + offset
        if state < 1 << 16 { state = try state << 16 | bits.number(16) }
        return symbol
    }

    private mutating func makeAliases() {
        let (size, full) = (frequencies.count, 1 << entryWidth)
        others = Array(0..<size)
        offsets = [Int](repeating: 0, count: size)
        cutoffs = frequencies
        if let only = frequencies.firstIndex(of: 4_096) {
            others = [Int](repeating: only, count: size)
            offsets = (0..<size).map { $0 * full }
            cutoffs = [Int](repeating: 0, count: size)
            return
        }
        var over = frequencies.indices.filter { frequencies[$0] > full }
        var under = frequencies.indices.filter { frequencies[$0] < full }
        while let large = over.popLast(), let small = under.popLast() {
            cutoffs[large] -= full - cutoffs[small]
            (others[small], offsets[small]) = (large, cutoffs[large])
            if cutoffs[large] < full { under.append(large) } else if cutoffs[large] > full { over.append(large) }
        }
        for entry in 0..<size {
            if cutoffs[entry] == full {
                (others[entry], offsets[entry], cutoffs[entry]) = (entry, 0, 0)
            } else {
                offsets[entry] -= cutoffs[entry]
            }
        }
    }

    private static func frequencies(_ bits: inout JXLBits<some FileContent>) throws(DownloadError) -> [Int]? {
        if try bits.flag() {
            let hasTwo = try bits.flag()
            let first = try JXLEntropy.variable(&bits, width: 3)
            let second = try hasTwo ? JXLEntropy.variable(&bits, width: 3) : first
            var frequencies = [Int](repeating: 0, count: max(first, second) + 1)
            guard hasTwo else {
                frequencies[first] = 4_096
                return frequencies
            }
            guard first != second else { return nil }
            frequencies[first] = try bits.number(12)
            frequencies[second] = 4_096 - frequencies[first]
            return frequencies
        }
        if try bits.flag() {
            let count = try JXLEntropy.variable(&bits, width: 3) + 1
            return (0..<count).map { 4_096 / count + ($0 < 4_096 % count ? 1 : 0) }
        }
        return try codedFrequencies(&bits)
    }

    private static func codedFrequencies(_ bits: inout JXLBits<some FileContent>) throws(DownloadError) -> [Int]? {
        var width = 0
        while width < 3, try bits.flag() { width += 1 }
        let shift = try 1 << width + bits.number(width) - 1
        guard shift <= 13 else { return nil }
        let count = try JXLEntropy.variable(&bits, width: 3) + 3
        var logarithms = [Int](repeating: 0, count: count)
        var repeats = [Int](repeating: 0, count: count)
        var place = 0
        while place < count {
            logarithms[place] = try logarithm(&bits)
            if logarithms[place] == 13 {
                repeats[place] = try JXLEntropy.variable(&bits, width: 3) + 5
                place += repeats[place] - 1
            } else {
                place += 1
            }
            if bits.isExhausted { return nil }
        }
        var largest = -1
        for place in 0..<count where logarithms[place] < 13 {
            if largest < 0 || logarithms[place] > logarithms[largest] { largest = place }
        }
        guard largest >= 0 else { return nil }
        var frequencies = [Int](repeating: 0, count: count)
        var (previous, repeated) = (0, 0)
        for place in 0..<count {
            if repeats[place] > 0 {
                (repeated, previous) = (repeats[place] - 1, place > 0 ? frequencies[place - 1] : 0)
            }
            if repeated > 0 {
                frequencies[place] = previous
                repeated -= 1
            } else if place != largest, logarithms[place] > 0 {
                let bitsBelow = logarithms[place] - 1
                let read = max(min(bitsBelow, shift - (12 - bitsBelow) >> 1), 0)
                frequencies[place] = try 1 << bitsBelow + bits.number(read) << (bitsBelow - read)
            }
        }
        let rest = 4_096 - frequencies.reduce(0, +)
        guard rest > 0 else { return nil }
        frequencies[largest] = rest
        return frequencies
    }

    /// A frequency's count of bits, by a prefix code of its own.
    private static func logarithm(_ bits: inout JXLBits<some FileContent>) throws(DownloadError) -> Int {
        switch try bits.number(3) {
        case 0: 10
        case 2: 7
        case 3: try bits.flag() ? 1 : 3
        case 4: 6
        case 5: 8
        case 6: 9
        case 7: try bits.flag() ? 2 : 5
        default: try rareLogarithm(&bits)
        }
    }

    private static func rareLogarithm(_ bits: inout JXLBits<some FileContent>) throws(DownloadError) -> Int {
        if try bits.flag() { return 4 }
        if try bits.flag() { return 0 }
        if try bits.flag() { return 11 }
        return try bits.flag() ? 13 : 12
    }
}
