import ProviderModel

/// A text in which `{name}` stands for some characters and `*` for any, neither going past a slash.
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
    func names(in text: String) -> [String: String]? {
        var text = text
        return text.withUTF8 { bytes in
            var search = Search(text: bytes)
            return covers(0, 0, &search) ? search.found : nil
        }
    }

    private struct Search {
        let text: UnsafeBufferPointer<UInt8>
        var found: [String: String] = [:]
        /// Places from which the rest is known not to match: without them a pattern of many stars takes for ever.
        var failed: Set<Place> = []

        /// Whether a character begins there, or the text ends.
        func isBoundary(_ position: Int) -> Bool { position == text.count || text[position] & 0xc0 != 0x80 }
    }

    private struct Place: Hashable {
        var part: Int
        var position: Int
    }

    /// Names take as much as they can and give back what the rest needs, so that `{slug}-{id}` splits at the last dash.
    private func covers(_ part: Int, _ position: Int, _ search: inout Search) -> Bool {
        guard part < parts.count else { return position == search.text.count }
        guard position < search.text.count else { return false }
        if case .literal(let literal) = parts[part] {
            return search.text[position...].starts(with: literal) && covers(part + 1, position + literal.count, &search)
        }
        let place = Place(part: part, position: position)
        guard !search.failed.contains(place) else { return false }
        let longest = search.text[position...].firstIndex(of: UInt8(ascii: "/")) ?? search.text.count
        for end in stride(from: longest, to: position, by: -1)
        where search.isBoundary(end) && covers(part + 1, end, &search) {
            if case .name(let name) = parts[part] {
                search.found[name] = String(decoding: search.text[position..<end], as: UTF8.self)
            }
            return true
        }
        search.failed.insert(place)
        return false
    }
}
