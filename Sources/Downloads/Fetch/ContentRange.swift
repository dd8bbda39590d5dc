/// `Content-Range: bytes 0-499/1234` (RFC 9110 §14.4).
struct ContentRange: Hashable, Sendable {
    /// The bytes that come.
    let bytes: Range<Int>
    /// The whole file's length; nil for `*`.
    let total: Int?

    /// Reads the header; nil when it is none that makes sense.
    init?(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let halves = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard halves.count == 2, ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
            first <= last, last < Int.max
        else { return nil }
        bytes = first..<last + 1
        total = halves[1] == "*" ? nil : Self.number(halves[1])
        if halves[1] != "*" { guard let total, last < total else { return nil } }
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}
