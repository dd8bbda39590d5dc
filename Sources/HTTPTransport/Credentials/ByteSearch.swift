import Glibc

extension [UInt8] {
    /// Where the needle stands first at or after `start`.
    func firstRange(of needle: [UInt8], from start: Int) -> Range<Int>? {
        guard !needle.isEmpty, count - start >= needle.count else { return nil }
        return withUnsafeBytes { haystack in
            needle.withUnsafeBytes { wanted in
                guard let base = haystack.baseAddress, let word = wanted.baseAddress else { return nil }
                var position = start
                while let hit = memchr(base + position, Int32(wanted[0]), haystack.count - wanted.count + 1 - position)
                {
                    let lower = UnsafeRawPointer(hit) - base
                    if memcmp(hit, word, wanted.count) == 0 { return lower..<(lower + wanted.count) }
                    position = lower + 1
                }
                return nil
            }
        }
    }

    /// The bytes with `***` for every occurrence of the needle.
    func replacing(_ needle: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var position = 0
        while let range = firstRange(of: needle, from: position) {
            result += self[position..<range.lowerBound]
            result += Array("***".utf8)
            position = range.upperBound
        }
        return result + self[position...]
    }
}
