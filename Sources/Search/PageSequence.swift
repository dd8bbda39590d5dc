import ProviderModel

/// Determines the next page of a listing from the former pages.
struct PageSequence {
    /// Asks for the next page.
    private(set) var query: ProviderQuery
    private(set) var isFinished = false
    /// The total number of items that the source reported last.
    private(set) var total: Int?
    private let manifest: ProviderManifest
    private let operation: Operation
    private let answersAreRecorded: Bool
    private var seenIDs: Set<String>
    private var seenCursors: Set<JSONText> = []
    /// Page numbers by the ids on the page.
    private var seenPages: [[String]: Int] = [:]
    /// Pages in a row with nothing but items that came before.
    private var stalePages = 0
    /// Whether a page was larger than was asked for, so that the next is elsewhere than counting from afar says.
    private var hasLargerPages = false

    init(
        query: ProviderQuery, manifest: ProviderManifest, operation: Operation, after progress: ResumeProgress? = nil,
        answersAreRecorded: Bool = false
    ) {
        self.answersAreRecorded = answersAreRecorded
        self.query = query
        self.manifest = manifest
        self.operation = operation
        total = progress?.total
        seenIDs = Set(progress?.rememberedIDs ?? [])
        if let cursor = query.cursor { seenCursors.insert(cursor) }
    }

    /// The query `count` pages after the next, where it is known without the pages between.
    func query(ahead count: Int) -> ProviderQuery? {
        guard !isFinished else { return nil }
        guard count > 0 else { return query }
        guard isCounted, query.cursor == nil, !hasLargerPages else { return nil }
        var ahead = query
        ahead.page += count
        ahead.offset += count * query.limit
        guard ahead.offset < manifest.limits.reachable ?? .max, ahead.offset < total ?? .max else { return nil }
        return ahead
    }

    /// Takes a page into account and returns its new items; afterwards `query` asks for the next, or `isFinished`.
    mutating func advance(past page: Page) throws(ProviderError) -> [Item] {
        if answersAreRecorded, hasBeen(page) {
            // The nearest recording to what was asked for: there is none of the page itself.
            isFinished = true
            return []
        }
        let items = try newItems(of: page)
        total = page.total ?? total
        hasLargerPages = hasLargerPages || page.items.count > query.limit
        let reached = query.offset + max(page.items.count, query.limit)
        query.cursor = nil
        switch page.next {
        case .end: isFinished = true
        case .cursor(let cursor):
            guard seenCursors.insert(cursor).inserted else {
                isFinished = true
                if answersAreRecorded { break }
                throw fault(
                    "page \(query.page) repeats an earlier page (next is \(cursor.description.quoted))")
            }
            query.cursor = cursor
        case .counted: isFinished = !isCounted || page.items.isEmpty || reached >= total ?? .max
        }
        query.page += 1
        query.offset = reached
        if let reachable = manifest.limits.reachable, reached >= reachable { isFinished = true }
        return items
    }

    /// Whether the host counts, as long as a page does not say otherwise.
    private var isCounted: Bool {
        switch manifest.paging {
        case .page, .page0, .offset: true
        case .cursor, .none: false
        }
    }

    /// Whether the very same items came before.
    private func hasBeen(_ page: Page) -> Bool {
        !page.items.isEmpty && seenPages[page.items.map(\.id)] != nil
    }

    private mutating func newItems(of page: Page) throws(ProviderError) -> [Item] {
        guard let first = page.items.first else { return [] }
        if let earlier = seenPages.updateValue(query.page, forKey: page.items.map(\.id)) {
            throw fault(
                "page \(query.page) repeats page \(earlier) (\(page.items.count.counted("item")), first \(first.id.quoted))"
            )
        }
        let items = page.items.filter { seenIDs.insert($0.id).inserted }
        stalePages = items.isEmpty ? stalePages + 1 : 0
        // Items that are added at the front of a counted list move others to a page that comes later; a cursor stays put.
        let tolerated = isCounted ? 3 : 1
        guard stalePages <= tolerated else {
            throw fault("pages \(query.page - tolerated) to \(query.page) have only repeated items")
        }
        return items
    }

    private func fault(_ message: String) -> ProviderError {
        ProviderError(
            .changed, provider: manifest.id.description, operation: operation,
            location: manifest.description(of: operation)?.location, message: message)
    }
}
