import ProviderModel
import TestSupport
import Testing

@testable import Search

@Suite("A listing over several providers is read in parts")
struct ListingPartTests {
    private struct Read {
        var ids: [String] = []
        var failed: Set<String> = []
        var part: ListingPart
    }

    private func read(
        _ sources: [FakeSource], after cursor: ListingCursor? = nil, limit: Int = 3, text: String = "x",
        on servers: [String: String] = [:]
    ) async throws -> Read {
        var options = SearchOptions()
        options.limit = limit
        options.pageSize = 2
        let part = try ListingPart(
            of: .search(text), from: sources.map(\.entry), after: cursor, options, for: { _ in options },
            on: servers)
        var read = Read(part: part)
        let events = part.events.makeAsyncIterator()
        while let event = await events.next() {
            switch event {
            case .image(let item): read.ids.append("\(item.provider)\(item.id)")
            case .failure(let provider, _): read.failed.insert(provider)
            case .finished: break
            }
        }
        return read
    }

    @Test func everyImageComesOnceOverAllParts() async throws {
        let sources = [
            FakeSource("a", pages: [["1", "2"], ["3", "4"], ["5"]], total: 5),
            FakeSource("b", pages: [["1", "2"]], total: 2),
        ]
        var ids: [String] = []
        var cursor: ListingCursor?
        var parts = 0
        repeat {
            let read = try await read(sources, after: cursor)
            ids += read.ids
            // As another process would be given it.
            cursor = read.part.next().flatMap { ListingCursor($0.description) }
            #expect(cursor == read.part.next())
            parts += 1
        } while cursor != nil && parts < 10
        #expect(ids.sorted() == ["a1", "a2", "a3", "a4", "a5", "b1", "b2"])
        #expect(parts == 2)
        #expect(sources[1].queries.count == 1, "a provider that has given all is not asked again")
    }

    @Test func providerThatFailedGoesOnFromItsRetry() async throws {
        let failure = ProviderError(.transport, provider: "a", message: "gone")
        let broken = FakeSource("a", [.page(.fake("a", ["1", "2"], total: 4)), .failure(failure)])
        let first = try await read([broken], limit: 4)
        #expect(first.ids == ["a1", "a2"] && first.failed == ["a"])
        #expect(first.part.next(leavingOut: first.failed) == nil)
        let retry = try #require(first.part.retry(of: "a"))
        let mended = FakeSource("a", pages: [["1", "2"], ["3", "4"]])
        #expect(try await read([mended], after: retry, limit: 4).ids == ["a3", "a4"])
    }

    @Test func cursorOfAnotherListingIsRefused() async throws {
        let source = FakeSource("a", pages: [["1", "2"], ["3", "4"]])
        let cursor = try await read([source], limit: 2).part.next()
        let error = await #expect(throws: ProviderError.self) { _ = try await read([source], after: cursor, text: "y") }
        #expect(
            error?.message == "the cursor is of another listing (expected one of the same query, parameters and filter)"
        )
        #expect(try await read([source], after: cursor, limit: 4).ids == ["a3", "a4"], "the limit may differ")
    }

    @Test func cursorIsOfOneServer() async throws {
        let sources = [
            FakeSource("a", pages: [["1", "2"], ["3", "4"]]), FakeSource("b", pages: [["1", "2"], ["3", "4"]]),
        ]
        let servers = ["a": "https://one.example", "b": "https://two.example"]
        let part = try await read(sources, limit: 2, on: servers).part
        let all = try #require(part.next())
        #expect(try await read(sources, after: all, on: servers).ids.sorted() == ["a3", "a4", "b3", "b4"])
        let swapped = ["a": "https://two.example", "b": "https://one.example"]
        for other in [swapped, [:], ["a": "https://one.example"]] {
            await #expect(throws: ProviderError.self) { _ = try await read(sources, after: all, on: other) }
        }
        let one = try #require(part.next(leavingOut: ["b"]))
        #expect(try await read(sources, after: one, on: ["a": "https://one.example"]).ids == ["a3", "a4"])
    }

    @Test(arguments: ["", "x", "e30", "W10", "eyJhIjp7fX0", String(repeating: "A", count: 2_000_000)])
    func whatIsNoCursorIsNone(_ text: String) { #expect(ListingCursor(text) == nil) }
}
