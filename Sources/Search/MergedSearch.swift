import ProviderModel

/// One listing over several providers, interleaved in order of arrival.
///
/// Nothing is fetched before the first event is requested, and the second page of a provider not before the first has been
/// delivered, unless the limit needs many; then pages are fetched ahead, at most ``SearchOptions/pagesInFlight`` and as far
/// as the limit can need them. Releasing the iterator cancels all requests.
public struct MergedSearch: AsyncSequence, Sendable {
    /// An event of a search.
    public enum Event: Sendable {
        /// An image.
        case image(Item)
        /// A provider failed; its earlier images stand, and the other providers continue.
        case failure(provider: String, any Error)
        /// A provider has no more images.
        case finished(Summary)
    }

    /// The totals of one provider.
    public struct Summary: Hashable, Sendable {
        /// The provider's id.
        public let provider: String
        /// The number of images delivered.
        public let count: Int
        /// The total number of items that the source reports, if it does.
        public let total: Int?
        /// The number of images that the filter left out.
        public let filtered: Int
        /// The conditions of the filter that the source was asked for, too.
        public let conditions: [ParameterDescription.Condition]
        /// The conditions of the filter that were checked here alone, of those that sources may check.
        public let conditionsCheckedHere: [ParameterDescription.Condition]
        /// The numbers of the pages that were empty though ``total`` says that more images follow; they were passed, three in a
        /// row at most.
        public let emptyPages: [Int]
        /// Whether the provider may have more: ``SearchOptions/maximumPages`` pages brought nothing, or were searched through.
        public let isCutShort: Bool
    }

    /// How long a provider's second item waits for the first of others.
    var fairStart = Duration.milliseconds(250)
    /// The executor and the clock.
    package var environment = SearchEnvironment()
    private let pagers: [ProviderPager]
    private let providersInFlight: Int
    private let resumePoint: ResumePoint?

    /// A listing over providers, each opened when its first page is wanted.
    ///
    /// `providerOptions` gives those of one provider; `resumePoint` keeps the listing's place for a later run.
    package init(
        _ providers: [(name: String, open: @Sendable () async throws -> any ImageSource)], listing: Listing,
        options: SearchOptions, for providerOptions: (String) -> SearchOptions, resumePoint: ResumePoint? = nil
    ) {
        let resumePoint = resumePoint?.adapted { providerOptions($0).filter.identity }
        pagers = providers.map { provider in
            ProviderPager(
                name: provider.name, listing: listing, options: providerOptions(provider.name),
                after: resumePoint?.state?.providers[provider.name], open: provider.open)
        }
        providersInFlight = options.providersInFlight
        self.resumePoint = resumePoint
    }

    /// Creates an iterator over a new search, which sends nothing before the first event is requested.
    ///
    /// - Returns: the iterator; releasing it cancels its requests.
    public func makeAsyncIterator() -> SearchMerger {
        SearchMerger(
            pagers, fairStart: fairStart, providersInFlight: providersInFlight, resumePoint: resumePoint,
            environment: environment)
    }
}
