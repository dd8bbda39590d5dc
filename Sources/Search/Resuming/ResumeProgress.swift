import ProviderModel

/// How far the listing of one provider has been delivered.
public struct ResumeProgress: Codable, Hashable, Sendable {
    /// Where the first page begins that has not been delivered as a whole.
    public struct Position: Codable, Hashable, Sendable {
        /// The page's number, from 1.
        public var page = 1
        /// The index of the page's first item, from 0.
        public var offset = 0
        /// What the page before gave as `next`, JSON.
        public var cursor: String?
        /// Items per page, which page number and cursor may depend on.
        public var pageSize: Int
    }

    /// A page that has been delivered as a whole.
    struct CompletedPage: Hashable, Sendable {
        /// Where the listing goes on.
        let next: Position
        /// Items of the page that a filter left out.
        let leftOut: [String]
        /// Whether the page was the last.
        let isLast: Bool
    }

    /// Where to go on; nil before the first page has been delivered.
    public private(set) var position: Position?
    /// Images delivered, in all runs.
    public private(set) var delivered = 0
    /// How many items the source said there are.
    public internal(set) var total: Int?
    /// Whether there is nothing left.
    public private(set) var isFinished = false
    /// A hash of the provider's script, by which a change of it is noticed.
    public internal(set) var revision: String?
    /// Items of the last pages, so that those which moved to a later page are known again.
    private(set) var passedIDs: [String] = []
    /// Items of the page at `position` that have been delivered.
    private(set) var unfinishedIDs: [String] = []

    /// A listing of which nothing has been delivered.
    public init() {}

    /// The number of the page to go on with, from 1.
    public var page: Int { position?.page ?? 1 }

    /// Items that a later page may repeat.
    var rememberedIDs: [String] { passedIDs + unfinishedIDs }

    /// Counts an image as delivered.
    mutating func handOut(_ id: String) {
        delivered += 1
        unfinishedIDs.append(id)
    }

    /// Counts an item as seen that the consumer has from elsewhere.
    mutating func skip(_ id: String) { unfinishedIDs.append(id) }

    /// Moves past a page.
    mutating func complete(_ page: CompletedPage) {
        position = page.next
        isFinished = page.isLast
        passedIDs += unfinishedIDs + page.leftOut
        unfinishedIDs = []
        // Two pages, as far as that is not too much to write down after every page.
        let memory = min(max(100, 2 * page.next.pageSize), 2_000)
        if passedIDs.count > memory { passedIDs.removeFirst(passedIDs.count - memory) }
    }

    /// Makes a listing's first query go on here.
    ///
    /// The page size may have changed since: a cursor keeps the one it was made for, a page number is reckoned anew where
    /// the items that then come again are remembered. So none is lost.
    func resume(_ query: inout ProviderQuery, of manifest: ProviderManifest) {
        guard let position else { return }
        let wanted = query.limit
        query.limit = manifest.limits.pageSize.clamp(position.pageSize)
        query.page = position.page
        query.offset = position.offset
        query.cursor = position.cursor.map { JSONText(validated: $0) }
        guard query.cursor == nil else { return }
        switch manifest.paging {
        case .offset:
            query.limit = wanted
            query.page = position.offset / wanted + 1
        case .page, .page0:
            let start = (position.page - 1) * position.pageSize
            if start % wanted <= passedIDs.count { query.limit = wanted }
            guard query.limit != position.pageSize else { return }
            query.page = start / query.limit + 1
            query.offset = start - start % query.limit
        case .cursor, .none: break
        }
    }
}

extension PageSequence {
    /// The page just taken as delivered, but for items that a filter left out.
    func completedPage(leavingOut leftOut: [String]) -> ResumeProgress.CompletedPage {
        let next = ResumeProgress.Position(
            page: query.page, offset: query.offset, cursor: query.cursor?.description, pageSize: query.limit)
        return ResumeProgress.CompletedPage(next: next, leftOut: leftOut, isLast: isFinished)
    }
}
