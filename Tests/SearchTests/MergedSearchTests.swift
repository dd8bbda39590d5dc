import ProviderModel
import Testing
import TestSupport

@testable import Search

@Suite("Several providers are one listing")
struct MergedSearchTests {
    private static let fault = ProviderError(.transport, provider: "b", message: "no network")

    @Test func itemsComeInTurnOnceAllHaveAnswered() async {
        let gate = Gate()
        let first = FakeSource("a", [.held(gate, .fake("a", ["1", "2", "3"], total: 3))])
        let second = FakeSource("b", [.held(gate, .fake("b", ["1"], total: 1))])
        let third = FakeSource("c", [.held(gate, .fake("c", ["1", "2"], total: 2))])
        var events = MergedSearch([first, second, third]).makeAsyncIterator()
        async let all = { () async -> [String] in
            var seen: [String] = []
            while let event = await events.next() { seen.append(text(event)) }
            return seen
        }()
        for source in [first, second, third] { await source.started.opened() }
        gate.open()
        let seen = await all
        #expect(
            seen.filter { !$0.contains("gave") }.sorted() == ["a 1", "a 2", "a 3", "b 1", "c 1", "c 2"])
        #expect(Set(seen.filter { $0.contains("gave") }) == ["a gave 3 of 3", "b gave 1 of 1", "c gave 2 of 2"])
    }

    @Test func bufferedItemsAreInterleavedFairly() async {
        // The second page of the first provider is held until the others' pages are there.
        let gate = Gate()
        let sources = ["a", "b", "c"].map { FakeSource($0, pages: [["1", "2", "3"]]) }
        let slow = FakeSource("d", [.held(gate, .fake("d", ["1"], total: 1))])
        var events = MergedSearch(sources + [slow]).makeAsyncIterator()
        var seen: [String] = []
        while seen.count < 9, let event = await events.next() { seen.append(text(event)) }
        #expect(seen.count == 9, "the slow one holds nobody up")
        for name in ["a", "b", "c"] {
            #expect(seen.filter { $0.hasPrefix(name) } == ["\(name) 1", "\(name) 2", "\(name) 3"])
        }
        gate.open()
        while let event = await events.next() { seen.append(text(event)) }
        #expect(seen.filter { $0.hasPrefix("d") } == ["d 1", "d gave 1 of 1"])
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
        let search = MergedSearch([good.entry, ("b", bad)], listing: .search, text: "x", options: SearchOptions())
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
        var events = search.makeAsyncIterator()
        #expect(source.queries.isEmpty)
        _ = await events.next()
        #expect(source.queries.count == 1)
    }

    @Test func nextPageIsAskedForWhenTheLastHasBeenHandedOut() async {
        let source = FakeSource("a", pages: [["1", "2"], ["3"]], total: 21)
        var events = MergedSearch([source], options: SearchOptions(limit: 20)).makeAsyncIterator()
        for _ in 1...2 {
            _ = await events.next()
            #expect(source.queries.count == 1)
        }
        #expect(await events.next().map(text) == "a 3")
        #expect(source.queries.map(\.page) == [1, 2])
    }

    @Test func droppingTheIteratorCancelsWhatIsUnderWay() async {
        let slow = FakeSource("b", [.held(Gate(), .fake("b", ["1"]))])
        do {
            var events = MergedSearch([FakeSource("a", pages: [["1"]]), slow]).makeAsyncIterator()
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
            #expect(events.filter { $0.hasPrefix(name) } == ["\(name) 1", "\(name) 2", "\(name) 3", "\(name) gave 3 of 9"])
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

    @Test func pagesThatBringNothingNewComeToAnEnd() async {
        let repeats = (0..<50).map { FakeSource.Answer.page(.fake("a", $0.isMultiple(of: 2) ? ["1", "2"] : ["2", "1"])) }
        let source = FakeSource("a", repeats)
        var options = SearchOptions(limit: 5, pageSize: 2)
        options.maximumPages = 4
        #expect(await MergedSearch([source], options: options).all() == ["a 1", "a 2", "a gave 2 of ?"])
        #expect(source.queries.count == 5)
    }

    @Test func emptyPagesWithACursorAreGoneThrough() async {
        let cursors = (1...3).map { Page.Next.cursor(JSONText(validated: "\($0)")) }
        let source = FakeSource("a", cursors.map { .page(.fake("a", [], next: $0)) } + [.page(.fake("a", ["1"], next: .end))]) {
            $0.paging = .cursor
        }
        #expect(await MergedSearch([source]).all() == ["a 1", "a gave 1 of ?"])
        #expect(source.queries.map { $0.cursor?.description } == [nil, "1", "2", "3"])
    }
}
