/// Anything that gives pages of items: a script behind the wall, or a fake in a test.
public protocol ImageSource: Sendable {
    /// What the source says about itself.
    var manifest: ProviderManifest { get }

    /// One page of a listing.
    func page(of listing: Listing, for query: ProviderQuery) async throws -> Page
}

/// The operations that give pages.
public enum Listing: Hashable, Sendable {
    /// Items that match a text.
    case search
    /// A list that needs no text.
    case feed
    /// The items of a collection.
    case collection(Item)

    /// The operation a provider needs for it.
    public var operation: Operation {
        switch self {
        case .search: .search
        case .feed: .feed
        case .collection: .collection
        }
    }
}
