import ProviderModel

/// A manifest's pattern for page URLs and short forms.
///
/// `{name}` is part of one segment or query value, `*` anything in one; `{instance}` at the start is the server in use.
struct PagePattern {
    private enum Kind {
        case shortForm(TextPattern)
        /// Host and path, and the query values that are needed, by name.
        case page(TextPattern, query: [(name: String, value: TextPattern)])
    }

    private let kind: Kind

    /// A pattern for pages of `instance`; nil when it is for a server and there is none.
    init?(_ text: String, instance: WebURL?) {
        guard text.hasPrefix("{instance}") else {
            self.init(text)
            return
        }
        guard let instance else { return nil }
        self.init("\(instance.origin)\(text.dropFirst("{instance}".count))")
    }

    init(_ text: String) {
        guard text.hasPrefix("http://") || text.hasPrefix("https://") else {
            kind = .shortForm(TextPattern(text))
            return
        }
        let parts = text.split(separator: "?", maxSplits: 1)
        let query = parts.dropFirst().first?.split(separator: "&") ?? []
        kind = .page(
            TextPattern(Self.place(String(parts[0]))),
            query: query.map { pair in
                let name = pair.prefix { $0 != "=" }
                return (String(name), TextPattern(String(pair.dropFirst(name.count + 1))))
            })
    }

    /// The id template filled with what the pattern finds in `text`; nil when it does not match.
    func id(_ template: String, in text: String) -> String? {
        names(in: text).map { names in Template(template).filled { names[$0] } }
    }

    private func names(in text: String) -> [String: String]? {
        switch kind {
        case .shortForm(let pattern): return pattern.names(in: text)
        case .page(let place, let query):
            guard let url = try? WebURL(text),  // no URL matches no URL pattern
                var names = place.names(in: Self.place("\(url.origin)\(url.path)"))?.mapValues(Self.decodeSegment)
            else { return nil }
            let items = url.queryItems
            for (name, pattern) in query {
                let found = items.lazy.filter { $0.name == name }.compactMap { pattern.names(in: $0.value) }.first
                guard let found else { return nil }
                names.merge(found) { $1 }
            }
            return names
        }
    }

    /// Host and path without scheme, `www.` and trailing slashes, none of which tell pages apart.
    private static func place(_ text: String) -> String {
        var rest = text.drop { $0 != "/" }.dropFirst(2)
        if rest.hasPrefix("www.") { rest = rest.dropFirst(4) }
        while rest.hasSuffix("/") { rest = rest.dropLast() }
        return String(rest)
    }

    /// A plus is a space in a query alone.
    private static func decodeSegment(_ text: String) -> String {
        PercentEncoding.decode(text.replacing("+", with: "%2B"))
    }
}
