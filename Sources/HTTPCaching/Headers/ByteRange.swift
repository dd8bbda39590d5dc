import HTTPTransport
import HTTPTypes

/// The one range of bytes a request wants (RFC 9110 §14.1.2).
enum ByteRange: Hashable, Sendable {
    /// From one byte to another, both included, counted from 0.
    case bounded(first: Int, last: Int)
    /// From a byte to the end.
    case from(first: Int)
    /// The last so many bytes.
    case suffix(count: Int)

    /// Reads a `Range` value; nil for another unit, several ranges, or what is no range.
    init?(_ text: String) {
        let halves = text.split(separator: "=", maxSplits: 1).map { String($0).trimmingWhitespace }
        guard halves.count == 2, halves[0].lowercased() == "bytes", !halves[1].contains(",") else { return nil }
        let ends = halves[1].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
            return nil
        }
        switch (Int(ends[0]), Int(ends[1])) {
        case (let first?, let last?) where first <= last: self = .bounded(first: first, last: last)
        case (let first?, nil) where ends[1].isEmpty: self = .from(first: first)
        case (nil, let count?) where ends[0].isEmpty && count > 0: self = .suffix(count: count)
        default: return nil
        }
    }
}

/// Where the content of a 206 lies in the whole (RFC 9110 §14.4).
struct ContentRange: Hashable, Sendable, CustomStringConvertible {
    /// The first byte, counted from 0.
    let first: Int
    /// The last byte.
    let last: Int
    /// How long the whole is; nil when the server does not say.
    let completeLength: Int?

    init(first: Int, last: Int, completeLength: Int?) {
        self.first = first
        self.last = last
        self.completeLength = completeLength
    }

    /// Reads a `Content-Range` value; nil when it names no bytes.
    init?(_ text: String) {
        let number = { (text: Substring) in text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil }
        let words = text.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let halves = words[1].split(separator: "/")
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

    var description: String { "bytes \(first)-\(last)/\(completeLength.map(String.init) ?? "*")" }
}
