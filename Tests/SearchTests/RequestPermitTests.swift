import ProviderModel
import Synchronization
import Testing

@testable import Search

@Suite("Pages take turns to ask, and are read outside of them", .timeLimit(.minutes(1)))
struct PageTurnTests {
    /// A source whose requests and whose reading of answers wait, each on its own.
    private struct TurnedSource: ImageSource {
        let requests = HeldSource(items: 400, total: 400)
        let reading = HeldSource(items: 400, total: 400)

        var manifest: ProviderManifest { requests.manifest }
        var takesTurns: Bool { true }

        func page(of listing: Listing, for query: ProviderQuery) async throws -> Page {
            try await page(of: listing, for: query, in: .now)
        }

        func page(of listing: Listing, for query: ProviderQuery, in turn: RequestPermit) async throws -> Page {
            try await turn.begin()
            _ = try await requests.page(of: listing, for: query)
            turn.end()
            return try await reading.page(of: listing, for: query)
        }
    }

    private func events(of source: TurnedSource, limit: Int = 400) -> Task<[String], Never> {
        var options = SearchOptions(limit: limit, pageSize: 20)
        options.pagesInFlight = 4
        let search = MergedSearch([("a", { source })], listing: .search, text: "x", options: options)
        return Task { await search.all() }
    }

    @Test func answersThatAreReadLeaveTheirTurnsToOthersUpToABound() async {
        let source = TurnedSource()
        let events = events(of: source)
        await source.requests.waiting(for: [1])
        source.requests.release([1])
        await source.reading.waiting(for: [1])
        source.reading.release([1])
        await source.requests.waiting(for: [2, 3, 4, 5])
        source.requests.release([2, 3])
        await source.requests.waiting(for: [4, 5, 6, 7])
        source.requests.release([4, 5, 6, 7])
        await source.requests.waiting(for: [8, 9, 10, 11])
        source.requests.release([8, 9, 10, 11])
        // As many as are in flight may be read, and as many are ready: a reader that stalls lets no more pile up.
        await source.requests.waiting(for: [12, 13])
        #expect(source.requests.most == 4)
        events.cancel()
        _ = await events.value
    }

    @Test func roundThatACrawlBeginsWithIsFollowedByNoneBeforeTheFirstPageIsRead() async {
        let source = TurnedSource()
        let events = events(of: source, limit: 4_000)
        await source.requests.waiting(for: [1, 2, 3, 4])
        source.requests.release([1, 2, 3, 4])
        await source.reading.waiting(for: [1, 2, 3, 4])
        source.reading.release([2, 3, 4])
        #expect(source.requests.asked == [1, 2, 3, 4], "whether there are more is not known yet")
        source.reading.release([1])
        await source.requests.waiting(for: [5, 6, 7, 8])
        events.cancel()
        _ = await events.value
    }

    @Test func turnsComeInTheOrderOfTheirRequestsAndPassThoseThatGaveUp() async throws {
        let turns = RequestPermits(1)
        let order = Order()
        try await turns.turn(of: 0) {}.begin()
        let given = Task { try await turns.turn(of: 1) {}.begin() }
        let waiting = Task {
            try await turns.turn(of: 2) {}.begin()
            order.add(2)
        }
        given.cancel()
        await #expect(throws: CancellationError.self) { try await given.value }
        #expect(order.numbers == [])
        turns.end(0)
        try await waiting.value
        #expect(order.numbers == [2])
        #expect(!turns.end(0), "a turn ends once")
    }
}

private final class Order: Sendable {
    private let state = Mutex<[Int]>([])

    var numbers: [Int] { state.withLock { $0 } }

    func add(_ number: Int) { state.withLock { $0.append(number) } }
}
