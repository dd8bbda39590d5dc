import ProviderModel
import Testing

@testable import Search

@Suite("The next page follows from the pages before")
struct PageSequenceTests {
    private func sequence(
        _ paging: Paging, limit: Int = 10, reachable: Int? = nil
    ) -> PageSequence {
        var query = ProviderQuery(text: "x")
        query.limit = limit
        let manifest = ProviderManifest.fake {
            $0.paging = paging
            $0.limits.reachable = reachable
        }
        return PageSequence(query: query, manifest: manifest, operation: .search)
    }

    /// A page of `count` items that no other page of this number has.
    private func page(_ number: Int, _ count: Int = 10, total: Int? = nil, next: Page.Next = .counted) -> Page {
        .fake("fake", (0..<count).map { "\(number)-\($0)" }, total: total, next: next)
    }

    @Test(arguments: [Paging.page, .page0, .offset])
    func countedPagesFollowOneAnotherUntilTheTotal(_ paging: Paging) throws {
        var pages = sequence(paging)
        #expect(pages.query.offset == 0)
        for number in 1...2 {
            #expect(pages.query.page == number)
            try pages.advance(past: page(number, total: 25))
            #expect(!pages.isFinished)
            #expect(pages.query.offset == number * 10)
        }
        try pages.advance(past: page(3, 5, total: 25))
        #expect(pages.isFinished)
    }

    @Test func totalThatIsReachedExactlyNeedsNoEmptyPage() throws {
        var pages = sequence(.page)
        try pages.advance(past: page(1, total: 10))
        #expect(pages.isFinished)
    }

    @Test func withoutTotalTheFirstEmptyPageIsTheEnd() throws {
        var pages = sequence(.page)
        try pages.advance(past: page(1))
        try pages.advance(past: page(2, 3))
        #expect(!pages.isFinished, "a short page need not be the last")
        try pages.advance(past: page(3, 0))
        #expect(pages.isFinished)
    }

    @Test func nullAsNextEndsACountedListing() throws {
        var pages = sequence(.page)
        try pages.advance(past: page(1, total: 100, next: .end))
        #expect(pages.isFinished)
    }

    @Test func cursorIsHandedBackUntilItIsNull() throws {
        var pages = sequence(.cursor)
        #expect(pages.query.cursor == nil)
        let cursor = JSONText(validated: #"{"after":1}"#)
        try pages.advance(past: page(1, total: 5, next: .cursor(cursor)))
        #expect(pages.query.cursor == cursor)
        #expect(!pages.isFinished, "where there is a cursor the total does not count")
        try pages.advance(past: page(2, next: .end))
        #expect(pages.isFinished)
        #expect(pages.query.cursor == nil)
    }

    @Test func emptyPageWithCursorGoesOn() throws {
        var pages = sequence(.cursor)
        try pages.advance(past: page(1, 0, next: .cursor(JSONText(validated: "1"))))
        #expect(!pages.isFinished)
    }

    @Test(arguments: [Paging.cursor, .none])
    func withoutNextThereIsOnePage(_ paging: Paging) throws {
        var pages = sequence(paging)
        try pages.advance(past: page(1, total: 100))
        #expect(pages.isFinished)
    }

    @Test(arguments: [(10, 20, 2), (10, 25, 3), (30, 20, 1)])
    func nothingIsAskedForBeyondWhatIsReachable(limit: Int, reachable: Int, count: Int) throws {
        var pages = sequence(.page, limit: limit, reachable: reachable)
        var asked = 0
        while !pages.isFinished {
            asked += 1
            try pages.advance(past: page(asked, limit, total: 1_000))
        }
        #expect(asked == count)
    }

    @Test func pageThatComesTwiceIsAnError() throws {
        var pages = sequence(.page)
        try pages.advance(past: page(1))
        let error = #expect(throws: ProviderError.self) { try pages.advance(past: page(1)) }
        #expect(error?.code == .changed)
        #expect(error?.description == "fake.js:3 search: page 2 repeats page 1 (10 items, first “1-0”)")
    }

    @Test func cursorThatLeadsBackIsAnError() throws {
        var pages = sequence(.cursor)
        for (number, cursor) in [(1, "1"), (2, "2")] {
            try pages.advance(past: page(number, next: .cursor(JSONText(validated: cursor))))
        }
        let error = #expect(throws: ProviderError.self) {
            try pages.advance(past: page(3, next: .cursor(JSONText(validated: "1"))))
        }
        #expect(error?.code == .changed)
        #expect(error?.message == "page 3 leads back to a page that came before (next is “1”)")
    }
}
