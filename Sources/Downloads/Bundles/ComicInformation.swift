import ProviderModel

/// What readers of comic books show of one: the file `ComicInfo.xml` (version 2.1 of the Anansi Project, whose order of fields is fixed).
struct ComicInformation {
    let xml: String

    /// The text for a collection or an item of several images; `title` stands in for theirs.
    init(_ owner: Item?, title: String, pages: Int) {
        let authors = owner.map { $0.authors.isEmpty ? [$0.author].compactMap(\.self) : $0.authors } ?? []
        func date(_ pattern: String) -> String? {
            let text = owner?.created.flatMap { ValueFilter(pattern)?.applied(to: $0) }
            return text.flatMap { Int($0) }.map(String.init)
        }
        let fields: [(name: String, value: String?)] = [
            ("Title", owner?.title ?? title), ("Summary", owner?.description), ("Year", date("yyyy")),
            ("Month", date("MM")),
            ("Writer", authors.isEmpty ? nil : authors.map(\.name).joined(separator: ", ")),
            ("Tags", owner.flatMap { $0.tags.isEmpty ? nil : $0.tags.joined(separator: ", ") }),
            ("Web", owner?.page?.description), ("PageCount", String(pages)),
        ]
        let lines = fields.compactMap { name, value in value.map { "  <\(name)>\($0.escapedMarkup)</\(name)>\n" } }
        xml = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<ComicInfo>\n\(lines.joined())</ComicInfo>\n"
    }
}
