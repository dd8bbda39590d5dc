import ProviderModel
import Testing

@testable import Search

@Suite("The next page follows from the pages before")
struct PageSequenceTests {
    private func sequence(
        _ paging: Paging, limit: Int = 10, reachable: Int? = nil, answersAreRecorded: Bool = false
    ) -> PageSequence {
        var query = ProviderQuery(text: "x")
        query.limit = limit
        let manifest = ProviderManifest.fake {
            $0.paging = paging
            $0.limits.reachable = reachable
        }
        return PageSequence(
            query: query, manifest: manifest, operation: .search, answersAreRecorded: answersAreRecorded)
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
            _ = try pages.advance(past: page(number, total: 25))
            #expect(!pages.isFinished)
            #expect(pages.query.offset == number * 10)
        }
        _ = try pages.advance(past: page(3, 5, total: 25))
        #expect(pages.isFinished)
    }

    @Test func totalThatIsReachedExactlyNeedsNoEmptyPage() throws {
        var pages = sequence(.page)
        _ = try pages.advance(past: page(1, total: 10))
        #expect(pages.isFinished)
    }

    @Test func withoutTotalTheFirstEmptyPageIsTheEnd() throws {
        var pages = sequence(.page)
        _ = try pages.advance(past: page(1))
        _ = try pages.advance(past: page(2, 3))
        #expect(!pages.isFinished, "a short page need not be the last")
        _ = try pages.advance(past: page(3, 0))
        #expect(pages.isFinished)
    }

    /// A server that gives fewer entries than are asked for.
    @Test(arguments: [Paging.page, .page0, .offset])
    func pagesSmallerThanAskedForAreFollowedToTheTotal(_ paging: Paging) throws {
        var pages = sequence(paging, limit: 30)
        for number in 1...4 {
            #expect(!pages.isFinished && pages.query.page == number)
            if paging == .offset { #expect(pages.query.offset == (number - 1) * 15) }
            #expect(try pages.advance(past: page(number, 15, total: 60)).count == 15)
        }
        #expect(pages.isFinished)
    }

    @Test func entriesThatAScriptLeavesOutCountAsReceived() throws {
        var pages = sequence(.offset)
        var page = page(1, 4, total: 30)
        page.received = 10
        _ = try pages.advance(past: page)
        #expect(pages.query.offset == 10)
        page = self.page(2, 0, total: 30)
        page.received = 10
        _ = try pages.advance(past: page)
        #expect(!pages.isFinished && pages.query.offset == 20, "a page whose entries were left out is not the end")
        #expect(pages.position.emptyPages.isEmpty)
    }

    @Test(arguments: [Paging.page, .offset])
    func emptyPageBeforeTheTotalIsPassedWithinBounds(_ paging: Paging) throws {
        var pages = sequence(paging)
        _ = try pages.advance(past: page(1, total: 100))
        _ = try pages.advance(past: page(2, 0, total: 100))
        #expect(!pages.isFinished && pages.query.offset == 20)
        _ = try pages.advance(past: page(3, total: 100))
        #expect(pages.position.emptyPages == [2])
        for number in 4...7 {
            #expect(!pages.isFinished)
            _ = try pages.advance(past: page(number, 0, total: 100))
        }
        #expect(pages.isFinished, "after more than three in a row")
        #expect(pages.position.emptyPages == [2, 4, 5, 6, 7])
    }

    @Test func nullAsNextEndsACountedListing() throws {
        var pages = sequence(.page)
        _ = try pages.advance(past: page(1, total: 100, next: .end))
        #expect(pages.isFinished)
    }

    @Test func cursorIsSentBackUntilItIsNull() throws {
        var pages = sequence(.cursor)
        #expect(pages.query.cursor == nil)
        let cursor = JSONText(validated: #"{"after":1}"#)
        _ = try pages.advance(past: page(1, total: 5, next: .cursor(cursor)))
        #expect(pages.query.cursor == cursor)
        #expect(!pages.isFinished, "where there is a cursor the total does not count")
        _ = try pages.advance(past: page(2, next: .end))
        #expect(pages.isFinished)
        #expect(pages.query.cursor == nil)
    }

    @Test func emptyPageWithCursorGoesOn() throws {
        var pages = sequence(.cursor)
        _ = try pages.advance(past: page(1, 0, next: .cursor(JSONText(validated: "1"))))
        #expect(!pages.isFinished)
    }

    @Test(arguments: [Paging.cursor, .none])
    func withoutNextThereIsOnePage(_ paging: Paging) throws {
        var pages = sequence(paging)
        _ = try pages.advance(past: page(1, total: 100))
        #expect(pages.isFinished)
    }

    @Test(arguments: [(10, 20, 2), (10, 25, 3), (30, 20, 1)])
    func nothingIsAskedForBeyondWhatIsReachable(limit: Int, reachable: Int, count: Int) throws {
        var pages = sequence(.page, limit: limit, reachable: reachable)
        var asked = 0
        while !pages.isFinished {
            asked += 1
            _ = try pages.advance(past: page(asked, limit, total: 1_000))
        }
        #expect(asked == count)
    }

    @Test func pageThatComesTwiceIsAnError() throws {
        var pages = sequence(.page)
        _ = try pages.advance(past: page(1))
        let error = #expect(throws: ProviderError.self) { try pages.advance(past: page(1)) }
        #expect(error?.code == .changed)
        #expect(error?.description == "fake.js:3 search: page 2 repeats page 1 (10 items, first \"1-0\")")
        pages = sequence(.cursor)
        _ = try pages.advance(past: page(1, 1, next: .cursor(JSONText(validated: "1"))))
        let second = #expect(throws: ProviderError.self) {
            try pages.advance(past: page(1, 1, next: .cursor(JSONText(validated: "2"))))
        }
        #expect(second?.message == "page 2 repeats page 1 (1 item, first \"1-0\")")
    }

    @Test func recordedListingEndsWhereARecordingComesAgain() throws {
        var pages = sequence(.page, answersAreRecorded: true)
        #expect(try pages.advance(past: page(1)).count == 10)
        #expect(try pages.advance(past: page(1)).isEmpty)
        #expect(pages.isFinished)
        var cursors = sequence(.cursor, answersAreRecorded: true)
        _ = try cursors.advance(past: page(1, next: .cursor(JSONText(validated: "1"))))
        #expect(try cursors.advance(past: page(2, next: .cursor(JSONText(validated: "1")))).count == 10)
        #expect(cursors.isFinished)
    }

    @Test func cursorThatLeadsBackIsAnError() throws {
        var pages = sequence(.cursor)
        for (number, cursor) in [(1, "1"), (2, "2")] {
            _ = try pages.advance(past: page(number, next: .cursor(JSONText(validated: cursor))))
        }
        let error = #expect(throws: ProviderError.self) {
            _ = try pages.advance(past: page(3, next: .cursor(JSONText(validated: "1"))))
        }
        #expect(error?.code == .changed)
        #expect(error?.message == "page 3 repeats an earlier page (next is \"1\")")
    }

    @Test func pageThatComesAgainAfterOthersIsAnError() throws {
        var pages = sequence(.offset)
        for number in 1...3 { _ = try pages.advance(past: page(number)) }
        let error = #expect(throws: ProviderError.self) { try pages.advance(past: page(2)) }
        #expect(error?.message == "page 4 repeats page 2 (10 items, first \"2-0\")")
    }

    @Test func itemsThatMovedToALaterPageAreLeftOut() throws {
        var pages = sequence(.page)
        _ = try pages.advance(past: .fake("fake", ["1", "2", "3"]))
        #expect(try pages.advance(past: .fake("fake", ["3", "4", "3"])).map(\.id) == ["4"])
    }

    @Test(arguments: [(Paging.page, 3), (.page0, 3), (.offset, 20), (.cursor, 1)])
    func pagesOfRepeatsAreToleratedButNotForEver(_ paging: Paging, tolerated: Int) throws {
        var pages = sequence(paging)
        let next = { (number: Int) in
            paging == .cursor ? Page.Next.cursor(JSONText(validated: "\(number)")) : .counted
        }
        _ = try pages.advance(past: .fake("fake", (1...30).map { "\($0)" }, next: next(0)))
        for number in 1...tolerated {
            #expect(try pages.advance(past: .fake("fake", ["\(number)"], next: next(number))).isEmpty)
        }
        let error = #expect(throws: ProviderError.self) {
            try pages.advance(past: .fake("fake", ["5", "1"], next: next(9)))
        }
        #expect(error?.message == "pages 2 to \(tolerated + 2) have only repeated items")
    }

    @Test func newItemsMakeUpForPagesOfRepeats() throws {
        var pages = sequence(.page)
        _ = try pages.advance(past: .fake("fake", (1...9).map { "\($0)" }))
        for number in 1...9 {
            let ids = number.isMultiple(of: 3) ? ["\(number)", "new \(number)"] : ["\(number)"]
            _ = try pages.advance(past: .fake("fake", ids))
        }
    }

    @Test func lastWordOnTheTotalCounts() throws {
        var pages = sequence(.page)
        _ = try pages.advance(past: page(1, total: 100))
        #expect(pages.position.query(ahead: 8)?.page == 10)
        _ = try pages.advance(past: page(2, total: 40))
        #expect(pages.position.query(ahead: 1)?.page == 4)
        #expect(pages.position.query(ahead: 2) == nil)
        _ = try pages.advance(past: page(3))
        #expect(!pages.isFinished)
        _ = try pages.advance(past: page(4))
        #expect(pages.isFinished, "a total given once holds")
    }

    @Test(
        arguments: [
            (Paging.page, nil, [1, 2, 3, 4]), (.page0, 25, [1, 2, 3]), (.offset, 30, [1, 2, 3]), (.cursor, nil, [1]),
            (.none, nil, [1]),
        ] as [(Paging, Int?, [Int])])
    func pagesAheadAreReportedWhereTheHostCounts(_ paging: Paging, reachable: Int?, expected: [Int]) {
        let pages = sequence(paging, reachable: reachable)
        #expect((0..<4).compactMap { pages.position.query(ahead: $0)?.page } == expected)
        #expect((0..<4).compactMap { pages.position.query(ahead: $0)?.offset } == expected.map { ($0 - 1) * 10 })
    }

    @Test func cursorOfACountedListingEndsTheCounting() throws {
        var pages = sequence(.page)
        _ = try pages.advance(past: page(1, total: 100, next: .cursor(JSONText(validated: "7"))))
        #expect(pages.position.query(ahead: 0)?.cursor == JSONText(validated: "7"))
        #expect(pages.position.query(ahead: 1) == nil)
    }
}
