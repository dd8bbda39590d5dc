/// The entropy coding of JPEG XL's numbers outside of pictures (ISO/IEC 18181-1 annex C): of profiles and of orders.
struct JXLEntropy {
    /// How a number's bits follow its token.
    private struct Hybrid {
        var split = 0
        var high = 0
        var low = 0
    }

    private enum Code {
        case prefix(JXLPrefixCode)
        case states(JXLStateCode)
    }

    private var clusters: [Int] = []
    private var hybrids: [Hybrid] = []
    private var codes: [Code] = []
    private var state = 0
    private var usesStates = false
    /// Repetitions of what was read before; nil where there are none.
    private var repetition: (firstToken: Int, shortest: Int, length: Hybrid)?
    private var window: [Int] = []
    private var (copied, copiesLeft) = (0, 0)

    /// Reads the tables of so many contexts; nil where they are not valid.
    init?(
        _ bits: inout JXLBits<some FileContent>, contexts: Int, allowsRepetition: Bool = true, depth: Int = 0
    ) throws(DownloadError) {
        var contexts = contexts
        if try bits.flag() {
            guard allowsRepetition else { return nil }
            let first = try bits.choice((0, 224), (0, 512), (0, 4_096), (15, 8))
            let shortest = try bits.choice((0, 3), (0, 4), (2, 5), (8, 9))
            contexts += 1
            guard let length = try Self.hybrid(&bits, alphabet: 8) else { return nil }
            repetition = (first, shortest, length)
        }
        clusters = [0]
        if contexts > 1 {
            guard depth < 2, let read = try Self.clusters(&bits, contexts, depth) else { return nil }
            clusters = read
        }
        let count = (clusters.max() ?? 0) + 1
        let isPrefix = try bits.flag()
        usesStates = !isPrefix
        let alphabet = try isPrefix ? 15 : bits.number(2) + 5
        for _ in 0..<count {
            guard let hybrid = try Self.hybrid(&bits, alphabet: alphabet) else { return nil }
            hybrids.append(hybrid)
        }
        if isPrefix {
            var sizes: [Int] = []
            for _ in 0..<count { sizes.append(try Self.variable(&bits, width: 4) + 1) }
            for size in sizes {
                guard let code = try JXLPrefixCode(&bits, symbols: size) else { return nil }
                codes.append(.prefix(code))
            }
        } else {
            for _ in 0..<count {
                guard let code = try JXLStateCode(&bits, alphabet: alphabet) else { return nil }
                codes.append(.states(code))
            }
            state = try bits.number(32)
        }
        if bits.isExhausted { return nil }
    }

    /// Whether the state is the one that the encoder began with.
    var isFinished: Bool { !usesStates || state == 0x130000 }

    /// The next number of a context.
    mutating func number(_ bits: inout JXLBits<some FileContent>, context: Int) throws(DownloadError) -> Int {
        guard let repetition else { return try plainNumber(&bits, cluster: clusters[context]) }
        if copiesLeft == 0 {
            let cluster = clusters[context]
            let token = try self.token(&bits, cluster: cluster)
            guard token >= repetition.firstToken else {
                let number = try Self.number(&bits, token, hybrids[cluster])
                window.append(number)
                return number
            }
            copiesLeft =
                try Self.number(&bits, token - repetition.firstToken, repetition.length) + repetition.shortest
            let distance = try plainNumber(&bits, cluster: clusters[clusters.count - 1]) + 1
            copied = max(window.count - min(distance, window.count), 0)
        }
        copiesLeft -= 1
        let number = copied < window.count ? window[copied] : 0
        copied += 1
        window.append(number)
        return number
    }

    private mutating func plainNumber(
        _ bits: inout JXLBits<some FileContent>, cluster: Int
    ) throws(DownloadError) -> Int {
        try Self.number(&bits, token(&bits, cluster: cluster), hybrids[cluster])
    }

    private mutating func token(_ bits: inout JXLBits<some FileContent>, cluster: Int) throws(DownloadError) -> Int {
        switch codes[cluster] {
        case .prefix(let code): try code.symbol(&bits)
        case .states(let code): try code.symbol(&bits, &state)
        }
    }

    private static func number(
        _ bits: inout JXLBits<some FileContent>, _ token: Int, _ hybrid: Hybrid
    ) throws(DownloadError) -> Int {
        let first = 1 << hybrid.split
        guard token >= first else { return token }
        let inToken = hybrid.high + hybrid.low
        let count = hybrid.split - inToken + (token - first) >> inToken
        guard count < 32 else { return 0 }
        let low = token & (1 << hybrid.low - 1)
        let high = token >> hybrid.low & (1 << hybrid.high - 1) | 1 << hybrid.high
        return (try bits.number(count) | high << count) << hybrid.low | low
    }

