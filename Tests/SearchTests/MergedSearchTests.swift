import ProviderModel
import TestSupport
import Testing

@testable import Search

@Suite("Several providers are one listing")
struct MergedSearchTests {
    private static let fault = ProviderError(.transport, provider: "b", message: "no network")

    @Test func firstTurnOfAllComesBeforeTheSecondOfAny() async {
        let gate = Gate()
        let sources = [
            FakeSource("a", pages: [["1", "2", "3"]]), FakeSource("b", pages: [["1", "2"]]),
            FakeSource("c", [.held(gate, .fake("c", ["1", "2"], total: 2))]),
        ]
        let merge = SearchMerger(sources.map(\.pager), fairStart: .seconds(3_600))
        var seen: [String] = []
        for _ in 1...2 { seen.append(await merge.next().map(text) ?? "") }
        #expect(Set(seen) == ["a 1", "b 1"])
        gate.open()
        while let event = await merge.next() { seen.append(text(event)) }
        #expect(seen[2] == "c 1")
        #expect(Set(seen[3...5]) == ["a 2", "b 2", "c 2"])
        #expect(Set(seen[6...]) == ["a 3", "a gave 3 of 3", "b gave 2 of 2", "c gave 2 of 2"])
    }

    /// Where the newest come first, those before a date follow one another.
    ///
    /// Reading ends at the first page of them; what only claims to be in that order is read to its end.
    @Test(
        arguments: [
            (true, 7, [1, 2, 3]), (false, 7, [1, 2, 3, 4, 5, 6]),
            // Each page of one date; pages whose second image is the newer one.
            (true, 0, [1, 2, 3]), (true, 2026, [1, 2, 3, 4, 5, 6]),
        ] as [(Bool, Int, [Int])])
    func listingInOrderOfDateEndsAtTheFirstOlderPage(_ isNewestFirst: Bool, _ step: Int, _ read: [Int]) async {
        let answers = (0..<6).map { number in
            var page = Page.fake("a", ["\(number)-1", "\(number)-2"], total: 12)
            for index in page.items.indices {
                let day = step == 0 ? 1 : step == 2026 ? 1 + index : 20 - index * step
                page.items[index].created = "\(2026 - number)-05-\(day < 10 ? "0" : "")\(day)"
            }
            return FakeSource.Answer.page(page)
        }
        let source = FakeSource("a", answers) { $0.operations[0].isNewestFirst = isNewestFirst }
        var options = SearchOptions(limit: 100, pageSize: 2)
        options.pagesInFlight = 1
        options.filter.since = FilterDate("2025-05-01")
        let events = await MergedSearch([source], options: options).all()
        #expect(events.prefix(4) == ["a 0-1", "a 0-2", "a 1-1", "a 1-2"])
        #expect(source.pages == read)
    }

    /// A pinned post comes first whatever its date.
    @Test func oneDateOutOfOrderChangesNothing() async {
        let answers = (0..<4).map { number in
            var page = Page.fake("a", (0..<6).map { "\(number)-\($0)" }, total: 24)
            for index in page.items.indices { page.items[index].created = "\(2026 - number)-05-0\(9 - index)" }
            if number == 0 { page.items[0].created = "2001-01-01" }
            return FakeSource.Answer.page(page)
        }
        let source = FakeSource("a", answers) { $0.operations[0].isNewestFirst = true }
        var options = SearchOptions(limit: 100, pageSize: 6)
        options.pagesInFlight = 1
        options.filter.since = FilterDate("2025")
        _ = await MergedSearch([source], options: options).all()
        #expect(source.pages == [1, 2, 3])
    }

