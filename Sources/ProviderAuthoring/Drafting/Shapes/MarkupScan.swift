/// Tags of a text of XML or HTML with their attributes: enough to see which names occur, no parser.
struct MarkupScan {
    /// An opening tag.
    struct Tag: Hashable, Sendable {
        /// The name in lower case, prefix included.
        let name: String
        /// Attributes by lower-case name, entities as they stand.
        let attributes: [String: String]
    }

    /// In the order they stand.
    let tags: [Tag]

    init(_ text: String, atMost limit: Int = 20_000) {
        var tags: [Tag] = []
        for match in text.matches(
            of: /<([A-Za-z][A-Za-z0-9:_.-]*)((?:\s+[^\s=>\/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>"']+))?)*)\s*\/?>/
        ).prefix(limit) {
            var attributes: [String: String] = [:]
            for pair in match.2.matches(of: /([^\s=>\/]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/) {
                attributes[pair.1.lowercased()] = String(pair.2 ?? pair.3 ?? pair.4 ?? "")
            }
            tags.append(Tag(name: match.1.lowercased(), attributes: attributes))
        }
        self.tags = tags
    }
}
