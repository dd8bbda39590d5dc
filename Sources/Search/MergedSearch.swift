import ProviderModel

/// The same listing over several providers, interleaved as they answer.
///
/// Nothing is fetched until it is pulled; a provider's next page is asked for when its last one has been handed out.
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

    private let lanes: [SearchLane]

    init(lanes: [SearchLane]) { self.lanes = lanes }

    /// A listing over providers, each opened when its first page is wanted.
    package init(
        _ providers: [(name: String, open: @Sendable () async throws -> any ImageSource)], listing: Listing,
        text: String, options: SearchOptions
    ) {
        lanes = providers.map {
            SearchLane(name: $0.name, listing: listing, text: text, options: options, open: $0.open)
        }
    }

    public func makeAsyncIterator() -> Iterator { Iterator(lanes: lanes) }

    /// Pulls events; owns the fetches under way and cancels them when it goes.
    public struct Iterator: AsyncIteratorProtocol {
        private let merge: MergeState

        init(lanes: [SearchLane]) { merge = MergeState(lanes: lanes, patience: .milliseconds(250)) }

        public mutating func next() async -> Event? { await merge.next() }
    }
}
