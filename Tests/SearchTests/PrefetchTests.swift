import ProviderModel
import Synchronization
import TestSupport
import Testing

@testable import Search

@Suite("Pages are fetched ahead, side by side", .timeLimit(.minutes(1)))
struct PrefetchTests {
    private static let fault = ProviderError(.transport, provider: "a", message: "no network")

    private func options(limit: Int, pageSize: Int = 20, inFlight: Int = 4) -> SearchOptions {
        var options = SearchOptions(limit: limit, pageSize: pageSize)
        options.pagesInFlight = inFlight
        return options
    }

    private func search(_ source: HeldSource, _ options: SearchOptions) -> MergedSearch {
        MergedSearch([source.entry], listing: .search("x"), options: options)
    }

    @Test func listingHasAsManyInFlightAsAllowedAndNeverMore() async {
        let source = HeldSource(items: 4_000, total: 4_000)
        let events = Task { await search(source, options(limit: 4_000, inFlight: 16)).all() }
        var rounds = 0
        var left = 200
        while left > 0 {
            let expected = min(16, left)
            let pages = await source.waiting(expected)
            #expect(pages.count == expected)
            source.release(pages)
            rounds += 1
            left -= pages.count
        }
        #expect(rounds == 13)
        #expect(source.most == 16)
        #expect(await events.value == (0..<4_000).map { "a \($0)" } + ["a gave 4000 of 4000"])
        #expect(source.asked == Array(1...200))
    }

    @Test func sourceThatLimitsItsRequestsIsAskedForMorePages() async {
        let source = HeldSource(items: 400, total: 400)
        var options = options(limit: 400)
        options.pagesAhead = 7
        let events = Task { [options] in await search(source, options).all() }
        await source.waiting(for: [1])
        source.release([1])
        await source.waiting(for: [2, 3, 4, 5, 6, 7, 8])
        #expect(source.most == 7)
        events.cancel()
        _ = await events.value
    }

    @Test func deliveredPageAllowsOneMore() async {
        let source = HeldSource(items: 400, total: 400)
        let events = Task { await search(source, options(limit: 400)).all() }
        await source.waiting(for: [1])
        source.release([1])
        await source.waiting(for: [2, 3, 4, 5])
        source.release([2])
        await source.waiting(for: [3, 4, 5, 6])
        // Arrived, but not their turn: they count, or a stalled page would let any number pile up behind it.
        source.release([4, 5])
        await source.waiting(for: [3, 6])
        source.release([3])
        await source.waiting(for: [6, 7, 8, 9])
        events.cancel()
        _ = await events.value
    }

    @Test(arguments: [[5, 4, 3, 2], [3, 2, 5, 4], [2, 3, 4, 5]])
    func itemsComeInOrderInWhateverOrderPagesArrive(_ order: [Int]) async {
        let source = HeldSource(items: 90, total: 90)
        let events = Task { await search(source, options(limit: 100)).all() }
        await source.waiting(for: [1])
        source.release([1])
        await source.waiting(for: [2, 3, 4, 5])
        source.release(order)
        #expect(await events.value == (0..<90).map { "a \($0)" } + ["a gave 90 of 90"])
        #expect(source.asked == [1, 2, 3, 4, 5])
    }

    @Test(arguments: [
        (20, 1_000, [1]), (21, 1_000, [1, 2]), (40, 1_000, [1, 2]), (50, 1_000, [1, 2, 3]), (100, 55, [1, 2, 3]),
        (100, 20, [1]), (1_000, 60, [1, 2, 3]),
    ])
    func noPageIsAskedForThatTheLimitCannotNeed(limit: Int, total: Int, pages: [Int]) async {
        let source = FakeSource("a", pages: Self.pages(total), total: total)
        let options = self.options(limit: limit, inFlight: 16)
        #expect(await MergedSearch([source], options: options).all().count == min(limit, total) + 1)
        #expect(source.pages == pages)
    }

