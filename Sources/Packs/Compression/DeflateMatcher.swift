/// A byte as it is, or a repetition of earlier ones (RFC 1951 §2).
struct DeflateToken {
    private let value: UInt32

    init(literal: UInt8) { value = UInt32(literal) }

    init(length: Int, distance: Int) { value = 1 << 31 | UInt32(length) << 16 | UInt32(distance) }

    /// The byte; nil for a repetition.
    var literal: Int? { value >> 31 == 0 ? Int(value) : nil }
    /// How many bytes are repeated.
    var length: Int { Int(value >> 16 & 0x7fff) }
    /// How far back they stand.
    var distance: Int { Int(value & 0xffff) }
}

/// Finds repetitions, with hash chains and a look one byte ahead.
struct DeflateMatcher {
    /// How far back a repetition may lie.
    private static let window = 1 << 15 - 1
    private static let shortest = 3
    private static let longest = 258
    /// How many candidates are compared.
    private static let patience = 64
    /// A repetition of this length is taken without looking further.
    private static let contentment = 96

    private let bytes: UnsafeBufferPointer<UInt8>
    /// The last place of each hash, and the place before each place; −1 for none.
    private var heads: [Int32]
    private var previous: [Int32]
    private var position = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        heads = Array(repeating: -1, count: 1 << 15)
        previous = Array(repeating: -1, count: 1 << 15)
    }

    /// The place up to which tokens have been given.
    var end: Int { position }

    /// The next tokens, about as many as wanted; none at the end.
    mutating func tokens(_ count: Int) -> [DeflateToken] {
        var tokens: [DeflateToken] = []
        tokens.reserveCapacity(count + 1)
        while tokens.count < count, position < bytes.count {
            var found = match(at: position)
            insert(position)
            // A longer repetition one byte further is worth a literal.
            while let here = found, here.length < Self.contentment, position + 1 < bytes.count,
                let next = match(at: position + 1), next.length > here.length
            {
                tokens.append(DeflateToken(literal: bytes[position]))
                position += 1
                insert(position)
                found = next
            }
            guard let found else {
                tokens.append(DeflateToken(literal: bytes[position]))
                position += 1
                continue
            }
            tokens.append(DeflateToken(length: found.length, distance: found.distance))
            for covered in (position + 1)..<(position + found.length) { insert(covered) }
            position += found.length
        }
        return tokens
    }

    private func match(at place: Int) -> (length: Int, distance: Int)? {
        let most = min(Self.longest, bytes.count - place)
        guard most >= Self.shortest else { return nil }
        var best = (length: Self.shortest - 1, distance: 0)
        var candidate = Int(heads[hash(at: place)])
        var patience = Self.patience
        while candidate >= 0, place - candidate <= Self.window, candidate < place, patience > 0 {
            if bytes[candidate + best.length] == bytes[place + best.length] {
                var length = 0
                while length < most, bytes[candidate + length] == bytes[place + length] { length += 1 }
                if length > best.length { best = (length, place - candidate) }
                if length >= most || length >= Self.contentment { break }
            }
            let earlier = Int(previous[candidate & (1 << 15 - 1)])
            guard earlier < candidate else { break }
            candidate = earlier
            patience -= 1
        }
        return best.distance > 0 ? best : nil
    }

    private mutating func insert(_ place: Int) {
        guard place + Self.shortest <= bytes.count else { return }
        let hash = hash(at: place)
        previous[place & (1 << 15 - 1)] = heads[hash]
        heads[hash] = Int32(truncatingIfNeeded: place)
    }

    private func hash(at place: Int) -> Int {
        let value = UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16
        return Int((value &* 0x9E37_79B1) >> 17)
    }
}
