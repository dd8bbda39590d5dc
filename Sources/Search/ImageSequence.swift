import ProviderModel

/// Images of one or several providers, fetched as they are iterated.
///
/// A provider that fails does not end the others. Where nobody asked to be told of failures, the iteration throws the first at
/// its end: none is overlooked. With `onFailure` it throws when every provider has failed.
public struct ImageSequence: AsyncSequence, Sendable {
    private let search: MergedSearch
    private let providerCount: Int
    private let onFailure: (@Sendable (any Error) -> Void)?
    private let isFault: @Sendable (any Error) -> Bool

    /// Creates the images of a merged search over `providerCount` providers; errors that are no fault are not thrown alone.
    package init(
        _ search: MergedSearch, providerCount: Int, isFault: @escaping @Sendable (any Error) -> Bool = { _ in true },
        onFailure: (@Sendable (any Error) -> Void)?
    ) {
        self.search = search
        self.providerCount = providerCount
        self.isFault = isFault
        self.onFailure = onFailure
    }

    /// Creates an iterator over a new search, which sends nothing before the first image is requested.
    ///
    /// - Returns: the iterator; releasing it cancels its requests.
    public func makeAsyncIterator() -> Iterator {
        Iterator(
            events: search.makeAsyncIterator(), providerCount: providerCount, isFault: isFault, onFailure: onFailure)
    }

    /// Iterates over the images of one search; releasing it cancels its requests.
    public struct Iterator: AsyncIteratorProtocol {
        private let events: SearchMerger
        private let providerCount: Int
        private let isFault: @Sendable (any Error) -> Bool
        private let onFailure: (@Sendable (any Error) -> Void)?
        private var failures: [any Error] = []

        init(
            events: SearchMerger, providerCount: Int, isFault: @escaping @Sendable (any Error) -> Bool,
            onFailure: (@Sendable (any Error) -> Void)?
        ) {
            self.events = events
            self.providerCount = providerCount
            self.isFault = isFault
            self.onFailure = onFailure
        }

        /// Waits for the next image.
        ///
        /// - Returns: the image; nil at the end.
        /// - Throws: at the end, the first failure that nobody was told of, or when every provider has failed;
        ///   `CancellationError` when the task is cancelled.
        public mutating func next() async throws -> Item? {
            while let event = await events.next() {
                switch event {
                case .image(let item): return item
                case .finished: continue
                case .failure(_, let error):
                    failures.append(error)
                    onFailure?(error)
                }
            }
            try Task.checkCancellation()
            if let first = failures.first, failures.count == providerCount { throw first }
            if onFailure == nil, let fault = failures.first(where: isFault) { throw fault }
            return nil
        }
    }
}
