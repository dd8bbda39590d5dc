import ProviderModel

/// What an item of the contract is made of, as far as the shape of an answer shows.
struct ItemMapping: Sendable {
    /// A field of the contract, and where it comes from.
    struct Entry: Sendable {
        /// The contract's name: `title`, `author`.
        let member: String
        /// The fields it is made of.
        let paths: [FieldPath]
        /// The expression of JavaScript that gives it.
        let expression: String
    }

    /// In the contract's order; `id` is always there.
    let entries: [Entry]
    let media: MediaMapping
    /// Helpers of `require('imgscript')` that the expressions use.
    let helpers: Set<String>
    let fields: ItemFields

    /// What an item is called in the script.
    static let root = "item"

    init(of items: [JSONValue], at base: WebURL) {
        let fields = ItemFields(of: items, at: base)
        var media = MediaMapping(of: fields)
        media.findList(in: items, at: base)
        self.fields = fields
        self.media = media
        var writer = EntryWriter(fields: fields, media: media)
        entries = writer.all()
        helpers = writer.helpers
    }

    /// The fields in use that hold paths in place of URLs, files first.
    var relativePaths: [FieldPath] {
        let used = media.files.map(\.url.path) + entries.flatMap(\.paths)
        return used.filter { fields[$0]?.isRelative == true }
    }

    /// Where a field of the contract comes from.
    func paths(of member: String) -> [FieldPath] { entries.first { $0.member == member }?.paths ?? [] }
}

/// Writes the entries one by one, noting the helpers they need.
private struct EntryWriter {
    let fields: ItemFields
    let media: MediaMapping
    var helpers: Set<String> = []
    private let finder: FieldFinder

    init(fields: ItemFields, media: MediaMapping) {
        self.fields = fields
        self.media = media
        finder = FieldFinder(fields: fields)
    }

    mutating func all() -> [ItemMapping.Entry] {
        var entries = [id()]
        let title = finder.title
        if let title = title.first { entries.append(text("title", Array(finder.title.prefix(2)), beside: title)) }
        if let description = finder.description(besides: title.first) {
            entries.append(text("description", [description], beside: description))
        }
        if let page = finder.page { entries.append(plain("page", page)) }
        if let tags = finder.tags { entries.append(self.tags(tags)) }
        if let author = finder.author { entries.append(self.author(author)) }
        if let license = license() { entries.append(license) }
        if let created = finder.created {
            helpers.insert("parseDate")
            entries.append(
                ItemMapping.Entry(
                    member: "created", paths: [created.path], expression: "parseDate(\(place(created.path)))"))
        }
        entries += [colors(), statistics(), rating()].compactMap(\.self)
        return entries
    }

    private func place(_ path: FieldPath) -> String { fields.expression(path, from: ItemMapping.root) }

    private func plain(_ member: String, _ field: ItemField) -> ItemMapping.Entry {
        ItemMapping.Entry(member: member, paths: [field.path], expression: url(field))
    }

    private func url(_ field: ItemField) -> String { fields.url(field, from: ItemMapping.root) }

    private func id() -> ItemMapping.Entry {
        if let id = finder.id { return ItemMapping.Entry(member: "id", paths: [id.path], expression: place(id.path)) }
        // A URL is as unique as an id; on one host its path says enough.
        let links = [finder.page, media.files.first?.url].compactMap(\.self)
        guard let link = links.first(where: { Set($0.values).count == fields.itemCount }) ?? links.last else {
            return ItemMapping.Entry(member: "id", paths: [], expression: "\(ItemMapping.root).id")
        }
        let urls = link.values.compactMap(\.webURL)
        let isOneHost = Set(urls.map(\.origin)).count == 1 && Set(urls.map(\.path)).count == fields.itemCount
        let whole = link.isRelative ? "\(place(link.path)), \(ItemFields.site)" : url(link)
        let expression = isOneHost ? "new URL(\(whole)).pathname" : url(link)
        return ItemMapping.Entry(member: "id", paths: [link.path], expression: expression)
    }

