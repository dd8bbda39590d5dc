import ProviderModel

/// How much of one provider's listing has been delivered.
public struct ResumeProgress: Codable, Hashable, Sendable {
    /// The beginning of the first page that has not been delivered completely.
    public struct Position: Codable, Hashable, Sendable {
        /// The page's number, from 1.
        public var page = 1
        /// The index of the page's first item, from 0.
        public var offset = 0
        /// The `next` of the previous page, as JSON.
        public var cursor: String?
        /// The number of items per page, which page number and cursor may depend on.
        public var pageSize: Int
        /// The number of entries on the pages before.
        public var received = 0
        /// The largest number of entries on a page before.
        public var largestPage = 0
    }

    /// A page that has been delivered as a whole.
    struct CompletedPage: Hashable, Sendable {
        /// Where the listing goes on.
        let next: Position
        /// Whether the page was the last.
        let isLast: Bool
    }

    /// Where to continue; nil before the first page has been delivered.
    public private(set) var position: Position?
    /// The number of images delivered in all runs.
    public private(set) var delivered = 0
    /// Images that another provider had delivered, which count towards the limit as well.
    private(set) var repeated = 0
    /// Pages that were looked through since the listing was begun, or last came to an end of its own.
    private(set) var pages = 0
    /// Whether the run that left this here was killed: it may have delivered items of the page at `position`.
    private(set) var mayRepeat = false
    /// The total number of items that the source reported.
    public internal(set) var total: Int?
    /// Whether no items are left.
    public private(set) var isFinished = false
    /// A hash of the provider's script, to notice a change of it.
    public internal(set) var revision: String?
    /// The filter that the pages before ``position`` were read with: what it left out has not been delivered.
    var filter: String?
    /// The items of the last pages, to recognise those that move to a later page; all of them in a stored listing.
    private(set) var passedIDs: [String] = []
    /// Items of the page at `position` that have been delivered.
    private(set) var unfinishedIDs: [String] = []
    /// Page URLs of images that were delivered, of a stored listing over several providers.
    private(set) var passedPages: [String] = []

    private enum CodingKeys: CodingKey {
        case position, delivered, repeated, pages, mayRepeat, total, isFinished, revision, filter, passedIDs,
            unfinishedIDs
    }

    /// Creates the progress of a listing of which nothing has been delivered.
    public init() {}

    /// The number of the page to continue with, from 1.
    public var page: Int { position?.page ?? 1 }

    /// How many images count towards the limit.
    var counted: Int { delivered + repeated }

    /// The same place, from which as many images are wanted as of a listing that begins.
    var withoutCounts: ResumeProgress {
        var progress = self
        (progress.delivered, progress.repeated, progress.pages) = (0, 0, 0)
        return progress
    }

    /// The same without what was seen, which ``restoring(_:)`` puts back.
    package var withoutSeen: ResumeProgress {
        var progress = self
        (progress.passedIDs, progress.unfinishedIDs, progress.passedPages) = ([], [], [])
        return progress
    }

    /// The same with everything that was seen.
    package func restoring(_ seen: SeenItems) -> ResumeProgress {
        var progress = self
        (progress.passedIDs, progress.unfinishedIDs, progress.passedPages) = (seen.ids, [], seen.pages)
        return progress
    }

    /// The same for a filter: with another one than before the listing is read from its first page again, without the images
    /// that were delivered.
    func restarted(for filter: String) -> ResumeProgress {
        var progress = self
        progress.filter = filter
        progress.unfinishedIDs = []
        (progress.passedIDs, progress.position, progress.isFinished) = (rememberedIDs, nil, false)
        progress.pages = 0
        return progress
    }

    /// Items that a later page may repeat.
    var rememberedIDs: [String] { passedIDs + unfinishedIDs }

    /// Counts an image as delivered.
    mutating func handOut(_ id: String) {
        delivered += 1
        unfinishedIDs.append(id)
    }

    /// Counts an item that another provider has delivered.
    mutating func skip(_ id: String) {
        repeated += 1
        unfinishedIDs.append(id)
    }

    /// Notes that a run goes on here; until it ends, a page may have been delivered that is not counted.
    mutating func goOn() { mayRepeat = true }

    /// Notes that a run has ended, and whether that is because it did not want to look through more pages.
    mutating func stop(isComplete: Bool) {
        mayRepeat = false
        if isComplete { pages = 0 }
    }

    /// Moves past a page.
    mutating func complete(_ page: CompletedPage) {
        position = page.next
        isFinished = page.isLast
        mayRepeat = true
        pages += 1
        passedIDs += unfinishedIDs
        unfinishedIDs = []
        // Two pages, as far as that is not too much to write down after every page.
        let memory = min(max(100, 2 * page.next.pageSize), 2_000)
        if passedIDs.count > memory { passedIDs.removeFirst(passedIDs.count - memory) }
    }

    /// The position in a listing from which it continues, for the query of its first page.
    ///
    /// The page size may differ from the stored one: a cursor keeps its own, a page number is recalculated if the items that
    /// then repeat are known. So no item is lost.
    func resume(_ query: ProviderQuery, of manifest: ProviderManifest) -> ListingPosition {
        guard let position else { return ListingPosition(before: query, of: manifest, total: total) }
        let wanted = query.limit
        var (query, received, largest) = (query, position.received, position.largestPage)
        var fallback: ListingPosition.Fallback?
        query.limit = manifest.limits.pageSize.clamp(position.pageSize)
        query.page = position.page
        query.offset = position.offset
        query.cursor = position.cursor.map { JSONText(validated: $0) }
        switch manifest.paging {
        case .offset where query.cursor == nil:
            query.limit = wanted
            query.page = position.offset / wanted + 1
        case .page, .page0:
            guard query.cursor == nil else { break }
            let start = min((position.page - 1) * position.pageSize, received)
            // Pages of another size begin elsewhere, if those before had as many entries as were asked for.
            let isFull = received == (position.page - 1) * position.pageSize
            if isFull, start % wanted <= passedIDs.count { query.limit = wanted }
            guard query.limit != position.pageSize else { break }
            query.page = start / query.limit + 1
            query.offset = start - start % query.limit
            fallback = ListingPosition.Fallback(page: position.page, limit: position.pageSize, received: received)
            (received, largest) = (query.offset, query.limit)
        case .offset, .cursor, .none: break
        }
        return ListingPosition(
            before: query, of: manifest, received: received, largestPage: largest, total: total, fallback: fallback)
    }
}

/// Items that a listing has come past, by which those that come again are known.
package struct SeenItems: Codable, Hashable, Sendable {
    var ids: [String] = []
    /// The URLs of their pages, by which other providers' images are known to be the same.
    var pages: [String] = []

    package init(ids: [String] = [], pages: [String] = []) { (self.ids, self.pages) = (ids, pages) }

    package static func += (seen: inout SeenItems, more: SeenItems) {
        seen.ids += more.ids
        seen.pages += more.pages
    }
}

extension PageSequence {
    /// The page just taken, as delivered.
    var completedPage: ResumeProgress.CompletedPage {
        let next = ResumeProgress.Position(
            page: query.page, offset: query.offset, cursor: query.cursor?.description, pageSize: query.limit,
            received: position.received, largestPage: position.largestPage)
        return ResumeProgress.CompletedPage(next: next, isLast: isFinished)
    }
}
