import ProviderModel

/// A text in which `{name}` stands for some characters and `*` for any, neither going past a slash.
struct TextPattern {
    private enum Part {
        case literal(Character)
        case name(String)
        case anything
    }

    private let parts: [Part]

    init(_ text: String) {
        parts = Template(text).parts.flatMap { part -> [Part] in
            switch part {
            case .placeholder(let name): [.name(name)]
            case .literal(let literal): literal.map { $0 == "*" ? .anything : .literal($0) }
            }
        }
    }

    /// What stands for each name when the pattern covers the whole text; nil when it does not.
    func names(in text: String) -> [String: String]? {
        var search = Search(text: Array(text))
        return covers(0, 0, &search) ? search.found : nil
    }

    private struct Search {
        let text: [Character]
        var found: [String: String] = [:]
        /// Places from which the rest is known not to match: without them a pattern of many stars takes for ever.
        var failed: Set<Place> = []
    }

    private struct Place: Hashable {
        var part: Int
        var position: Int
    }

    /// Names take as much as they can and give back what the rest needs, so that `{slug}-{id}` splits at the last dash.
    private func covers(_ part: Int, _ position: Int, _ search: inout Search) -> Bool {
        guard part < parts.count else { return position == search.text.count }
        let place = Place(part: part, position: position)
        guard position < search.text.count, !search.failed.contains(place) else { return false }
        if case .literal(let character) = parts[part] {
            if search.text[position] == character, covers(part + 1, position + 1, &search) { return true }
        } else {
            let longest = search.text[position...].firstIndex(of: "/") ?? search.text.count
            for end in stride(from: longest, to: position, by: -1) where covers(part + 1, end, &search) {
                if case .name(let name) = parts[part] { search.found[name] = String(search.text[position..<end]) }
                return true
            }
        }
        search.failed.insert(place)
        return false
    }
}
