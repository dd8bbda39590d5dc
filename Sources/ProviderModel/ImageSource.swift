/// Anything that gives pages of items: a script behind the wall, or a fake in a test.
public protocol ImageSource: Sendable {
    /// What the source says about itself.
    var manifest: ProviderManifest { get }

    /// One page of a listing.
    func page(of listing: Listing, for query: ProviderQuery) async throws -> Page

    /// One page of a listing, whose request waits for its turn.
    func page(of listing: Listing, for query: ProviderQuery, in turn: RequestPermit) async throws -> Page

    /// Whether requests wait for their turns, so that pages may be prepared ahead.
    var takesTurns: Bool { get }
}

extension ImageSource {
    /// No: each page is asked for as soon as it is wanted.
    public var takesTurns: Bool { false }
}

/// A page's turn to ask its server, of which there are so many at a time.
///
/// What comes before, making the request, and after, reading the answer, is no business of the server.
public struct RequestPermit: Sendable {
    /// Waits until the request may go out; throws when the page is no longer wanted.
    public let begin: @Sendable () async throws -> Void
    /// Notes that the answer is there, or that there will be none.
    public let end: @Sendable () -> Void

    /// A turn.
    public init(begin: @escaping @Sendable () async throws -> Void, end: @escaping @Sendable () -> Void) {
        self.begin = begin
        self.end = end
    }

    /// A turn that has come.
    public static var now: RequestPermit { RequestPermit(begin: {}, end: {}) }
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