    // MARK: Tables

    private static func hybrid(
        _ bits: inout JXLBits<some FileContent>, alphabet: Int
    ) throws(DownloadError) -> Hybrid? {
        var hybrid = Hybrid(split: try bits.number(width(of: alphabet)))
        guard hybrid.split <= alphabet else { return nil }
        guard hybrid.split != alphabet else { return hybrid }
        hybrid.high = try bits.number(width(of: hybrid.split))
        guard hybrid.high <= hybrid.split else { return nil }
        hybrid.low = try bits.number(width(of: hybrid.split - hybrid.high))
        return hybrid.high + hybrid.low <= hybrid.split ? hybrid : nil
    }

    /// The bits of a number up to a limit.
    private static func width(of limit: Int) -> Int { Int.bitWidth - limit.leadingZeroBitCount }

    private static func clusters(
        _ bits: inout JXLBits<some FileContent>, _ contexts: Int, _ depth: Int
    ) throws(DownloadError) -> [Int]? {
        var clusters: [Int] = []
        if try bits.flag() {
            let width = try bits.number(2)
            for _ in 0..<contexts { clusters.append(try bits.number(width)) }
        } else {
            let movesToFront = try bits.flag()
            guard
                var entropy = try JXLEntropy(
                    &bits, contexts: 1, allowsRepetition: contexts > 2, depth: depth + 1)
            else { return nil }
            for _ in 0..<contexts { clusters.append(try entropy.number(&bits, context: 0)) }
            if movesToFront { moveToFront(&clusters) }
        }
        return clusters.allSatisfy({ $0 < 256 }) ? clusters : nil
    }

    private static func moveToFront(_ numbers: inout [Int]) {
        var order = Array(0..<256)
        for place in numbers.indices where numbers[place] < 256 {
            let value = order.remove(at: numbers[place])
            order.insert(value, at: 0)
            numbers[place] = value
        }
    }

    /// A number by the count of its bits, which has so many bits itself.
    static func variable(_ bits: inout JXLBits<some FileContent>, width: Int) throws(DownloadError) -> Int {
        guard try bits.flag() else { return 0 }
        let count = try bits.number(width)
        return try 1 << count + bits.number(count)
    }
}

/// The numbers that stand between a codestream's head and its pictures.
enum JXLNumbers {
    /// Skips an embedded colour profile (annex E.4); false where it cannot be read.
    static func skipProfile(_ bits: inout JXLBits<some FileContent>) throws(DownloadError) -> Bool {
        let length = try bits.longNumber()
        guard length <= 1 << 24, var entropy = try JXLEntropy(&bits, contexts: 41) else { return false }
        var (last, before) = (0, 0)
        for place in 0..<length {
            let context = place <= 128 ? 0 : 1 + kind(last) + 8 * otherKind(before)
            (last, before) = (try entropy.number(&bits, context: context) & 0xff, last)
            if bits.isExhausted { return false }
        }
        return entropy.isFinished
    }

    /// Skips an order of sections (annex F.3.2).
    static func skipOrder(_ bits: inout JXLBits<some FileContent>, sections: Int) throws(DownloadError) -> Bool {
        guard var entropy = try JXLEntropy(&bits, contexts: 8) else { return false }
        func context(_ number: Int) -> Int { min(Int.bitWidth - number.leadingZeroBitCount, 7) }
        let count = try entropy.number(&bits, context: context(sections))
        guard count <= sections else { return false }
        var last = 0
        for _ in 0..<count where !bits.isExhausted { last = try entropy.number(&bits, context: context(last)) }
        return entropy.isFinished
    }

    private static func isLetter(_ byte: Int) -> Bool { (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) }

    private static func isDigit(_ byte: Int) -> Bool { (0x30...0x39).contains(byte) || byte == 0x2e || byte == 0x2c }

    private static func kind(_ byte: Int) -> Int {
        if isLetter(byte) { return 0 }
        if isDigit(byte) { return 1 }
        if byte < 2 { return 2 + byte }
        return byte < 16 ? 4 : byte == 255 ? 6 : byte > 240 ? 5 : 7
    }

    private static func otherKind(_ byte: Int) -> Int {
        isLetter(byte) ? 0 : isDigit(byte) ? 1 : byte < 16 ? 2 : byte > 240 ? 3 : 4
    }
}
