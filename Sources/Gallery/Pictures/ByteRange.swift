/// The part of a file that a request asks for (RFC 9110 §14.1.2): one range alone; others are as good as none.
struct ByteRange: Hashable {
    private enum Form: Hashable {
        case from(Int, through: Int?)
        case last(Int)
    }

    private let form: Form

    /// No file is as long.
    private static let furthest = 1 << 60

    /// Reads the field `Range`; nil for what is no single range of bytes.
    init?(_ text: String) {
        guard text.lowercased().hasPrefix("bytes="), !text.contains(",") else { return nil }
        let parts = text.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[0].isEmpty {
            guard let count = Int(parts[1]), count > 0 else { return nil }
            form = .last(count)
        } else {
            guard let first = Int(parts[0]), (0...Self.furthest).contains(first) else { return nil }
            let last = Int(parts[1])
            guard parts[1].isEmpty || last.map({ $0 >= first }) ?? false else { return nil }
            form = .from(first, through: last)
        }
    }

    /// The bytes of a file of this length, no more of them than `limit`; nil where it has none there.
    func bounds(of length: Int, upTo limit: Int) -> Range<Int>? {
        switch form {
        case .from(let first, let last):
            guard first < length else { return nil }
            let end = min(last ?? length - 1, length - 1) + 1
            return first..<min(end, first + limit)
        case .last(let count):
            guard length > 0 else { return nil }
            let first = max(length - count, 0)
            return first..<min(length, first + limit)
        }
    }

    /// The field for a server, which is asked for no more than `limit` bytes.
    func field(upTo limit: Int) -> String {
        switch form {
        case .from(let first, let last): "bytes=\(first)-\(min(last ?? .max, first + limit - 1))"
        case .last(let count): "bytes=-\(min(count, limit))"
        }
    }
}
