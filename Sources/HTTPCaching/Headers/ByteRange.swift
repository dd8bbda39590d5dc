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
