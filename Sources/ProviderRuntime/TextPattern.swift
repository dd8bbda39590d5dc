import ProviderModel

/// A text in which `{name}` stands for some characters and `*` for any, neither going past a slash.
///
/// Matching takes time in proportion to the pattern's length times the text's, whatever either holds.
struct TextPattern: Sendable {
    private enum Part {
        case literal([UInt8])
        case name(String)
        case anything
    }

    private let parts: [Part]

    init(_ text: String) {
        parts = Template(text).parts.flatMap { part -> [Part] in
            switch part {
            case .placeholder(let name): [.name(name)]
            case .literal(let literal): Self.parts(of: literal)
            }
        }
    }

    private static func parts(of literal: String) -> [Part] {
        let pieces = literal.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
        return Array(pieces.map { $0.isEmpty ? [] : [Part.literal(Array($0))] }.joined(separator: [.anything]))
    }

    /// What stands for each name when the pattern covers the whole text; nil when it does not.
    ///
    /// Names take as much as they can and leave what the rest needs, so that `{slug}-{id}` splits at the last dash.
    func names(in text: String) -> [String: String]? {
        let text = Array(text.utf8)
        // Most texts are not of this pattern, and differ from it at their beginning.
        if case .literal(let literal)? = parts.first, !text.starts(with: literal) { return nil }
        guard let ends = ends(in: text) else { return nil }
        var found: [String: String] = [:]
        var position = 0
        for (part, ends) in zip(parts, ends) {
            let end = ends[position]
            // A name that stands twice is what its first place says.
            if case .name(let name) = part, found[name] == nil {
                found[name] = String(decoding: text[position..<end], as: UTF8.self)
            }
            position = end
        }
        return found
    }

    /// Says that from a place the rest of the pattern does not cover the rest of the text.
    private static let none = -1

    /// For each part and each position where it may begin, the furthest end from which the parts behind it cover the
    /// rest of the text; nil when the whole pattern does not cover the text.
    private func ends(in text: [UInt8]) -> [[Int]]? {
        var rows: [[Int]] = []
        // Behind the last part, only the text's own end is covered.
        var next = [Int](repeating: Self.none, count: text.count) + [text.count]
        for part in parts.reversed() {
            let row =
                switch part {
                case .literal(let literal): Self.ends(of: literal, in: text, before: next)
                case .name, .anything: Self.endsOfWildcard(in: text, before: next)
                }
            // No position is left from which the rest would match.
            guard row.contains(where: { $0 != Self.none }) else { return nil }
            rows.append(row)
            next = row
        }
        return next[0] == Self.none ? nil : rows.reversed()
    }

    private static func ends(of literal: [UInt8], in text: [UInt8], before next: [Int]) -> [Int] {
        (0...text.count).map { position in
            let end = position + literal.count
            guard end <= text.count, next[end] != none, text[position..<end].elementsEqual(literal) else { return none }
            return end
        }
    }

    /// A wildcard covers at least one character, and ends where a character does.
    private static func endsOfWildcard(in text: [UInt8], before next: [Int]) -> [Int] {
        var row = [Int](repeating: none, count: text.count + 1)
        /// The furthest end in the segment that `position` is in.
        var furthest = none
        for position in text.indices.reversed() {
            let end = position + 1
            let isBoundary = end == text.count || text[end] & 0xc0 != 0x80
            // No wildcard begins on a slash, and none goes past it: the segment before it ends there.
            let isSlash = text[position] == UInt8(ascii: "/")
            if furthest == none, isBoundary, next[end] != none, !isSlash { furthest = end }
            if isSlash { furthest = none }
            row[position] = furthest
        }
        return row
    }
}
