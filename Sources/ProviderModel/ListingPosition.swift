/// A position in a listing: the query of the next page, as it follows from what the pages before brought.
///
/// What counts is what came, not what was asked for: a source may give fewer entries on a page than were asked for, and a
/// script may leave some of them out. A counted listing ends at the source's total, at the depth that it lets anyone reach,
/// or with a page without entries. Where the total says that more entries follow an empty page, it is passed.
package struct ListingPosition: Hashable, Sendable {
    /// The maximum number of empty pages in a row that are passed on the way to a total.
    package static let toleratedEmptyPages = 3

    /// The query of the next page.
    package private(set) var query: ProviderQuery
    /// Whether no page follows.
    package private(set) var isFinished = false
    /// The total number of entries that the source reported last.
    package private(set) var total: Int?
    /// The number of entries on the pages before, repeated and left out ones included.
    package private(set) var received: Int
    /// The largest number of entries on a page so far; 0 before the first page.
    package private(set) var largestPage: Int
    /// The numbers of the pages that were empty though more entries were to follow.
    package private(set) var emptyPages: [Int] = []
    private let paging: Paging
    private let reachable: Int?
    /// The place where the listing goes on if the first page shows that the source does not give pages of this size.
    private var fallback: Fallback?
    private var emptyInARow = 0
    /// The size of the last page.
    private var lastCount: Int?
    /// The size that the next pages are likely to have; nil while sizes vary.
    private var steadySize: Int?
    /// The size of all pages so far; nil once they differ.
    private var commonSize: Int?

    /// A place in a listing whose pages have another size.
    package struct Fallback: Hashable, Sendable {
        /// The number of the page.
        package let page: Int
        /// The number of items per page.
        package let limit: Int
        /// The number of entries before it.
        package let received: Int

        /// A place before a page.
        package init(page: Int, limit: Int, received: Int) {
            (self.page, self.limit, self.received) = (page, limit, received)
        }
    }

    /// The position before a page.
    ///
    /// - Parameters:
    ///   - query: the query of the page.
    ///   - manifest: the provider's manifest.
    ///   - received: the number of entries before it; nil for as many as were asked for.
    ///   - largestPage: the largest number of entries on a page before; 0 where no page came before.
    ///   - total: the total number of entries, as far as the source has reported it.
    ///   - fallback: the same place by pages of a size that the source has given; nil where pages had the query's.
    package init(
        before query: ProviderQuery, of manifest: ProviderManifest, received: Int? = nil, largestPage: Int = 0,
        total: Int? = nil, fallback: Fallback? = nil
    ) {
        self.fallback = fallback
        self.query = query
        self.largestPage = largestPage
        self.total = total
        paging = manifest.paging
        reachable = manifest.limits.reachable
        self.received = received ?? (paging == .offset ? query.offset : (query.page - 1) * query.limit)
        steadySize = largestPage == 0 || largestPage == query.limit ? query.limit : nil
        commonSize = largestPage > 0 && self.received == (query.page - 1) * largestPage ? largestPage : nil
    }

    /// Whether the host counts, as long as a page does not say otherwise.
    package var isCounted: Bool {
        switch paging {
        case .page, .page0, .offset: true
        case .cursor, .none: false
        }
    }

    /// The query `count` pages after the next, where it is known without the pages between.
    package func query(ahead count: Int) -> ProviderQuery? {
        guard !isFinished else { return nil }
        guard count > 0 else { return query }
        guard isCounted, query.cursor == nil, fallback == nil else { return nil }
        var ahead = query
        ahead.page += count
        if paging == .offset {
            guard let steadySize else { return nil }
            ahead.offset += count * steadySize
        } else {
            ahead.offset += count * query.limit
        }
        guard depth(of: ahead) < reachable ?? .max, reached + count * expectedSize < total ?? .max else { return nil }
        return ahead
    }

    /// Moves past a page; afterwards ``query`` asks for the next, or ``isFinished``.
    ///
    /// `isRepeated` says that all its items came before.
    package mutating func advance(past page: Page, isRepeated: Bool = false) {
        let count = page.entryCount
        total = page.total ?? total
        if let fallback = fallback.take(), count != query.limit, received + count < total ?? .max {
            (query.page, query.limit, query.offset) = (fallback.page, fallback.limit, fallback.received)
            (received, largestPage, steadySize, commonSize) = (fallback.received, 0, nil, nil)
            return
        }
        note(count)
        query.cursor = nil
        switch paging {
        case .offset: moveOffset(past: count, isRepeated: isRepeated)
        case .page, .page0: query.offset += query.limit
        case .cursor, .none: query.offset += count
        }
        switch page.next {
        case .end: isFinished = true
        case .cursor(let cursor): query.cursor = cursor
        case .counted: isFinished = !isCounted || isEnd(after: count)
        }
        query.page += 1
        if depth(of: query) >= reachable ?? .max { isFinished = true }
    }

    /// Moves the offset behind what came.
    private mutating func moveOffset(past count: Int, isRepeated: Bool) {
        // An empty page stands for one of the size that is usual.
        let expected = min(query.limit, expectedSize)
        if count == 0 {
            query.offset += expected
        } else if isRepeated, count < expected {
            // The script leaves out entries uncounted, or the source rounds offsets to whole pages.
            query.offset += expected
        } else {
            query.offset += count
        }
    }

    /// Ends the listing here.
    package mutating func finish() { isFinished = true }

    private mutating func note(_ count: Int) {
        received += count
        guard count > 0 else {
            // What an empty page stands for is not known.
            steadySize = nil
            return
        }
        commonSize = largestPage == 0 || commonSize == count ? count : nil
        steadySize = count == query.limit || count == lastCount ? count : nil
        largestPage = max(largestPage, count)
        lastCount = count
    }

    /// Whether a counted listing has no more after a page with so many entries.
    private mutating func isEnd(after count: Int) -> Bool {
        guard let total else { return count == 0 }
        guard reached < total else { return true }
        guard count == 0 else {
            emptyInARow = 0
            return false
        }
        // Pages as large as the largest would have come to the total by now: scripts leave out entries uncounted.
        guard paging == .offset || query.page * expectedSize < total else { return true }
        emptyPages.append(query.page)
        emptyInARow += 1
        return emptyInARow > Self.toleratedEmptyPages
    }

    /// How far the listing has been read, as the source counts its total.
    private var reached: Int { paging == .offset ? query.offset : received }

    private var expectedSize: Int { largestPage > 0 ? largestPage : query.limit }

    /// How deep a page lies, as the source counts what can be reached.
    private func depth(of query: ProviderQuery) -> Int {
        switch paging {
        case .offset: query.offset
        // The source's own pages are of the size that all had; where sizes differ, the script leaves out entries.
        default: max(received, (query.page - 1) * (commonSize ?? query.limit))
        }
    }
}
