import ProviderModel

/// A provider's patterns for pages and short forms.
package struct PageMatcher: Sendable {
    private struct Rule: Sendable {
        let pattern: PagePattern
        let id: Template
        let type: Item.Kind
    }

    private let provider: ProviderID
    private let rules: [Rule]

    /// The patterns of a manifest, for pages of `instance`.
    package init(_ manifest: ProviderManifest, instance: WebURL?) {
        provider = manifest.id
        rules = manifest.matches.compactMap { match in
            PagePattern(match.pattern, instance: instance).map {
                Rule(pattern: $0, id: Template(match.id), type: match.type)
            }
        }
    }

    /// The item that a page URL or a short form stands for; nil when no pattern matches.
    package func item(matching text: String) -> Item? { item(for: PagePattern.Subject(text)) }

    /// The item that the first fitting pattern makes of a page or a short form; nil when none fits.
    func item(for subject: PagePattern.Subject) -> Item? {
        for rule in rules {
            guard let names = rule.pattern.names(in: subject) else { continue }
            var item = Item(provider: provider, id: rule.id.filled { names[$0] }, type: rule.type)
            item.page = subject.url
            return item
        }
        return nil
    }
}

/// A manifest's pattern for page URLs and short forms.
///
/// `{name}` is part of one segment or query value, `*` anything in one; `{instance}` at the start is the server in use.
struct PagePattern: Sendable {
    /// A text that may be the address of a page, parsed once for all patterns.
    struct Subject {
        let text: String
        /// The address that the text is; nil for a short form, which is none.
        let url: WebURL?
        fileprivate let place: String

        init(_ text: String) {
            // Every address has a slash; making the error of a text without one would cost more than all other steps.
            self.init(text, text.utf8.contains(UInt8(ascii: "/")) ? try? WebURL(text) : nil)
        }

        init(_ url: WebURL) { self.init(url.description, url) }

        private init(_ text: String, _ url: WebURL?) {
            self.text = text
            self.url = url
            place = url.map { PagePattern.place($0.origin + $0.path) } ?? ""
        }
    }

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

    /// What stands for each name when the pattern is of the subject; nil when it is not.
    func names(in subject: Subject) -> [String: String]? {
        switch kind {
        case .shortForm(let pattern): return pattern.names(in: subject.text)
        case .page(let place, let query):
            guard let url = subject.url, var names = place.names(in: subject.place)?.mapValues(Self.decodeSegment)
            else { return nil }
            guard !query.isEmpty else { return names }
            let items = url.queryItems
            for (name, pattern) in query {
                let found = items.lazy.filter { $0.name == name }.compactMap { pattern.names(in: $0.value) }.first
                guard let found else { return nil }
                names.merge(found) { $1 }
            }
            return names
        }
    }

    /// Host and path without scheme, `www.` and trailing slashes, which do not distinguish pages.
    private static func place(_ text: String) -> String {
        let slash = UInt8(ascii: "/")
        var rest = text.utf8.drop { $0 != slash }.dropFirst(2)
        if rest.starts(with: "www.".utf8) { rest = rest.dropFirst(4) }
        while rest.last == slash { rest.removeLast() }
        return String(Substring(rest))
    }

    /// A plus is a space in a query alone.
    private static func decodeSegment(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        return PercentEncoding.decode(text.replacing("+", with: "%2B"))
    }
}
