import ProviderModel

/// A manifest's pattern for page URLs and short forms: `{name}` is part of one segment or query value, `*` anything in one.
struct PagePattern {
    private enum Part: Hashable {
        case literal(Character)
        case name(String)
        case anything
    }

    private let parts: [Part]
    private let isURL: Bool
    private let hasQuery: Bool

    init(_ text: String) {
        isURL = text.hasPrefix("http://") || text.hasPrefix("https://")
        hasQuery = text.contains("?")
        let normalised = isURL ? Self.withoutScheme(text) : text
        parts = Template(normalised).parts.flatMap { part -> [Part] in
            switch part {
            case .placeholder(let name): [.name(name)]
            case .literal(let literal): literal.map { $0 == "*" ? .anything : .literal($0) }
            }
        }
    }

    /// The id template filled with what the pattern finds in `text`; nil when it does not match.
    func id(_ template: String, in text: String) -> String? {
        guard let subject = subject(of: text) else { return nil }
        var found: [String: String] = [:]
        guard match(parts[...], Array(subject)[...], &found) else { return nil }
        return Template(template).filled { found[$0] }
    }

    /// The text in the form patterns are compared in.
    private func subject(of text: String) -> String? {
        guard isURL else { return text }
        guard let url = try? WebURL(text) else { return nil }  // no URL matches no URL pattern
        var path = url.path
        if !hasQuery {
            while path.count > 1, path.hasSuffix("/") { path.removeLast() }
            return Self.withoutScheme("https://\(url.authority)\(path)")
        }
        return Self.withoutScheme("https://\(url.authority)\(url.target)")
    }

    /// Without scheme, `www.` and trailing slash, none of which tell pages apart.
    private static func withoutScheme(_ text: String) -> String {
        var rest = text.drop { $0 != "/" }.dropFirst(2)
        if rest.hasPrefix("www.") { rest = rest.dropFirst(4) }
        while rest.hasSuffix("/") { rest = rest.dropLast() }
        return String(rest)
    }

    /// Names take as much as they can and give back what the rest needs, so that `{slug}-{id}` splits at the last dash.
    private func match(
        _ parts: ArraySlice<Part>, _ text: ArraySlice<Character>, _ found: inout [String: String]
    ) -> Bool {
        guard let part = parts.first else { return text.isEmpty || (hasQuery && (text.first == "&")) }
        let rest = parts.dropFirst()
        switch part {
        case .literal(let character):
            return text.first == character && match(rest, text.dropFirst(), &found)
        case .name, .anything:
            let longest = text.prefix { !"/?&#=".contains($0) }
            for count in stride(from: longest.count, through: 1, by: -1) {
                let remainder = text.dropFirst(count)
                guard match(rest, remainder, &found) else { continue }
                if case .name(let name) = part { found[name] = PercentEncoding.decode(String(text.prefix(count))) }
                return true
            }
            return false
        }
    }
}