    @Test func nothingIsAskedForBeyondWhatIsReachable() async {
        let answers = Self.pages(1_000).map { FakeSource.Answer.page(.fake("a", $0, total: 1_000)) }
        let source = FakeSource("a", answers) { $0.limits.reachable = 70 }
        _ = await MergedSearch([source], options: options(limit: 1_000, inFlight: 16)).all()
        #expect(source.pages == [1, 2, 3, 4])
    }

    @Test func nothingIsFetchedAheadOfTheFirstPagesEnd() async {
        let source = FakeSource("a", pages: Self.pages(400), total: 400)
        let events = MergedSearch([source], options: options(limit: 400)).makeAsyncIterator()
        for _ in 1...20 { _ = await events.next() }
        #expect(source.pages == [1])
        #expect(await events.next().map(text) == "a 20")
        #expect(source.pages.starts(with: [1, 2]))
    }

    @Test func nothingIsFetchedAheadWhereOneIsAllowed() async {
        let source = FakeSource("a", pages: Self.pages(100), total: 100)
        let events = MergedSearch([source], options: options(limit: 100, inFlight: 1)).makeAsyncIterator()
        for count in 1...100 {
            _ = await events.next()
            #expect(source.pages.count == (count + 19) / 20)
        }
    }

    @Test func cursorIsFollowedOnePageAhead() async {
        let source = HeldSource(prepare: { $0.paging = .cursor }) { query in
            .fake("a", ["\(query.page)-1", "\(query.page)-2"], next: .cursor(JSONText(validated: "\(query.page)")))
        }
        let merge = search(source, options(limit: 60, pageSize: 2)).merger(fairStart: .zero)
        async let first = merge.next()
        await source.waiting(for: [1])
        source.release([1])
        #expect(await first.map(text) == "a 1-1")
        #expect(await merge.next().map(text) == "a 1-2")
        #expect(source.asked == [1])
        async let third = merge.next()
        await source.waiting(for: [2])
        source.release([2])
        #expect(await third.map(text) == "a 2-1")
        await source.waiting(for: [3])
        #expect(source.asked == [1, 2, 3])
    }

    @Test func unknownEndIsApproachedWithFewerInFlightThanHaveCome() async {
        let source = HeldSource(items: 200, total: nil)
        let events = Task { await search(source, options(limit: 1_000, inFlight: 16)).all() }
        var next = 1
        for count in [1, 1, 2, 4] {
            let pages = Array(next..<(next + count))
            await source.waiting(for: pages)
            // The last first: otherwise those before make room while others still wait.
            source.release(pages.reversed())
            next += count
        }
        source.release(await source.waiting(8).reversed())
        #expect(await events.value.count == 201)
        #expect(source.asked == Array(1...16))
    }

    @Test func roundThatAResumedListingBeginsWithAsksForNothingMorePastTheEnd() async {
        let source = HeldSource(items: 50, total: nil)
        let events = Task { await search(source, options(limit: 2_560, inFlight: 16)).all() }
        await source.waiting(for: Array(1...16))
        source.release(Array(1...4))
        #expect(await events.value == (0..<50).map { "a \($0)" } + ["a gave 50 of ?"])
        await source.cancelled(Set(5...16))
        #expect(source.asked == Array(1...16))
    }

    @Test func failureComesAfterTheItemsOfThePagesBefore() async {
        let source = HeldSource { query in
            if query.page == 4 { throw Self.fault }
            return .fake("a", ["\(query.page)"], total: 100)
        }
        let events = Task { await search(source, options(limit: 30, pageSize: 1)).all() }
        await source.waiting(for: [1])
        source.release([1])
        await source.waiting(for: [2, 3, 4, 5])
        source.release([4])
        await source.cancelled([5])
        source.release([3, 2])
        #expect(await events.value == ["a 1", "a 2", "a 3", "a failed: no network"])
        #expect(source.asked == [1, 2, 3, 4, 5])
    }

