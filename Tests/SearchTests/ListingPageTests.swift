import Foundation
import ProviderModel
import TestSupport
import Testing

@testable import Search

@Suite("A listing is paged with a cursor that can be kept")
struct ListingPageTests {
    private func ids(_ source: FakeSource, _ options: SearchOptions = SearchOptions(limit: 2)) async throws
        -> [[String]]
    {
        var pages: [[String]] = []
        var cursor: PageCursor?
        repeat {
            let page = try await ListingPage(of: .search("x"), from: source, after: cursor, options)
            pages.append(page.items.map(\.id))
            // As another process would be given it.
            cursor = page.next.flatMap { PageCursor($0.description) }
            #expect(cursor == page.next)
        } while cursor != nil
        return pages
    }

    @Test func countedPagesFollowOneAnotherToTheEnd() async throws {
        let source = FakeSource("a", pages: [["1", "2"], ["3", "4"], ["5"]], total: 5)
        #expect(try await ids(source) == [["1", "2"], ["3", "4"], ["5"]])
    }

    @Test func cursorsAreSentBackToTheSource() async throws {
        let source = FakeSource(
            "a",
            [
                .page(.fake("a", ["1"], next: .cursor(JSONText(validated: #"{"after":"é"}"#)))),
                .page(.fake("a", ["2"], next: .end)),
            ]
        ) { $0.paging = .cursor }
        #expect(try await ids(source) == [["1"], ["2"]])
        #expect(source.queries.last?.cursor?.description == #"{"after":"é"}"#)
    }

    @Test(arguments: ["delivered", "repeated", "pages", "total"])
    func cursorsWithCountsThatCannotGrowAreRefused(count: String) throws {
        let counts = ["delivered", "repeated", "pages", "total"]
        let json = counts.map { "\"\($0)\":\($0 == count ? Int.max : 1)" }.joined(separator: ",")
        let progress = #"{"isFinished":false,"mayRepeat":false,"passedIDs":[],"unfinishedIDs":[],\#(json)}"#
        let text = #"{"listing":7,"progress":\#(progress)}"#
        #expect(PageCursor(Data(text.utf8).base64EncodedString()) == nil)
        let good = text.replacing("\(Int.max)", with: "1")
        #expect(PageCursor(Data(good.utf8).base64EncodedString()) != nil)
        let parts = #"{"listing":7,"servers":{},"providers":{"a":\#(progress)}}"#
        #expect(ListingCursor(Data(parts.utf8).base64EncodedString()) == nil)
        let goodParts = parts.replacing("\(Int.max)", with: "1")
        #expect(ListingCursor(Data(goodParts.utf8).base64EncodedString()) != nil)
    }

    /// What would be read after it is not what follows.
    @Test func cursorOfAnotherListingIsRefused() async throws {
        let (source, other) = (FakeSource("a", pages: [["1"], ["2"]]), FakeSource("b", pages: [["1"], ["2"]]))
        let options = SearchOptions(limit: 1)
        var filtered = options
        filtered.filter.tags = ["red"]
        var sorted = options
        sorted.parameters = ["sort": "new"]
        let fox = Listing.search("fox")
        let cursor = try await ListingPage(of: fox, from: source, after: nil, options).next
        for (listing, source, options) in [
            (Listing.search("wolf"), source, options), (.feed, source, options), (fox, other, options),
            (fox, source, filtered), (fox, source, sorted),
        ] {
            let error = await #expect(throws: ProviderError.self) {
                try await ListingPage(of: listing, from: source, after: cursor, options)
            }
            #expect(error?.code == .unsupported && error?.message.hasPrefix("the cursor is of another listing") == true)
        }
        #expect(try await ListingPage(of: fox, from: source, after: cursor, options).items.count == 1)
    }

    @Test func itemsOfThePageBeforeAreLeftOut() async throws {
        let source = FakeSource("a", pages: [["1", "2"], ["2", "3"]], total: 4)
        #expect(try await ids(source) == [["1", "2"], ["3"]])
    }

    @Test func filterLeavesOutAndCounts() async throws {
        var options = SearchOptions(limit: 2)
        options.filter.tags = ["red"]
        let source = FakeSource("a", pages: [["1", "2"]], total: 2)
        let page = try await ListingPage(of: .search("x"), from: source, after: nil, options)
        #expect(page.items.isEmpty && page.filtered == 2 && page.total == 2)
    }

    @Test(arguments: ["", "x", "e30=", "eyJkZWxpdmVyZWQiOi0xfQ==", String(repeating: "A", count: 2_000_000)])
    func whatIsNoCursorIsNone(_ text: String) {
        #expect(PageCursor(text) == nil)
    }
}
