import ProviderModel

/// Images of one or several providers, fetched as they are iterated.
///
/// A provider that fails is reported to `onFailure`, and the others continue; when every provider has failed, the iteration
/// ends with the first failure.
public struct ImageSequence: AsyncSequence, Sendable {
    private let search: MergedSearch
    private let providerCount: Int
    private let onFailure: @Sendable (any Error) -> Void

    /// Creates the images of a merged search over `providerCount` providers.
    package init(_ search: MergedSearch, providerCount: Int, onFailure: @escaping @Sendable (any Error) -> Void) {
        self.search = search
        self.providerCount = providerCount
        self.onFailure = onFailure
    }

    /// Creates an iterator over a new search, which sends nothing before the first image is requested.
    ///
    /// - Returns: the iterator; releasing it cancels its requests.
    public func makeAsyncIterator() -> Iterator {
        Iterator(events: search.makeAsyncIterator(), providerCount: providerCount, onFailure: onFailure)
    }

    /// Iterates over the images of one search; releasing it cancels its requests.
    public struct Iterator: AsyncIteratorProtocol {
        private let events: SearchMerger
        private let providerCount: Int
        private let onFailure: @Sendable (any Error) -> Void
        private var failures: [any Error] = []

        init(
            events: SearchMerger, providerCount: Int, onFailure: @escaping @Sendable (any Error) -> Void
        ) {
            self.events = events
            self.providerCount = providerCount
            self.onFailure = onFailure
        }

        /// Waits for the next image.
        ///
        /// - Returns: the image; nil at the end.
        /// - Throws: the first failure when every provider has failed; `CancellationError` when the task is cancelled.
        public mutating func next() async throws -> Item? {
            while let event = await events.next() {
                switch event {
                case .image(let item): return item
                case .finished: continue
                case .failure(_, let error):
                    failures.append(error)
                    onFailure(error)
                }
            }
            try Task.checkCancellation()
            if let first = failures.first, failures.count == providerCount { throw first }
            return nil
        }
    }
}
