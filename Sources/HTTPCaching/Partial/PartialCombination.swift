import HTTPTypes

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
