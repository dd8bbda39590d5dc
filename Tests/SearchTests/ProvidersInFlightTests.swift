import ProviderModel
import Synchronization
import TestSupport
import Testing

@testable import Search

@Suite("Few providers work at once", .timeLimit(.minutes(1)))
struct ProvidersInFlightTests {
    @Test func fortyProvidersComeToTheirTurnSixAtOnce() async {
        let working = Mutex((now: Set<String>(), most: 0))
        let entries = (1...40).map { number -> (name: String, open: @Sendable () async throws -> any ImageSource) in
            let name = "p\(number)"
            let source = WatchedSource(name) { isBeginning in
                working.withLock { working in
                    if isBeginning { working.now.insert(name) } else { working.now.remove(name) }
                    working.most = max(working.most, working.now.count)
                }
            }
            return (name, { source })
        }
        var options = SearchOptions(limit: 50, pageSize: 10)
        options.pagesInFlight = 1
        let events = await MergedSearch(entries, listing: .search("x"), options: options).all()
        #expect(events.count == 40 * 51)
        #expect(Set(events).isSuperset(of: (1...40).map { "p\($0) gave 50 of 50" }))
        #expect(working.withLock { $0.most } <= 6)
    }

    @Test func providerThatFetchesAheadYieldsToThoseThatWait() async {
        let busy = HeldSource("a", items: 400, total: 400)
        let other = HeldSource("b", items: 2, total: 2)
        var options = SearchOptions(limit: 400, pageSize: 20)
        options.providersInFlight = 1
        let search = MergedSearch([busy.entry, other.entry], listing: .search("x"), options: options)
        let merge = search.merger(fairStart: .zero)
        let events = Task {
            var events: [String] = []
            while let event = await merge.next() { events.append(text(event)) }
            return events
        }
        await busy.waiting(for: [1])
        #expect(other.asked.isEmpty)
        busy.release([1])
        await other.waiting(for: [1])
        #expect(busy.asked == [1], "its place is the other's now")
        other.release([1])
        await busy.waiting(for: [2, 3, 4, 5])
        events.cancel()
        #expect(await events.value.count == 23, "20 of one, 2 of the other, and what the other gave")
    }

    @Test func providerThatFetchesAheadStopsAtWhatItHasInFlightWhileAnotherWaits() async {
        let sources = ["a", "b"].map { HeldSource($0, items: 400, total: 400) }
        var options = SearchOptions(limit: 400, pageSize: 20)
        options.providersInFlight = 1
        let search = MergedSearch(sources.map(\.entry), listing: .search("x"), options: options)
        let merge = search.merger(fairStart: .zero)
        let secondPage = Gate()
        let events = Task {
            while let event = await merge.next() { if text(event) == "a 39" { secondPage.open() } }
        }
        for source in sources {
            await source.waiting(for: [1])
            source.release([1])
        }
        await sources[0].waiting(for: [2, 3, 4, 5])
        sources[0].release([2])
        await secondPage.opened()
        // From here on the other waits. Until then a page that came made room for one more.
        let releases = Task { while !Task.isCancelled { sources[0].release(await sources[0].waiting(1)) } }
        await sources[1].waiting(for: [2, 3, 4, 5])
        #expect(sources[0].asked.count <= 6)
        releases.cancel()
        events.cancel()
        await events.value
    }

    @Test func providerThatIsSlowToOpenIsOpenedOnce() async {
        let slow = FakeSource("a", pages: [["1"]])
        let openings = Atomic(0)
        let opened = Gate()
        let open: @Sendable () async throws -> any ImageSource = {
            openings.add(1, ordering: .relaxed)
            await opened.opened()
            return slow
        }
        let quick = FakeSource("b", pages: [["1"]])
        let search = MergedSearch([("a", open), quick.entry], listing: .search("x"), options: SearchOptions())
        let merge = search.merger(fairStart: .zero)
        var events: [String] = []
        while let event = await merge.next() {
            events.append(text(event))
            opened.open()
        }
        #expect(events.filter { $0.hasPrefix("b ") } == ["b 1", "b gave 1 of 1"])
        #expect(events.filter { $0.hasPrefix("a ") } == ["a 1", "a gave 1 of 1"])
        #expect(openings.load(ordering: .relaxed) == 1)
    }

    @Test func providerThatCannotBeOpenedGivesItsPlaceToTheNext() async {
        let fault = ProviderError(.provider, provider: "b", message: "no such file")
        let good = FakeSource("a", pages: [["1"]])
        let bad: @Sendable () async throws -> any ImageSource = { throw fault }
        var options = SearchOptions()
        options.providersInFlight = 1
        let search = MergedSearch(
            [("b", bad), ("c", bad), good.entry], listing: .search("x"), options: options)
        #expect(
            await search.all() == ["b failed: no such file", "c failed: no such file", "a 1", "a gave 1 of 1"])
    }
}

/// A source of fifty items that reports when it begins and ends to work.
private struct WatchedSource: ImageSource {
    let manifest: ProviderManifest
    private let onWork: @Sendable (Bool) -> Void

    init(_ name: String, onWork: @escaping @Sendable (Bool) -> Void) {
        manifest = .fake(name)
        self.onWork = onWork
    }

    func page(of listing: Listing, for query: ProviderQuery) async throws -> Page {
        onWork(true)
        for _ in 1...20 { await Task.yield() }
        onWork(false)
        return .fake(manifest.name, (query.offset..<query.offset + query.limit).map { "\($0)" }, total: 50)
    }
}
