import ProviderModel
import ProviderRuntime

/// The pages of one listing, in order, as far as there are answers.
package struct ListingWalk: Sendable {
    /// How a walk ended.
    package enum End: Sendable {
        /// The provider, its total or an empty page said that there is no more, or as many pages came as were wanted.
        case reached
        /// The next page is in no cassette.
        case unrecorded(UnmatchedRequest)
        /// It has more pages than ``longest``.
        case endless
        case failed(any Error)
    }

    package var call: ProviderCall
    package var pages: [Page] = []
    package var end = End.reached
    /// How many pages were recorded, where that is told and not all of them were meant to be.
    package var recordedPages: Int?

    /// The maximum number of pages that are walked.
    static let longest = 60

    /// Follows a listing, whose first page may be there already, for at most so many pages.
    init(
        of call: ProviderCall, in manifest: ProviderManifest, first: Page? = nil, most: Int,
        _ ask: (ProviderCall) async -> Result<ProviderCall.Result, any Error>
    ) async {
        self.call = call
        guard let query = call.query else { return }
        var position = ListingPosition(before: query, of: manifest)
        var known = first
        while pages.count < most {
            var page = known
            known = nil
            if page == nil {
                switch await ask(call.with(position.query)) {
                case .success(let result): page = result.page
                case .failure(let error):
                    end = (error as? UnmatchedRequest).map { .unrecorded($0) } ?? .failed(error)
                }
            }
            guard let page else { return }
            pages.append(page)
            position.advance(past: page)
            guard !position.isFinished else { return }
        }
        if most >= Self.longest { end = .endless }
    }

    /// The error that ended the walk; nil where none did.
    var error: (any Error)? {
        switch end {
        case .reached, .endless: nil
        case .unrecorded(let request): request
        case .failed(let error): error
        }
    }

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

    /// The query after a single page; nil at the end.
    static func next(
        after page: Page, of query: ProviderQuery, in manifest: ProviderManifest
    ) -> ProviderQuery? {
        var position = ListingPosition(before: query, of: manifest)
        position.advance(past: page)
        return position.isFinished ? nil : position.query
    }
}
