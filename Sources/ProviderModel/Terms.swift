/// A source's terms of use.
public struct Terms: Hashable, Sendable {
    /// The URL of the terms.
    public var url: WebURL?
    /// The minimum time in seconds that a response is used before it is requested again; nil for no minimum.
    public var cacheAtLeast: Int?
    /// The maximum time in seconds that a response may be stored, against its own directives; nil for no maximum.
    public var cacheAtMost: Int?
    /// Whether image URLs may be shown from the source's own servers; nil when the terms do not say.
    public var allowsHotlinking: Bool?
    /// The line to show with an image; `{author.name}` and other fields of an item stand for their values.
    public var attribution: String?
    /// A sentence that applications which use the source have to show, once, not with every image.
    public var notice: String?
    /// The kind of licence the items carry: `Pixabay Content License`, `Creative Commons`.
    public var license: String?

    /// Creates terms without any conditions.
    package init() {}
}

/// The line that a source asks to be shown with an image.
package struct Attribution: Hashable, Sendable {
    private let template: Template?

    /// The line that these terms ask for.
    package init(_ terms: Terms) { template = terms.attribution.map { Template($0) } }

    /// The line for an item; nil when the source asks for none, or the item lacks what it needs.
    package func line(for item: Item) -> String? {
        guard let template else { return nil }
        var isComplete = true
        let line = template.filled { name in
            let value = Self.value(of: name, in: item)
            if value == nil { isComplete = false }
            return value
        }
        return isComplete ? line : nil
    }

    private static func value(of name: String, in item: Item) -> String? {
        switch name {
        case "id": item.id
        case "title": item.title
        case "page": item.page?.description
        case "author.name": item.author?.name
        case "author.url": item.author?.url?.description
        case "license.name": item.license?.name ?? item.license?.id
        case "license.url": item.license?.url?.description
        default: nil
        }
    }
}
