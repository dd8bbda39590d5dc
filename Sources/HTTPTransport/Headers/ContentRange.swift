/// Where the content of a 206 lies in the whole: `bytes 0-499/1234` (RFC 9110 §14.4).
package struct ContentRange: Hashable, Sendable, CustomStringConvertible {
    /// The first byte, counted from 0.
    package let first: Int
    /// The last byte.
    package let last: Int
    /// How long the whole is; nil when the server does not say.
    package let completeLength: Int?

    /// A range of bytes.
    package init(first: Int, last: Int, completeLength: Int?) {
        self.first = first
        self.last = last
        self.completeLength = completeLength
    }

    /// Reads a `Content-Range` value; nil when it names no bytes.
    package init?(_ text: String) {
        let number = { (text: Substring) in text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil }
        let words = text.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let halves = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false).map(number)
        // No content is as long as that, and every sum of places in it and lengths fits.
        guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last, last < Int.max / 2 else {
            return nil
        }
        let length = number(halves[1])
        guard length != nil || halves[1] == "*", length.map({ last < $0 }) ?? true else { return nil }
        self.init(first: first, last: last, completeLength: length)
    }

    /// The bytes as a range.
    package var bytes: Range<Int> { first..<last + 1 }

    /// `bytes 0-499/1234`.
    package var description: String { "bytes \(first)-\(last)/\(completeLength.map(String.init) ?? "*")" }
}
