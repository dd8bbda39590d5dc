/// Bit strings for symbols, the shorter the more often a symbol occurs (RFC 1951 §3.2.2).
struct HuffmanCode {
    /// How many bits each symbol has; 0 for one that does not occur.
    let lengths: [UInt8]
    /// Each symbol's bits, the first of them lowest, as they are written.
    let bits: [UInt16]

    /// The code for symbols that occur so often, none of which gets more bits than the limit.
    init(frequencies: [Int], limit: Int) {
        var lengths = [UInt8](repeating: 0, count: frequencies.count)
        var used = frequencies.indices.filter { frequencies[$0] > 0 }
        // A code of one symbol would be incomplete, which not every reader takes.
        for symbol in frequencies.indices where used.count < 2 && frequencies[symbol] == 0 { used.append(symbol) }
        // Ties are broken by the symbol, so that the same bytes always give the same code.
        used.sort { (frequencies[$0], $0) < (frequencies[$1], $1) }
        let counts = Self.limited(Self.depths(of: used.map { max(1, frequencies[$0]) }), to: limit)
        var symbols = used[...]
        for length in stride(from: limit, to: 0, by: -1) {
            for symbol in symbols.prefix(counts[length]) { lengths[symbol] = UInt8(length) }
            symbols = symbols.dropFirst(counts[length])
        }
        self.lengths = lengths
        bits = Self.bits(for: lengths, limit: limit)
    }

    /// How many symbols lie at which depth of the Huffman tree of ascending weights.
    private static func depths(of weights: [Int]) -> [Int] {
        let count = weights.count
        var tree = weights
        var parents = [Int](repeating: 0, count: 2 * count - 1)
        var leaf = 0
        var inner = count
        // Two queues, both ascending: the leaves, and the inner nodes in the order they were made.
        for node in count..<(2 * count - 1) {
            var weight = 0
            for _ in 0..<2 {
                let takesLeaf = leaf < count && (inner >= node || tree[leaf] <= tree[inner])
                let child = takesLeaf ? leaf : inner
                if takesLeaf { leaf += 1 } else { inner += 1 }
                parents[child] = node
                weight += tree[child]
            }
            tree.append(weight)
        }
        var depths = [Int](repeating: 0, count: 2 * count - 1)
        var counts = [Int](repeating: 0, count: count + 1)
        for node in stride(from: 2 * count - 3, through: 0, by: -1) {
            depths[node] = depths[parents[node]] + 1
            if node < count { counts[depths[node]] += 1 }
        }
        return counts
    }

    /// The same with nothing below the limit: what is too deep is lifted, and others make room by going one down.
    private static func limited(_ counts: [Int], to limit: Int) -> [Int] {
        var limited = [Int](repeating: 0, count: limit + 1)
        for (length, count) in counts.enumerated() { limited[min(length, limit)] += count }
        var total = (1...limit).reduce(0) { $0 + limited[$1] << (limit - $1) }
        while total > 1 << limit {
            limited[limit] -= 1
            if let length = (1..<limit).last(where: { limited[$0] > 0 }) {
                limited[length] -= 1
                limited[length + 1] += 2
            }
            total -= 1
        }
        return limited
    }

    /// The canonical code of these lengths.
    private static func bits(for lengths: [UInt8], limit: Int) -> [UInt16] {
        var counts = [Int](repeating: 0, count: limit + 1)
        for length in lengths where length > 0 { counts[Int(length)] += 1 }
        var next = [Int](repeating: 0, count: limit + 2)
        for length in 1...limit { next[length + 1] = (next[length] + counts[length]) << 1 }
        return lengths.map { length in
            guard length > 0 else { return 0 }
            let code = next[Int(length)]
            next[Int(length)] += 1
            return UInt16(truncatingIfNeeded: code).reversed(length)
        }
    }
}

extension UInt16 {
    /// The lowest bits in the opposite order.
    fileprivate func reversed(_ count: UInt8) -> UInt16 {
        var (rest, result) = (self, UInt16(0))
        for _ in 0..<count {
            result = result << 1 | rest & 1
            rest >>= 1
        }
        return result
    }
}
