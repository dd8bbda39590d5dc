import ProviderModel

/// One provider's part of a listing: its pages one after another, filtered and without repeats, up to its limit.
///
/// Decides which pages are fetched and when; somebody else fetches them. The first page goes alone: it costs one
/// request to see that a listing fits on it. Who wants more than the first page is taken to want all up to the limit:
/// from then on pages are fetched ahead, never more than the limit, the total and the reachable depth leave to be had,
/// and never more than `pagesInFlight` beyond the page being handed out, apart from those being read. Without a total,
/// which leaves the end unknown, no more are in flight than have come before, so that the requests past the end are fewer
/// than the useful ones. Where so much is wanted that one round is a small part of it, a whole round goes out at first.
struct ProviderPager {
    /// What a page brought.
    struct Yield {
        var items: [Item]
        /// Items a filter left out.
        var filtered = 0
        /// Where the listing stands when the items have been handed out; nil when some of the page are left over.
        var passage: ResumeProgress.Passage?
    }

    let name: String
    let open: @Sendable () async throws -> any ImageSource
    let listing: Listing
    /// Whether no page follows those that were taken.
    private(set) var isFinished: Bool
    /// Whether more than one page has been wanted.
    private(set) var goesPastFirstPage: Bool
    private let text: String
    private let options: SearchOptions
    private let progress: ResumeProgress?
    /// Whether the source's requests wait for their turns, so that more pages may be begun than are in flight.
    private var takesTurns = false
    /// The requests that may be under way.
    let turns: RequestPermits
    private var window: PageWindow?
    /// Items let through, looked at, and pages they came on.
    private var admitted = 0
    private var considered = 0
    private var pages = 0
    /// Pages in a row that brought nothing.
    private var barrenPages = 0

    init(
        name: String, listing: Listing, text: String, options: SearchOptions, after progress: ResumeProgress? = nil,
        open: @escaping @Sendable () async throws -> any ImageSource
    ) {
        self.name = name
        self.listing = listing
        self.text = text
        self.options = options
        self.progress = progress
        self.open = open
        turns = RequestPermits(options.pagesInFlight)
        goesPastFirstPage = progress != nil
        isFinished = options.limit <= 0 || progress?.isFinished == true
    }

    /// How many items the source says there are.
    var total: Int? { window?.sequence.total ?? progress?.total }

    /// Makes the first query of an opened source.
    mutating func opened(_ source: any ImageSource) throws(ProviderError) {
        let manifest = source.manifest
        takesTurns = source.takesTurns
        var query = try QueryBuilder(manifest: manifest, listing: listing).query(text: text, options: options)
        progress?.resume(&query, of: manifest)
        window = PageWindow(
            PageSequence(
                query: query, manifest: manifest, operation: listing.operation, after: progress,
                answersAreRecorded: options.answersAreRecorded))
        if total == nil { turns.hold(from: options.pagesInFlight) }
    }

    /// Whether there is something to fetch now; `isDry` says that nothing is left to be handed out.
    func wantsToFetch(isDry: Bool) -> Bool {
        guard let window else { return isDry && !isFinished }
        return window.extends(to: pagesWanted(of: window, isDry: isDry))
    }

    /// The pages to fetch now.
    mutating func fetches(isDry: Bool) -> [PageWindow.Fetch] {
        guard let window else { return [] }
        if isDry, pages > 0 || isCrawl(window) { goesPastFirstPage = true }
        let wanted = pagesWanted(of: window, isDry: isDry)
        return self.window?.extend(to: wanted) ?? []
    }

    /// Notes that the answer to a fetch is there and has only to be read.
    mutating func answered(_ number: Int) { window?.answered(number) }

    /// Takes what came of a fetch.
    mutating func receive(_ result: Result<Page, any Error>, of number: Int) { window?.receive(result, of: number) }

    /// What the next page in turn brought, once it has arrived.
    mutating func next() throws -> Yield? {
        guard !isFinished, let items = try window?.next() else { return nil }
        pages += 1
        if pages == 1 { turns.letGo() }
        considered += items.count
        var yield = Yield(items: [])
        var leftOut: [String] = []
        var taken = 0
        for item in items where admitted < options.limit {
            taken += 1
            guard options.filter.admits(item) else {
                leftOut.append(item.id)
                continue
            }
            yield.items.append(item)
            admitted += 1
        }
        yield.filtered = leftOut.count
        barrenPages = yield.items.isEmpty ? barrenPages + 1 : 0
        if taken == items.count { yield.passage = window?.sequence.passage(leavingOut: leftOut) }
        if window?.sequence.isFinished != false || admitted >= options.limit || pageBudget <= 0 { finish() }
        return yield
    }

    /// The fetches that nobody waits for any more, each told once.
    mutating func takeAbandoned() -> [Int] { window?.takeAbandoned() ?? [] }

    /// Ends the listing here.
    mutating func finish() {
        isFinished = true
        window?.close()
    }

    /// How many pages may be asked for and not handed out yet.
    private func pagesWanted(of window: PageWindow, isDry: Bool) -> Int {
        guard !isFinished else { return 0 }
        let inFlight = options.pagesInFlight
        guard inFlight > 1 else { return isDry ? 1 : 0 }
        guard isDry || goesPastFirstPage else { return 0 }
        let known = total == nil && !isCrawl(window) ? max(1, pages) : inFlight
        var wanted = min(inFlight, known)
        // While answers are read, others may be on their way, and a round of requests made ready goes out as soon as turns
        // come; with a slow reader no more may pile up. Past an unknown end, and after a first page, they would be too many.
        // Of those made ready beside the first round none goes out before its first page has come.
        let isBounded = total != nil || pages == 0 && isCrawl(window)
        if takesTurns, goesPastFirstPage, isBounded { wanted += min(window.reading, inFlight) + inFlight }
        return min(wanted, pagesNeeded(of: window.pageSize))
    }

    /// Whether eight rounds or more are wanted, so that requests for nothing, one round at most, are few beside them.
    private func isCrawl(_ window: PageWindow) -> Bool {
        options.filter.isEmpty && options.limit - admitted >= 8 * options.pagesInFlight * window.pageSize
    }

    /// The fewest pages that what is wanted may come on.
    private func pagesNeeded(of pageSize: Int) -> Int {
        var expected = Double(pageSize)
        if !options.filter.isEmpty, considered > 0 {
            // Twice the share that was let through so far: rather a round more than requests for nothing.
            expected = min(expected, 2 * expected * Double(admitted) / Double(considered))
        }
        let budget = Double(pageBudget)
        guard expected > 0 else { return pageBudget }
        return Int(min(budget, (Double(options.limit - admitted) / expected).rounded(.up)))
    }

    /// Pages that may still be looked through: those that bring nothing new may go on for ever.
    private var pageBudget: Int {
        options.maximumPages - (options.filter.isEmpty ? barrenPages : max(pages, barrenPages))
    }
}