    @Test func slowProviderDelaysNoOther() async {
        let gate = Gate()
        let sources = ["a", "b"].map { FakeSource($0, pages: [["1", "2", "3"]]) }
        let slow = FakeSource("c", [.held(gate, .fake("c", ["1"], total: 1))])
        let merge = SearchMerger((sources + [slow]).map(\.pager), fairStart: .milliseconds(1))
        var seen: [String] = []
        while seen.count < 8, let event = await merge.next() { seen.append(text(event)) }
        for name in ["a", "b"] {
            #expect(
                seen.filter { $0.hasPrefix(name) } == ["\(name) 1", "\(name) 2", "\(name) 3", "\(name) gave 3 of 3"])
        }
        gate.open()
        while let event = await merge.next() { seen.append(text(event)) }
        #expect(seen.suffix(2) == ["c 1", "c gave 1 of 1"])
    }

    @Test func failureIsOneEventAndTheOthersGoOn() async {
        let failing = FakeSource("b", [.page(.fake("b", ["1"], total: 99)), .failure(Self.fault)])
        let events = await MergedSearch([FakeSource("a", pages: [["1", "2"]]), failing]).all()
        #expect(events.filter { $0.contains("failed") } == ["b failed: no network"])
        #expect(Set(events) == ["a 1", "a 2", "b 1", "b failed: no network", "a gave 2 of 2"])
        #expect(failing.queries.count == 2)
    }

    @Test func providerThatDoesNotOpenIsOneFailure() async {
        let good = FakeSource("a", pages: [["1"]])
        let bad: @Sendable () async throws -> any ImageSource = { throw Self.fault }
        let search = MergedSearch([good.entry, ("b", bad)], listing: .search("x"), options: SearchOptions())
        #expect(Set(await search.all()) == ["a 1", "a gave 1 of 1", "b failed: no network"])
    }

    @Test func repeatsWithinAProviderAreDroppedById() async {
        let source = FakeSource("a", pages: [["1", "2", "1"], ["2", "3"]], total: 60)
        #expect(await MergedSearch([source]).all() == ["a 1", "a 2", "a 3", "a gave 3 of 60"])
    }

    @Test func repeatsAcrossProvidersAreDroppedByPage() async throws {
        func source(_ name: String, _ pages: [String?]) throws -> FakeSource {
            var page = Page.fake(name, pages.indices.map { "\($0)" }, total: pages.count)
            for (index, url) in pages.enumerated() {
                page.items[index].page = try url.map { text throws(InvalidURL) in try WebURL(text) }
            }
            return FakeSource(name, [.page(page)])
        }
        let sources = [
            try source("a", ["https://example.com/1", nil]), try source("b", ["https://example.com/1", nil]),
        ]
        let events = await MergedSearch(sources).all()
        #expect(events.filter { $0.hasSuffix(" 0") }.count == 1)
        #expect(events.filter { $0.hasSuffix(" 1") }.count == 2, "items without a page are no repeats of one another")
    }

    @Test func nothingIsFetchedBeforeItIsPulled() async {
        let source = FakeSource("a", pages: [["1"]])
        let search = MergedSearch([source])
        let events = search.makeAsyncIterator()
        #expect(source.queries.isEmpty)
        _ = await events.next()
        #expect(source.queries.count == 1)
    }

    @Test func nextPageIsRequestedWhenTheLastIsDelivered() async {
        let source = FakeSource("a", pages: [["1", "2"], ["3"]])
        let events = MergedSearch([source], options: SearchOptions(limit: 20)).makeAsyncIterator()
        for _ in 1...2 {
            _ = await events.next()
            #expect(source.queries.count == 1)
        }
        #expect(await events.next().map(text) == "a 3")
        #expect(source.pages == [1, 2])
    }

    @Test func droppingTheIteratorCancelsWhatIsUnderWay() async {
        let slow = FakeSource("b", [.held(Gate(), .fake("b", ["1"]))])
        do {
            let events = MergedSearch([FakeSource("a", pages: [["1"]]), slow]).makeAsyncIterator()
            #expect(await events.next().map(text) == "a 1")
            await slow.started.opened()
        }
        await slow.cancelled.opened()
    }

    @Test func cancelledPullEndsTheListing() async {
        let slow = FakeSource("a", [.held(Gate(), .fake("a", ["1"]))])
        let pull = Task { await MergedSearch([slow]).all() }
        await slow.started.opened()
        pull.cancel()
        #expect(await pull.value == [])
        await slow.cancelled.opened()
    }

    @Test func limitIsEachProvidersOwn() async {
        let sources = ["a", "b"].map { FakeSource($0, pages: [["1", "2"], ["3", "4"], ["5"]], total: 9) }
        let events = await MergedSearch(sources, options: SearchOptions(limit: 3, pageSize: 2)).all()
        for name in ["a", "b"] {
            #expect(
                events.filter { $0.hasPrefix(name) } == ["\(name) 1", "\(name) 2", "\(name) 3", "\(name) gave 3 of 9"])
        }
        #expect(sources.map(\.queries.count) == [2, 2])
    }

    @Test func limitOfNoneAsksForNothing() async {
        let source = FakeSource("a", pages: [["1"], ["2"]])
        #expect(await MergedSearch([source], options: SearchOptions(limit: 0)).all() == ["a gave 0 of ?"])
        #expect(source.queries.isEmpty)
    }

    @Test func filteredItemsAreCountedAndPagesLookedThroughAreBounded() async {
        let source = FakeSource("a", pages: (1...9).map { ["\($0)-1", "\($0)-2"] }, total: 999)
        var options = SearchOptions(limit: 5, pageSize: 2)
        options.filter.tags = ["red"]
        options.maximumPages = 4
        #expect(await MergedSearch([source], options: options).all() == ["a gave 0 of 999, 8 left out"])
        #expect(source.queries.count == 4)
    }

    @Test func pagesWithNothingButRepeatsAreAnErrorInTheEnd() async {
        // Eleven items in another order each time, as a list of random images gives them.
        let ids = (1...11).map { "\($0)" }
        let pages = (0..<50).map { Array(ids[($0 % 11)...] + ids[..<($0 % 11)]) }
        let source = FakeSource("a", pages: pages, total: 999)
        let events = await MergedSearch([source], options: SearchOptions(limit: 99, pageSize: 11)).all()
        #expect(events == ids.map { "a \($0)" } + ["a failed: pages 2 to 5 have only repeated items"])
        #expect(source.pages.allSatisfy { $0 <= 8 }, "what is in flight by then, and no more")
    }

    @Test func emptyPagesWithoutEndComeToAnEnd() async {
        let empty = (1...50).map { number in
            FakeSource.Answer.page(.fake("a", [], next: .cursor(JSONText(validated: "\(number)"))))
        }
        let source = FakeSource("a", empty) { $0.paging = .cursor }
        var options = SearchOptions(limit: 5)
        options.maximumPages = 4
        #expect(await MergedSearch([source], options: options).all() == ["a gave 0 of ?"])
        #expect(source.pages == [1, 2, 3, 4])
    }

    @Test func emptyPagesWithACursorAreGoneThrough() async {
        let cursors = (1...3).map { Page.Next.cursor(JSONText(validated: "\($0)")) }
        let empty = cursors.map { FakeSource.Answer.page(.fake("a", [], next: $0)) }
        let source = FakeSource("a", empty + [.page(.fake("a", ["1"], next: .end))]) { $0.paging = .cursor }
        #expect(await MergedSearch([source]).all() == ["a 1", "a gave 1 of ?"])
        #expect(source.queries.map { $0.cursor?.description } == [nil, "1", "2", "3"])
    }
}
