import ProviderModel

/// Which page of a listing comes next, decided from the pages that came before.
struct PageSequence {
    private(set) var query: ProviderQuery
    private(set) var isFinished = false
    private let manifest: ProviderManifest
    private let operation: Operation
    private var seenCursors: Set<JSONText> = []
    private var lastIDs: [String] = []
    private var pages = 0

    init(query: ProviderQuery, manifest: ProviderManifest, operation: Operation) {
        self.query = query
        self.manifest = manifest
        self.operation = operation
    }

    /// Takes a page into account; afterwards `query` asks for the next, or `isFinished`.
    mutating func advance(past page: Page) throws(ProviderError) {
        pages += 1
        let ids = page.items.map(\.id)
        guard ids.isEmpty || ids != lastIDs else {
            throw fault("page \(pages) repeats page \(pages - 1) (\(ids.count) items, first \(ids[0].quoted))")
        }
        lastIDs = ids.isEmpty ? lastIDs : ids
        let reached = query.offset + max(ids.count, query.limit)
        query.cursor = nil
        switch page.next {
        case .end: isFinished = true
        case .cursor(let cursor):
            guard seenCursors.insert(cursor).inserted else {
                throw fault("page \(pages) leads back to a page that came before (next is \(cursor.description.quoted))")
            }
            query.cursor = cursor
        case .counted: isFinished = !countsOn(after: page, reached: reached)
        }
        query.page += 1
        query.offset = reached
        if let reachable = manifest.limits.reachable, reached >= reachable { isFinished = true }
    }

    /// Whether a listing that is counted by the host has another page.
    private func countsOn(after page: Page, reached: Int) -> Bool {
        guard manifest.paging == .page || manifest.paging == .page0 || manifest.paging == .offset else { return false }
        guard !page.items.isEmpty else { return false }
        return page.total.map { reached < $0 } ?? true
    }

    private func fault(_ message: String) -> ProviderError {
        ProviderError(
            .changed, provider: manifest.id.description, operation: operation,
            location: manifest.description(of: operation)?.location, message: message)
    }
}
