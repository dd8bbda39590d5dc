import ProviderModel

/// One provider's part of a listing: its pages one after another, filtered and without repeats, up to its limit.
struct SearchLane: Sendable {
    /// What a page brought.
    struct Yield: Sendable {
        var items: [Item] = []
        /// How many items the source says there are.
        var total: Int?
        /// Items a filter left out because their size is not known.
        var filtered = 0
        var isFinished = false
    }

    let name: String
    private let listing: Listing
    private let options: SearchOptions
    private let open: @Sendable () async throws -> any ImageSource
    private let text: String
    private var source: (any ImageSource)?
    private var pages: PageSequence?
    private var seen: Set<String> = []
    private var delivered = 0
    private var pageCount = 0

    init(
        name: String, listing: Listing, text: String, options: SearchOptions,
        open: @escaping @Sendable () async throws -> any ImageSource
    ) {
        self.name = name
        self.listing = listing
        self.text = text
        self.options = options
        self.open = open
    }

    /// Fetches pages until one brings something, or the listing ends.
    mutating func next() async throws -> Yield {
        let source = try await opened()
        guard var pages else { return Yield(isFinished: true) }
        defer { self.pages = pages }
        var yield = Yield()
        // Pages that bring nothing new may go on for ever: a random feed, a cursor that leads nowhere.
        var barrenPages = 0
        while yield.items.isEmpty, !pages.isFinished, delivered < options.limit, barrenPages < options.maximumPages {
            try Task.checkCancellation()
            let page = try await source.page(of: listing, for: pages.query)
            pageCount += 1
            barrenPages += 1
            try pages.advance(past: page)
            yield.total = page.total ?? yield.total
            for item in page.items where delivered < options.limit && seen.insert(item.id).inserted {
                guard options.filter.admits(item) else {
                    yield.filtered += 1
                    continue
                }
                yield.items.append(item)
                delivered += 1
            }
            if !options.filter.isEmpty, pageCount >= options.maximumPages { break }
        }
        yield.isFinished =
            pages.isFinished || yield.items.isEmpty || delivered >= options.limit
            || (!options.filter.isEmpty && pageCount >= options.maximumPages)
        return yield
    }

    private mutating func opened() async throws -> any ImageSource {
        if let source { return source }
        let source = try await open()
        let query = try QueryBuilder(manifest: source.manifest, listing: listing).query(text: text, options: options)
        pages = PageSequence(query: query, manifest: source.manifest, operation: listing.operation)
        self.source = source
        return source
    }
}
