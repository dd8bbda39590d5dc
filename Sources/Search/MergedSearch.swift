import ProviderModel

/// The same listing over several providers, interleaved as they answer.
///
/// Nothing is fetched until it is pulled, and the second page of a provider not before the first has been delivered,
/// unless the limit needs many; from then on pages are fetched ahead within `SearchOptions.pagesInFlight`, as far as the
/// limit can need them. Dropping the iterator cancels everything under way.
public struct MergedSearch: AsyncSequence, Sendable {
    /// What comes of a merged listing.
    public enum Event: Sendable {
        /// An image.
        case image(Item)
        /// A provider failed: its other results stand, the other providers go on.
        case failure(provider: String, any Error)
        /// A provider has given all it will.
        case finished(Summary)
    }

    /// What one provider gave.
    public struct Summary: Hashable, Sendable {
        /// The provider.
        public let provider: String
        /// Images delivered.
        public let count: Int
        /// How many the source says there are.
        public let total: Int?
        /// Images that a filter left out.
        public let filtered: Int
    }

    private let pagers: [ProviderPager]
    private let providersInFlight: Int
    private let resumePoint: ResumePoint?

    /// A listing over providers, each opened when its first page is wanted; `resumePoint` keeps its place for a later run.
    package init(
        _ providers: [(name: String, open: @Sendable () async throws -> any ImageSource)], listing: Listing,
        options: SearchOptions, resumePoint: ResumePoint? = nil
    ) {
        pagers = providers.map { provider in
            ProviderPager(
                name: provider.name, listing: listing, options: options,
                after: resumePoint?.state?.providers[provider.name], open: provider.open)
        }
        providersInFlight = options.providersInFlight
        self.resumePoint = resumePoint
    }

    /// Begins the search.
    public func makeAsyncIterator() -> Iterator { Iterator(merger(fairStart: .milliseconds(250))) }

    /// The beginning of the listing; `fairStart` is how long a provider's second item waits for the first of others.
    func merger(fairStart: Duration) -> SearchMerger {
        SearchMerger(pagers, fairStart: fairStart, providersInFlight: providersInFlight, resumePoint: resumePoint)
    }

    /// Pulls events; owns the fetches under way and cancels them when it goes.
    public struct Iterator: AsyncIteratorProtocol {
        private let merger: SearchMerger

        init(_ merger: SearchMerger) { self.merger = merger }

        /// Returns what happens next; nil when all providers have come to their end.
        public mutating func next() async -> Event? { await merger.next() }

        /// Whether the next event is an image that comes at once, without waiting or recording that a page is complete:
        /// output flushed when this is false has every image in it.
        public var hasBufferedImage: Bool { merger.hasBufferedImage }
    }
}
