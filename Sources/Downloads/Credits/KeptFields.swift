/// Texts one after another, each ended by ASCII's unit separator: how credits lie in their list and in journals.
///
/// A text that is missing is kept as an empty one, and a separator or a zero inside a text as a space.
struct KeptFields: Hashable {
    private(set) var bytes: [UInt8]

    /// What ends a text.
    private static let end: UInt8 = 0x1f
    /// What ends a record of them in a journal, and stands in none of them either.
    static let recordEnd: UInt8 = 0x1e

    /// Begins with room for what most credits say, or for other things.
    init(room: Int = 512) {
        bytes = []
        bytes.reserveCapacity(room)
    }

    /// Adds a text.
    mutating func add(_ text: String?) {
        if let text { append(text) }
        bytes.append(Self.end)
    }

    /// Adds two texts as one.
    mutating func add(_ first: String, _ second: String) {
        append(first)
        add(second)
    }

    /// Adds texts that are missing.
    mutating func addMissing(_ count: Int) { bytes.append(contentsOf: repeatElement(Self.end, count: count)) }

    private mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { text in
            // Compared without a branch, and so many at a time: next to none has such a byte.
            if text.reduce(UInt8.max, min) > Self.end {
                bytes.append(contentsOf: text)
            } else {
                bytes.append(contentsOf: text.lazy.map { Self.isEnd($0) ? UInt8(ascii: " ") : $0 })
            }
        }
    }

    private static func isEnd(_ byte: UInt8) -> Bool { byte == end || byte == recordEnd || byte == 0 }

    /// Adds others.
    mutating func add(_ fields: KeptFields) { bytes.append(contentsOf: fields.bytes) }

    /// Ends a record.
    mutating func endRecord() { bytes.append(Self.recordEnd) }

    /// Takes away what was added behind a place.
    mutating func cut(to count: Int) { bytes.removeLast(bytes.count - count) }

    /// Takes the texts apart; those that are empty are nil, and so are those after the last.
    struct Reader {
        private let bytes: UnsafeBufferPointer<UInt8>
        private let table = TextUses.table
        private var place = 0

        init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

        /// How many bytes are left.
        var count: Int { bytes.count - place }

        /// A text without anything in it.
        var empty: KeptText { KeptText(UnsafeBufferPointer(rebasing: bytes[..<0]), .all) }

        mutating func next() -> KeptText? {
            let start = place
            var uses = TextUses.all
            while place < bytes.count, bytes[place] != KeptFields.end {
                uses.formIntersection(table[Int(bytes[place])])
                place += 1
            }
            let end = place
            if place < bytes.count { place += 1 }
            return end > start ? KeptText(UnsafeBufferPointer(rebasing: bytes[start..<end]), uses) : nil
        }
    }
}
