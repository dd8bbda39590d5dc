import ProviderModel
import ProviderRuntime

/// The pages of one listing, in order, as far as there are recorded answers.
package struct ListingWalk: Sendable {
    /// How a walk ended.
    package enum End: Sendable {
        /// The provider, its total or an empty page said that there is no more.
        case reached
        /// The next page is in no cassette.
        case unrecorded(UnmatchedRequest)
        /// It went on for longer than any cassette is.
        case endless
        case failed(any Error)
    }

    package var call: ProviderCall
    package var pages: [Page]
    package var end: End

    /// Whether it goes on after all that its total counts has come.
    var goesOnBeyondItsTotal: Bool {
        guard let last = pages.last, let total = last.total, total > 0, case .cursor = last.next else { return false }
        return pages.reduce(0) { $0 + $1.items.count } >= total
    }

    /// Whether the host counts pages, and the source says how many items there are: the end is known, unrecorded.
    var endsAtItsTotal: Bool {
        guard let last = pages.last, case .counted = last.next else { return false }
        return last.total ?? 0 > 0
    }

    /// More pages than anyone records.
    static let longest = 60

    /// What is asked for after a page; nil at the end.
    static func next(
        after page: Page, of query: ProviderQuery, in manifest: ProviderManifest
    ) -> ProviderQuery? {
        var next = query
        let reached = query.offset + max(page.items.count, query.limit)
        next.cursor = nil
        switch page.next {
        case .end: return nil
        case .cursor(let cursor): next.cursor = cursor
        case .counted:
            guard [.page, .page0, .offset].contains(manifest.paging), !page.items.isEmpty else { return nil }
            if let total = page.total, reached >= total { return nil }
        }
        if let reachable = manifest.limits.reachable, reached >= reachable { return nil }
        next.page += 1
        next.offset = reached
        return next
    }
}
