/// A block with codes made for it (RFC 1951 §3.2.7).
struct DeflateBlock {
    private let symbols: HuffmanCode
    private let distances: HuffmanCode
    private let header: CodeLengths
    /// How many bits the block takes, but for its three first.
    let bitCount: Int

    private static let endOfBlock = 256

    init(_ tokens: [DeflateToken]) {
        var symbolCounts = [Int](repeating: 0, count: 286)
        var distanceCounts = [Int](repeating: 0, count: 30)
        var extraBits = 0
        for token in tokens {
            if let literal = token.literal {
                symbolCounts[literal] += 1
            } else {
                let length = DeflateStep.lengths.step(of: token.length)
                let distance = DeflateStep.distances.step(of: token.distance)
                symbolCounts[257 + length.index] += 1
                distanceCounts[distance.index] += 1
                extraBits += length.extraBits + distance.extraBits
            }
        }
        symbolCounts[Self.endOfBlock] = 1
        symbols = HuffmanCode(frequencies: symbolCounts, limit: 15)
        distances = HuffmanCode(frequencies: distanceCounts, limit: 15)
        header = CodeLengths(symbols.lengths, distances.lengths)
        bitCount =
            header.bitCount + extraBits + zip(symbolCounts, symbols.lengths).reduce(0) { $0 + $1.0 * Int($1.1) }
            + zip(distanceCounts, distances.lengths).reduce(0) { $0 + $1.0 * Int($1.1) }
    }

    func write(_ tokens: [DeflateToken], to output: inout BitOutput) {
        header.write(to: &output)
        for token in tokens {
            if let literal = token.literal {
                symbols.write(literal, to: &output)
                continue
            }
            let length = DeflateStep.lengths.step(of: token.length)
            symbols.write(257 + length.index, to: &output)
            output.add(UInt32(token.length - length.base), bits: length.extraBits)
            let distance = DeflateStep.distances.step(of: token.distance)
            distances.write(distance.index, to: &output)
            output.add(UInt32(token.distance - distance.base), bits: distance.extraBits)
        }
        symbols.write(Self.endOfBlock, to: &output)
    }
}

extension HuffmanCode {
    fileprivate func write(_ symbol: Int, to output: inout BitOutput) {
        output.add(UInt32(bits[symbol]), bits: Int(lengths[symbol]))
    }
}

/// A range of lengths or distances that share a symbol and are told apart by extra bits (RFC 1951 §3.2.5).
struct DeflateStep {
    let index: Int
    let base: Int
    let extraBits: Int

    /// Those of lengths and of distances, found by their value.
    struct Table: Sendable {
        private let steps: [DeflateStep]
        private let indices: [UInt8]

        init(_ steps: [DeflateStep], through last: Int) {
            self.steps = steps
            var indices = [UInt8](repeating: 0, count: last + 1)
            for step in steps {
                for value in step.base...max(step.base, last) { indices[value] = UInt8(step.index) }
            }
            self.indices = indices
        }

        func step(of value: Int) -> DeflateStep { steps[Int(indices[value])] }
    }

    static let lengths = Table(
        steps(extraBits: [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5], from: 3)
            // The longest has a symbol of its own.
            + [DeflateStep(index: 28, base: 258, extraBits: 0)], through: 258)
    static let distances = Table(
        steps(extraBits: [0, 0, 0, 0] + (1...13).flatMap { [$0, $0] }, from: 1), through: 32_768)

    private static func steps(extraBits: [Int], from first: Int) -> [DeflateStep] {
        var base = first
        return extraBits.enumerated().map { index, extra in
            defer { base += 1 << extra }
            return DeflateStep(index: index, base: base, extraBits: extra)
        }
    }
}

/// The lengths of both codes as they stand before a block: runs in a third code.
struct CodeLengths {
    private struct Run {
        let symbol: Int
        let extra: UInt32
        let extraBits: Int
    }

    private let runs: [Run]
    private let code: HuffmanCode
    private let symbolCount: Int
    private let distanceCount: Int
    private let orderCount: Int

    /// The order that puts the rare lengths last (RFC 1951 §3.2.7).
    private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    init(_ symbols: [UInt8], _ distances: [UInt8]) {
        symbolCount = max(257, (symbols.lastIndex { $0 > 0 } ?? 0) + 1)
        distanceCount = max(1, (distances.lastIndex { $0 > 0 } ?? 0) + 1)
        runs = Self.runs(of: Array(symbols[..<symbolCount] + distances[..<distanceCount]))
        var counts = [Int](repeating: 0, count: 19)
        for run in runs { counts[run.symbol] += 1 }
        code = HuffmanCode(frequencies: counts, limit: 7)
        let lengths = code.lengths
        orderCount = max(4, (Self.order.lastIndex { lengths[$0] > 0 } ?? 0) + 1)
    }

    var bitCount: Int {
        14 + 3 * orderCount + runs.reduce(0) { $0 + Int(code.lengths[$1.symbol]) + $1.extraBits }
    }

    func write(to output: inout BitOutput) {
        output.add(UInt32(symbolCount - 257), bits: 5)
        output.add(UInt32(distanceCount - 1), bits: 5)
        output.add(UInt32(orderCount - 4), bits: 4)
        for symbol in Self.order[..<orderCount] { output.add(UInt32(code.lengths[symbol]), bits: 3) }
        for run in runs {
            code.write(run.symbol, to: &output)
            output.add(run.extra, bits: run.extraBits)
        }
    }

    private static func runs(of lengths: [UInt8]) -> [Run] {
        var runs: [Run] = []
        var index = 0
        while index < lengths.count {
            let length = lengths[index]
            var count = lengths[index...].prefix { $0 == length }.count
            index += count
            if length > 0 {
                runs.append(Run(symbol: Int(length), extra: 0, extraBits: 0))
                count -= 1
            }
            while count >= 3 {
                let (symbol, extraBits, most) = length > 0 ? (16, 2, 6) : count > 10 ? (18, 7, 138) : (17, 3, 10)
                let taken = min(count, most)
                runs.append(Run(symbol: symbol, extra: UInt32(taken - (symbol == 18 ? 11 : 3)), extraBits: extraBits))
                count -= taken
            }
            runs += Array(repeating: Run(symbol: Int(length), extra: 0, extraBits: 0), count: count)
        }
        return runs
    }
}
