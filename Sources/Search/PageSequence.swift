import ProviderModel

/// Determines the next page of a listing from the former pages, and which of their items are new.
struct PageSequence {
    /// The position of the next page.
    private(set) var position: ListingPosition
    private let manifest: ProviderManifest
    private let operation: ProviderOperation
    private let answersAreRecorded: Bool
    /// The number of items on the last page that earlier runs delivered.
    private(set) var deliveredBefore = 0
    /// The items that earlier runs delivered.
    private let deliveredIDs: Set<String>
    /// The items of the pages of this run.
    private var seenIDs: Set<String> = []
    private var seenCursors: Set<JSONText> = []
    /// Page numbers by the ids on the page.
    private var seenPages: [[String]: Int] = [:]
    /// Pages in a row with nothing but items that came before.
    private var stalePages = 0
    /// Whether the page before was smaller than was asked for, so that an offset continues amid the page that was asked for.
    private var followsShortPage = false

    init(
        query: ProviderQuery, manifest: ProviderManifest, operation: ProviderOperation,
        after progress: ResumeProgress? = nil,
        answersAreRecorded: Bool = false
    ) {
        self.answersAreRecorded = answersAreRecorded
        self.manifest = manifest
        self.operation = operation
        position = progress?.resume(query, of: manifest) ?? ListingPosition(before: query, of: manifest)
        deliveredIDs = Set(progress?.rememberedIDs ?? [])
        if let cursor = position.query.cursor { seenCursors.insert(cursor) }
    }

    /// The query of the next page.
    var query: ProviderQuery { position.query }

    /// Whether no page follows.
    var isFinished: Bool { position.isFinished }

    /// The total number of items that the source reported last.
    var total: Int? { position.total }

    /// Takes a page into account and returns its new items; afterwards `query` asks for the next, or `isFinished`.
    mutating func advance(past page: Page) throws(ProviderError) -> [Item] {
        if answersAreRecorded, hasBeen(page) {
            // The nearest recording to what was asked for: there is none of the page itself.
            position.finish()
            return []
        }
        let items = try newItems(of: page)
        if case .cursor(let cursor) = page.next, !seenCursors.insert(cursor).inserted {
            guard answersAreRecorded else {
                throw fault("page \(query.page) repeats an earlier page (next is \(cursor.description.quoted))")
            }
            position.finish()
        }
        followsShortPage = page.entryCount < query.limit
        position.advance(past: page, isRepeated: stalePages > 0)
        return items
    }

    /// Whether the very same items came before.
    private func hasBeen(_ page: Page) -> Bool {
        !page.items.isEmpty && seenPages[page.items.map(\.id)] != nil
    }

    private mutating func newItems(of page: Page) throws(ProviderError) -> [Item] {
        deliveredBefore = 0
        guard let first = page.items.first else { return [] }
        // Behind the items of a short page the same ones may come again: the script leaves out others, or the source rounds offsets.
        let mayRepeat = manifest.paging == .offset && followsShortPage
        if let earlier = seenPages.updateValue(query.page, forKey: page.items.map(\.id)), !mayRepeat {
            throw fault(
                "page \(query.page) repeats page \(earlier) (\(page.items.count.counted("item")), first \(first.id.quoted))"
            )
        }
        let unseen = page.items.filter { seenIDs.insert($0.id).inserted }
        let items = unseen.filter { !deliveredIDs.contains($0.id) }
        deliveredBefore = unseen.count - items.count
        stalePages = unseen.isEmpty ? stalePages + 1 : 0
        // Items that are added at the front of a counted list move others to a page that comes later; a cursor stays put.
        let tolerated = mayRepeat ? 20 : position.isCounted ? 3 : 1
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
