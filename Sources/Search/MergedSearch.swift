import ProviderModel

/// The same listing over several providers, interleaved as they answer.
///
/// Nothing is fetched until it is pulled, and the second page of a provider not before the first has been handed out,
/// unless the limit needs many; from then on pages are fetched ahead within `SearchOptions.pagesInFlight`, as far as the
/// limit can need them.
/// Dropping the iterator ends everything under way.
public struct MergedSearch: AsyncSequence, Sendable {
    /// What comes of a merged listing.
    public enum Event: Sendable {
        case image(Item)
        /// A provider is out: its other results stand, the other providers go on.
        case failure(provider: String, any Error)
        /// A provider has given all it will.
        case finished(Summary)
    }

    /// What one provider gave.
    public struct Summary: Hashable, Sendable {
        /// The provider.
        public let provider: String
        /// Images handed out.
        public let count: Int
        /// How many the source says there are.
        public let total: Int?
        /// Images that a filter left out.
        public let filtered: Int
    }

    private let lanes: [ProviderPager]
    private let providersInFlight: Int
    private let crawl: ResumePoint?

    /// A listing over providers, each opened when its first page is wanted; `crawl` keeps its place for a later run.
    package init(
        _ providers: [(name: String, open: @Sendable () async throws -> any ImageSource)], listing: Listing,
        text: String, options: SearchOptions, crawl: ResumePoint? = nil
    ) {
        lanes = providers.map { provider in
            ProviderPager(
                name: provider.name, listing: listing, text: text, options: options,
                after: crawl?.state?.providers[provider.name], open: provider.open)
        }
        providersInFlight = options.providersInFlight
        self.crawl = crawl
    }

    /// Begins the search.
    public func makeAsyncIterator() -> Iterator { Iterator(merge(patience: .milliseconds(250))) }

    /// The listing's beginning; `patience` is how long a provider waits for others to have their first turn.
    func merge(patience: Duration) -> MergeState {
        MergeState(lanes: lanes, patience: patience, providersInFlight: providersInFlight, crawl: crawl)
    }

    /// Pulls events; owns the fetches under way and cancels them when it goes.
    public struct Iterator: AsyncIteratorProtocol {
        private let merge: MergeState

        init(_ merge: MergeState) { self.merge = merge }

        /// What happens next; nil when all providers have come to their end.
        public mutating func next() async -> Event? { await merge.next() }

        /// Whether the next event is an image that comes at once, with no page ending between: output that is written at
        /// false has every image in it before it is waited for the next, or put down that a page has been handed out.
        public var hasImageAtHand: Bool { merge.hasImageAtHand }
    }
}
