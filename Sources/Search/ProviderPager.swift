import ProviderModel

/// One provider's part of a listing: its pages in order, filtered and without duplicates, up to its limit.
///
/// It decides which pages are fetched and when, and does not fetch them. The first page is fetched alone: it costs one
/// request to see that a listing has no more. A consumer that requests more than the first page is assumed to want all up to
/// the limit: then pages are fetched ahead, within the limit, the total, the reachable depth, and `pagesInFlight` beyond the
/// page being delivered. Without a total, no more are in flight than have been received, so that requests past the end are
/// fewer than the useful ones. Where one round is a small part of the limit, a whole round is fetched at first.
///
/// Pages arrive in any order and leave in the order of the listing.
struct ProviderPager {
    /// A page to be fetched.
    struct Fetch {
        let number: Int
        let query: ProviderQuery
    }

    /// What a page brought.
    struct Yield {
        var items: [Item]
        /// Items a filter left out.
        var filtered = 0
        /// Where the listing stands when the items have been delivered; nil when some of the page are left over.
        var page: ResumeProgress.CompletedPage?
    }

    /// A page that has been asked for.
    private struct Slot {
        let fetch: Fetch
        var result: Result<Page, any Error>?

        /// Whether nothing after this page is of use, whatever comes before it.
        var isLast: Bool {
            switch result {
            case nil: false
            case .failure: true
            case .success(let page):
                // An empty page before a total is passed.
                page.next == .end || page.next == .counted && page.entryCount == 0 && page.total ?? 0 == 0
            }
        }
    }

    let name: String
    let open: @Sendable () async throws -> any ImageSource
    let listing: Listing
    /// Whether no page follows those that were taken.
    private(set) var isFinished: Bool
    /// Whether the listing ended because as many pages were looked through as may be.
    private(set) var isCutShort = false
    /// Whether more than one page has been wanted.
    private(set) var hasPassedFirstPage: Bool
    /// The conditions of the filter that the source is asked for.
    private(set) var conditions: [ParameterDescription.Condition] = []
    /// The order of dates so far, where the source says that the newest items come first.
    private var dateOrder: DateOrder?
    /// The conditions of the filter that the source is not asked for.
    var conditionsCheckedHere: [ParameterDescription.Condition] {
        options.filter.conditions.filter { !conditions.contains($0) }
    }
    private let options: SearchOptions
    /// How many images are wanted beside those of earlier runs.
    private let limit: Int
    private let progress: ResumeProgress?
    /// The query of the next page, once the source is open.
    private var sequence: PageSequence?
    /// The pages that have been asked for, in order.
    private var slots: [Slot] = []
    private var fetchCount = 0
    private var abandoned: [Int] = []
    /// The most items on a page so far, or as many as are asked for.
    private var pageSize = 0
    /// Items let through, items looked at, and the pages they came on.
    private var admitted = 0
    private var considered = 0
    private var pages = 0
    /// Pages in a row that brought nothing.
    private var emptyPages = 0

    init(
        name: String, listing: Listing, options: SearchOptions, after progress: ResumeProgress? = nil,
        open: @escaping @Sendable () async throws -> any ImageSource
    ) {
        self.name = name
        self.listing = listing
        self.options = options
        self.progress = progress
        self.open = open
        limit = options.limit - (progress?.counted ?? 0)
        hasPassedFirstPage = progress != nil
        isFinished = limit <= 0 || progress?.isFinished == true
    }

    /// The identity of the filter.
    var filter: String { options.filter.identity }

    /// How many items the source says there are.
    var total: Int? { sequence?.total ?? progress?.total }

    /// The numbers of the pages that were empty though the source says that more follow.
    var skippedPages: [Int] { sequence?.position.emptyPages ?? [] }

    /// Makes the first query of a source.
    mutating func open(_ source: any ImageSource) throws(ProviderError) {
        let manifest = source.manifest
        let builder = QueryBuilder(manifest: manifest, listing: listing)
        conditions = builder.conditions(options)
        let query = try builder.query(options)
        if manifest.description(of: listing.operation)?.listsNewestFirst(with: query.parameters) == true {
            dateOrder = DateOrder()
        }
        let sequence = PageSequence(
            query: query, manifest: manifest, operation: listing.operation, after: progress,
            answersAreRecorded: options.answersAreRecorded)
        pageSize = sequence.query.limit
        self.sequence = sequence
    }

    /// Whether there is something to fetch now; `isBufferEmpty` says that nothing is left to be delivered.
    func wantsToFetch(isBufferEmpty: Bool) -> Bool {
        guard sequence != nil else { return isBufferEmpty && !isFinished }
        return nextQuery(within: pagesWanted(isBufferEmpty: isBufferEmpty)) != nil
    }

