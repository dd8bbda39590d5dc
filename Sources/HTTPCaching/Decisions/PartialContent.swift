import HTTPTransport
import HTTPTypes

/// Which bytes of the whole content are stored (RFC 9111 §3.3).
struct StoredPart: Hashable, Sendable {
    /// What the server said the bytes are.
    let range: ContentRange

    /// Whether the stored bytes go on to the end of the content.
    var reachesEnd: Bool { range.completeLength.map { range.last == $0 - 1 } ?? false }

    /// Whether there are as many bytes as the server said.
    func isConsistent(length: Int) -> Bool { range.last - range.first + 1 == length }

    /// The range that is missing to the whole, as a `Range` value; nil when it is more than one, or unknown.
    func missingRange(length: Int) -> String? {
        if range.first == 0, !reachesEnd { return "bytes=\(length)-" }
        if reachesEnd, range.first > 0 { return "bytes=0-\(range.first - 1)" }
        return nil
    }
}

/// A piece of stored bytes that answers a range request.
struct StoredSlice: Hashable, Sendable {
    /// Where the piece begins in the stored bytes.
    let offset: Int
    /// How many bytes it has.
    let count: Int
    /// The range within the whole content.
    let range: ContentRange

    /// The piece for a range (RFC 9110 §14.2); nil when the stored bytes do not hold all of it.
    init?(_ wanted: ByteRange, of part: StoredPart?, length: Int) {
        let stored = part?.range ?? ContentRange(first: 0, last: length - 1, completeLength: length)
        let reachesEnd = part?.reachesEnd ?? true
        guard length > 0 else { return nil }
        switch wanted {
        case .bounded(let first, let last):
            guard last <= stored.last || reachesEnd else { return nil }
            self.init(from: first, to: min(last, stored.last), in: stored, length: length)
        case .from(let first):
            guard reachesEnd else { return nil }
            self.init(from: first, to: stored.last, in: stored, length: length)
        case .suffix(let count):
            guard reachesEnd, part == nil || count <= stored.last - stored.first + 1 else { return nil }
            // Counted from the end of what came: a server that miscounts by one still means its last bytes.
            let taken = min(count, length)
            let first = stored.last - taken + 1
            self.init(
                offset: length - taken,
                count: taken,
                range: ContentRange(first: first, last: stored.last, completeLength: stored.completeLength)
            )
        }
    }

    private init?(from first: Int, to last: Int, in stored: ContentRange, length: Int) {
        guard first >= stored.first, first < stored.first + length, first <= last else { return nil }
        let offset = first - stored.first
        let count = min(last - first + 1, length - offset)
        let range = ContentRange(first: first, last: first + count - 1, completeLength: stored.completeLength)
        self.init(offset: offset, count: count, range: range)
    }

    private init(offset: Int, count: Int, range: ContentRange) {
        self.offset = offset
        self.count = count
        self.range = range
    }
}

/// Two parts of one content put together (RFC 9111 §3.4, RFC 9110 §15.3.7.3).
struct PartialCombination: Sendable {
    /// One part.
    struct Piece: Sendable {
        let fields: HTTPFields
        let part: StoredPart
        let bytes: [UInt8]
    }

    /// The bytes of both.
    let bytes: [UInt8]
    /// Which bytes of the whole these are; nil when they are all.
    let part: StoredPart?
    /// The older part's lines, updated by the newer one's.
    let fields: HTTPFields

    /// Combines; nil unless both have the same strong validator, are as long as they say, and leave no gap.
    init?(_ older: Piece, _ newer: Piece) {
        let (left, right) = older.part.range.first <= newer.part.range.first ? (older, newer) : (newer, older)
        guard Validators(older.fields).sharesStrongValidator(with: Validators(newer.fields)),
            older.part.isConsistent(length: older.bytes.count), newer.part.isConsistent(length: newer.bytes.count),
            older.part.range.completeLength == newer.part.range.completeLength
                || older.part.range.completeLength == nil || newer.part.range.completeLength == nil,
            right.part.range.first <= left.part.range.last + 1
        else { return nil }
        let overlap = left.part.range.last + 1 - right.part.range.first
        bytes = left.bytes + right.bytes.dropFirst(overlap)
        let length = older.part.range.completeLength ?? newer.part.range.completeLength
        let first = left.part.range.first
        let whole = ContentRange(first: first, last: first + bytes.count - 1, completeLength: length)
        part = first == 0 && bytes.count == length ? nil : StoredPart(range: whole)
        var fields = StoredFields.updated(older.fields, by: newer.fields)
        fields[.contentRange] = part.map(\.range.description)
        fields[.contentLength] = "\(bytes.count)"
        self.fields = fields
    }
}

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
