import Glibc

/// Texts one after another, each ended by ASCII's unit separator: how credits lie in their list and in journals.
///
/// A text that is missing is kept as an empty one, and a separator or a zero inside a text as a space.
struct KeptFields: Hashable {
    private(set) var bytes: [UInt8]

    /// What ends a text.
    private static let end: UInt8 = 0x1f
    /// What ends a record of them in a journal, and stands in none of them either.
    static let recordEnd: UInt8 = 0x1e

    /// Begins with these bytes, or with room for what most credits say.
    init(_ bytes: [UInt8]? = nil) {
        self.bytes = bytes ?? []
        if bytes == nil { self.bytes.reserveCapacity(512) }
    }

    /// Adds a text.
    mutating func add(_ text: String?) {
        if var text {
            text.withUTF8 { text in
                // Compared without a branch, and so many at a time: next to none has such a byte.
                if text.reduce(UInt8.max, min) > Self.end {
                    bytes.append(contentsOf: text)
                } else {
                    bytes.append(contentsOf: text.lazy.map { Self.isEnd($0) ? UInt8(ascii: " ") : $0 })
                }
            }
        }
        bytes.append(Self.end)
    }

    private static func isEnd(_ byte: UInt8) -> Bool { byte == end || byte == recordEnd || byte == 0 }

    /// Adds others.
    mutating func add(_ fields: KeptFields) { bytes.append(contentsOf: fields.bytes) }

    /// Ends a record.
    mutating func endRecord() { bytes.append(Self.recordEnd) }

    /// A text as its bytes lie there.
    typealias Text = UnsafeBufferPointer<UInt8>

    /// Takes the texts apart; those that are empty are nil, and so are those after the last.
    struct Reader {
        /// What is left.
        private(set) var rest: Text

        init(_ bytes: Text) { rest = bytes }

        /// A text without anything in it.
        var empty: Text { Text(rebasing: rest[..<rest.startIndex]) }

        mutating func next() -> Text? {
            guard let start = rest.baseAddress, !rest.isEmpty else { return nil }
            let end = memchr(start, CInt(KeptFields.end), rest.count)
            let count = end.map { UnsafeRawPointer(start).distance(to: $0) } ?? rest.count
            defer { rest = Text(rebasing: rest[min(count + 1, rest.count)...]) }
            return count > 0 ? Text(rebasing: rest[..<count]) : nil
        }
    }
}