    /// The pages to fetch now.
    mutating func fetches(isBufferEmpty: Bool) -> [Fetch] {
        guard sequence != nil else { return [] }
        if isBufferEmpty, pages > 0 || wantsManyPages { hasPassedFirstPage = true }
        let wanted = pagesWanted(isBufferEmpty: isBufferEmpty)
        var started: [Fetch] = []
        while let query = nextQuery(within: wanted) {
            started.append(Fetch(number: fetchCount, query: query))
            slots.append(Slot(fetch: started[started.count - 1]))
            fetchCount += 1
        }
        return started
    }

    /// Takes what came of a fetch; one that has been abandoned is nothing.
    mutating func receive(_ result: Result<Page, any Error>, of number: Int) {
        guard let index = slots.firstIndex(where: { $0.fetch.number == number }) else { return }
        slots[index].result = result
        if slots[index].isLast { abandon(from: index + 1) }
    }

    /// What the next page in order brought, once it has arrived; throws what its fetch ended with.
    mutating func next() throws -> Yield? {
        guard !isFinished, let items = try nextItems() else { return nil }
        // A page that earlier runs have delivered brings nothing, and is passed as often as it takes.
        let isPassed = items.isEmpty && sequence?.deliveredBefore ?? 0 > 0
        pages += isPassed ? 0 : 1
        considered += items.count
        var yield = Yield(items: [])
        var taken = 0
        let admittedBefore = admitted
        for item in items where admitted < limit {
            taken += 1
            guard options.filter.admits(item) else {
                yield.filtered += 1
                continue
            }
            admitted += 1
            if options.range?.contains(admitted) != false { yield.items.append(item) }
        }
        if !isPassed { emptyPages = admitted == admittedBefore ? emptyPages + 1 : 0 }
        if taken == items.count { yield.page = sequence?.completedPage }
        if sequence?.isFinished != false || admitted >= limit || isPastDates(items) {
            finish()
        } else if pageBudget <= 0 {
            isCutShort = true
            finish()
        }
        return yield
    }

    /// The fetches that are no longer awaited, each given once.
    mutating func takeAbandoned() -> [Int] {
        defer { abandoned = [] }
        return abandoned
    }

    /// Ends the listing here, and gives up all that has not arrived.
    mutating func finish() {
        isFinished = true
        abandon(from: 0)
    }

    /// Whether items are older than all that is wanted, as is what follows them.
    private mutating func isPastDates(_ items: [Item]) -> Bool {
        guard let since = options.filter.since else { return false }
        dateOrder?.add(items, since: since)
        return dateOrder.map { $0.isNewestFirst && $0.hasPassed } ?? false
    }

    /// The items of the next page that did not come before.
    private mutating func nextItems() throws -> [Item]? {
        guard let result = slots.first?.result else { return nil }
        slots.removeFirst()
        let page = try result.get()
        let items = try sequence?.advance(past: page)
        pageSize = max(pageSize, page.items.count)
        if let following = slots.first, sequence?.isFinished != false || following.fetch.query != sequence?.query {
            abandon(from: 0)
        }
        return items
    }

    /// The query of one more page, where it is known and fewer than `count` are under way.
    private func nextQuery(within count: Int) -> ProviderQuery? {
        guard slots.count < count, slots.last?.isLast != true else { return nil }
        return sequence?.position.query(ahead: slots.count)
    }

    private mutating func abandon(from index: Int) {
        abandoned += slots[index...].filter { $0.result == nil }.map(\.fetch.number)
        slots.removeSubrange(index...)
    }

    /// How many pages may be requested and not delivered yet.
    private func pagesWanted(isBufferEmpty: Bool) -> Int {
        guard !isFinished else { return 0 }
        let inFlight = options.pagesInFlight
        guard inFlight > 1 else { return isBufferEmpty ? 1 : 0 }
        guard isBufferEmpty || hasPassedFirstPage else { return 0 }
        let isEndKnown = (total != nil || wantsManyPages) && !options.isOpenEnded
        let ahead = options.pagesAhead ?? inFlight
        return min(isEndKnown ? ahead : min(inFlight, max(1, pages)), pagesNeeded)
    }

    /// Whether eight rounds or more are wanted, so that requests past the end, one round at most, are few beside them.
    private var wantsManyPages: Bool {
        options.filter.isEmpty && !options.isOpenEnded && limit - admitted >= 8 * options.pagesInFlight * pageSize
    }

    /// The fewest pages that what is wanted may come on.
    private var pagesNeeded: Int {
        var expected = Double(pageSize)
        if !options.filter.isEmpty, considered > 0 {
            // Twice the share that was let through so far: rather a round more than requests for nothing.
            expected = min(expected, 2 * expected * Double(admitted) / Double(considered))
        }
        guard expected > 0 else { return pageBudget }
        return Int(min(Double(pageBudget), (Double(limit - admitted) / expected).rounded(.up)))
    }

    /// Pages that may still be looked through: those that bring nothing new may go on for ever.
    private var pageBudget: Int {
        let considered = pages + (progress?.pages ?? 0)
        return options.maximumPages - (options.filter.isEmpty ? emptyPages : max(considered, emptyPages))
    }
}
