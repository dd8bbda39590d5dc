/// A source of pages of items: a script in its sandbox, or a fake in a test.
public protocol ImageSource: Sendable {
    /// The source's manifest.
    var manifest: ProviderManifest { get }

    /// Requests one page of a listing.
    ///
    /// - Parameters:
    ///   - listing: the search, feed or collection.
    ///   - query: which page, how many items, and the provider's parameters.
    /// - Returns: the page with its items in the source's order, which may be none.
    /// - Throws: an error of the source, for scripts a ``ProviderError``; `CancellationError` when the task is cancelled.
    func page(of listing: Listing, for query: ProviderQuery) async throws -> Page
}

/// A listing of items, page by page.
public enum Listing: Hashable, Sendable {
    /// Items that match a text.
    case search(String)
    /// A list without a search text: recent, popular, editorial.
    case feed
    /// The items of an album, a gallery or a user.
    case collection(Item)
    /// Items whose image looks like this one.
    case similar(SearchImage)

    /// The operation that a provider needs for the listing.
    public var operation: ProviderOperation {
        switch self {
        case .search: .search
        case .feed: .feed
        case .collection: .collection
        case .similar: .similar
        }
    }

    /// The search text; empty for a feed or a collection.
    public var text: String { if case .search(let text) = self { text } else { "" } }
}
