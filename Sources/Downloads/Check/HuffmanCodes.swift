/// Huffman codes of up to sixteen bits (ITU T.81 §C.2, §F.2.2.3), the first bit of a code first.
struct HuffmanCodes {
    private var firstCodes = [Int](repeating: 0, count: 17)
    private var firstValues = [Int](repeating: 0, count: 17)
    private let counts: [Int]
    private let values: [Int]

    init(_ counts: [Int], values: [Int]) {
        self.counts = counts
        self.values = values
        var (code, value) = (0, 0)
        for length in 1...16 {
            (firstCodes[length], firstValues[length]) = (code, value)
            code = (code + counts[length - 1]) << 1
            value += counts[length - 1]
        }
    }

    /// The value of a code of so many bits; nil where it is longer.
    func value(of code: Int, length: Int) -> Int? {
        let place = code - firstCodes[length]
        guard place >= 0, place < counts[length - 1] else { return nil }
        return values[firstValues[length] + place]
    }
}