    @Test func failurePastTheEndIsNone() async {
        let source = HeldSource { query in
            if query.page > 4 { throw Self.fault }
            return .fake("a", query.page == 4 ? [] : ["\(query.page)"], total: nil)
        }
        let events = Task { await search(source, options(limit: 30, pageSize: 1)).all() }
        for (waiting, released) in [([1], 1), ([2], 2), ([3, 4], 3), ([4, 5, 6], 5)] {
            await source.waiting(for: waiting)
            source.release([released])
        }
        await source.cancelled([6])
        source.release([4])
        #expect(await events.value == ["a 1", "a 2", "a 3", "a gave 3 of ?"])
    }

    @Test func totalThatShrinksEndsTheListingAndWhatIsInFlight() async {
        let source = HeldSource { query in
            .fake("a", ["\(query.page)"], total: query.page < 3 ? 100 : 3)
        }
        let events = Task { await search(source, options(limit: 30, pageSize: 1)).all() }
        await source.waiting(for: [1])
        source.release([1])
        await source.waiting(for: [2, 3, 4, 5])
        source.release([3, 2])
        #expect(await events.value == ["a 1", "a 2", "a 3", "a gave 3 of 3"])
        await source.cancelled([4, 5, 6])
    }

    @Test func droppingTheIteratorCancelsEveryPageInFlight() async {
        let source = HeldSource(items: 400, total: 400)
        do {
            let merge = search(source, options(limit: 400)).merger(fairStart: .zero)
            async let first = merge.next()
            await source.waiting(for: [1])
            source.release([1])
            #expect(await first.map(text) == "a 0")
            for _ in 2...20 { _ = await merge.next() }
            async let other = merge.next()
            await source.waiting(for: [2, 3, 4, 5])
            source.release([2])
            #expect(await other.map(text) == "a 20")
        }
        await source.cancelled([3, 4, 5, 6])
    }

    @Test func reachingTheLimitLeavesNothingInFlight() async {
        // Larger pages than were asked for: the limit is reached before what was thought to be needed has come.
        let source = HeldSource { query in
            .fake("a", (0..<(query.page == 1 ? 2 : 6)).map { "\(query.page)-\($0)" }, total: 100)
        }
        let events = Task { await search(source, options(limit: 8, pageSize: 2)).all() }
        await source.waiting(for: [1])
        source.release([1])
        await source.waiting(for: [2, 3, 4])
        source.release([2])
        #expect(await events.value.count == 9)
        await source.cancelled([3, 4])
    }

    @Test func pagesLargerThanAskedForMoveTheOnesAfter() async {
        let source = FakeSource(
            "a",
            [
                .page(.fake("a", ["1", "2"], total: 8)), .page(.fake("a", ["3", "4", "5"], total: 8)),
                .page(.fake("a", ["6", "7", "8"], total: 8)),
            ]
        ) { $0.paging = .offset }
        let events = await MergedSearch([source], options: options(limit: 60, pageSize: 2)).all()
        #expect(events == (1...8).map { "a \($0)" } + ["a gave 8 of 8"])
        #expect(source.queries.contains { $0.page == 3 && $0.offset == 5 })
    }

    @Test func filteredListingLooksAheadByWhatItLetThrough() async {
        func source() -> FakeSource {
            let answers = Self.pages(2_000).map { ids in
                var page = Page.fake("a", ids, total: 2_000)
                for index in page.items.indices where index.isMultiple(of: 4) { page.items[index].tags = ["red"] }
                return FakeSource.Answer.page(page)
            }
            return FakeSource("a", answers)
        }
        var options = self.options(limit: 20, inFlight: 16)
        options.filter.tags = ["red"]
        let red = source()
        #expect(await MergedSearch([red], options: options).all().last == "a gave 20 of 2000, 57 left out")
        #expect(red.pages == [1, 2, 3, 4], "five of twenty are red")
        options.filter.tags = ["blue"]
        let none = source()
        #expect(await MergedSearch([none], options: options).all() == ["a gave 0 of 2000, 400 left out"])
        #expect(none.pages == Array(1...20))
    }

    /// Items by number, in pages of twenty.
    private static func pages(_ count: Int) -> [[String]] {
        stride(from: 0, to: count, by: 20).map { start in (start..<min(count, start + 20)).map { "\($0)" } }
    }
}
