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