    private mutating func text(_ member: String, _ found: [ItemField], beside: ItemField) -> ItemMapping.Entry {
        let isWhole = found[0].isCertain && found[0].isText
        let used = isWhole ? Array(found.prefix(1)) : found
        var parts = used.map { place($0.path) }
        if used.contains(where: { $0.texts.contains { $0.holdsMarkup } }) {
            helpers.insert("plainText")
            parts = parts.map { "plainText(\($0))" }
        } else if used.contains(where: { $0.texts.contains { $0.holdsEntities } }), used[0].isCertain {
            helpers.insert("decodeEntities")
            parts = parts.map { "decodeEntities(\($0))" }
        }
        let joint = used.contains { $0.texts.contains("") } ? " || " : " ?? "
        return ItemMapping.Entry(member: member, paths: used.map(\.path), expression: parts.joined(separator: joint))
    }

    private func tags(_ field: ItemField) -> ItemMapping.Entry {
        let mark = field.isCertain ? "" : "?"
        var expression = place(field.path)
        if field.holdsLists { expression += "\(mark).flat()" }
        if let inner = finder.tagText(in: field) {
            let name = inner.isJavaScriptName ? "tag.\(inner)" : "tag[\(inner.asJavaScript)]"
            expression += "\(mark).map((tag) => \(name))"
        } else if field.isText || field.holdsText {
            let separator = field.texts.contains { $0.contains(",") } ? "/,\\s*/" : "' '"
            expression += "\(mark).split(\(separator))"
            if field.texts.contains("") { expression += "\(mark.isEmpty ? "" : "?").filter(Boolean)" }
        }
        return ItemMapping.Entry(member: "tags", paths: [field.path], expression: expression)
    }

    private func author(_ author: FieldFinder.AuthorFields) -> ItemMapping.Entry {
        var parts = ["name: \(place(author.name.path))"]
        var paths = [author.name.path]
        for (member, field) in [("id", author.id), ("url", author.url)] {
            guard let field, field.path != author.name.path else { continue }
            parts.append("\(member): \(member == "url" ? url(field) : place(field.path))")
            paths.append(field.path)
        }
        let whole = "{ \(parts.joined(separator: ", ")) }"
        let isSafe = author.name.isCertain && author.name.isText
        return ItemMapping.Entry(
            member: "author", paths: paths, expression: isSafe ? whole : "\(place(author.name.path)) ? \(whole) : null")
    }

    private mutating func license() -> ItemMapping.Entry? {
        guard let field = finder.license else { return nil }
        helpers.insert("license")
        var arguments = place(field.path)
        if let version = finder.licenseVersion { arguments += ", \(place(version.path))" }
        return ItemMapping.Entry(member: "license", paths: [field.path], expression: "license(\(arguments))")
    }

    private func colors() -> ItemMapping.Entry? {
        guard let field = finder.color else { return nil }
        let value = place(field.path)
        let expression =
            field.values.first?.elements != nil
            ? value : field.isCertain ? "[\(value)]" : "\(value) ? [\(value)] : null"
        return ItemMapping.Entry(member: "colors", paths: [field.path], expression: expression)
    }

    private func statistics() -> ItemMapping.Entry? {
        let found = finder.statistics
        guard !found.isEmpty else { return nil }
        let parts = found.map { "\($0.name): \(place($0.field.path))" }
        return ItemMapping.Entry(
            member: "stats", paths: found.map(\.field.path), expression: "{ \(parts.joined(separator: ", ")) }")
    }

    private func rating() -> ItemMapping.Entry? {
        guard let field = finder.isSensitive else { return nil }
        return ItemMapping.Entry(
            member: "rating", paths: [field.path], expression: "\(place(field.path)) ? 'sensitive' : null")
    }
}

extension String {
    /// Whether there are elements of HTML in the text.
    fileprivate var holdsMarkup: Bool { firstMatch(of: /<\/?[a-z][a-z0-9]*(\s[^<>]*)?\/?>/.ignoresCase()) != nil }

    fileprivate var holdsEntities: Bool { firstMatch(of: /&(#\d+|#x[0-9a-f]+|[a-z]{2,8});/.ignoresCase()) != nil }
}
