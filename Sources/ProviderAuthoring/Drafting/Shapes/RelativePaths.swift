import ProviderModel

/// The values of a field that are paths where URLs are wanted: `/img/fox.jpg`, `photos/fox.jpg`.
struct RelativePaths {
    private let texts: [String]

    private static let names: Set<String> = LinkKind.images.union([
        "url", "uri", "href", "link", "links", "page", "permalink",
    ])

    /// Judges values by what they are and by their field's name; nil where they are no paths, or may be something else.
    init?(_ values: [JSONValue], named words: NameWords) {
        let texts = values.compactMap(\.textValue)
        let paths = texts.filter { !$0.isEmpty && JSONValue.text($0).webURL == nil }
        guard texts.count == values.count, !paths.isEmpty, paths.allSatisfy(Self.isPath) else { return nil }
        let areFiles = paths.allSatisfy { LinkKind.isImageFile($0) }
        let areNamed = !Set(words.words).isDisjoint(with: Self.names) && paths.allSatisfy { $0.hasPrefix("/") }
        guard areFiles || areNamed else { return nil }
        self.texts = texts
    }

    /// The URLs that they stand for on a server; what is empty stays so.
    func urls(at base: WebURL) -> [JSONValue]? {
        var urls: [JSONValue] = []
        for text in texts {
            guard !text.isEmpty, JSONValue.text(text).webURL == nil else {
                urls.append(.text(text))
                continue
            }
            // What does not resolve is no path.
            guard let site = try? WebURL(base.origin), let url = try? site.resolving(text) else { return nil }
            urls.append(.text(url.description))
        }
        return urls
    }

    private static func isPath(_ text: String) -> Bool {
        !text.hasPrefix("//") && text.contains("/") && !text.contains { $0.isWhitespace || $0 == ":" || $0 == "<" }
    }
}
