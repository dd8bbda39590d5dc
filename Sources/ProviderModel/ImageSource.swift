/// Anything that gives pages of items: a script in its sandbox, or a fake in a test.
public protocol ImageSource: Sendable {
    /// What the source says about itself.
    var manifest: ProviderManifest { get }

    /// Returns one page of a listing.
    func page(of listing: Listing, for query: ProviderQuery) async throws -> Page
}

/// What can be listed page by page.
public enum Listing: Hashable, Sendable {
    /// Items that match a text.
    case search(String)
    /// A list that needs no text: recent, popular, editorial.
    case feed
    /// The items of an album, a gallery or a user.
    case collection(Item)

    /// The operation that a provider needs for it.
    public var operation: Operation {
        switch self {
        case .search: .search
        case .feed: .feed
        case .collection: .collection
        }
    }

    /// The text searched for; empty where there is none.
    public var text: String { if case .search(let text) = self { text } else { "" } }
}
