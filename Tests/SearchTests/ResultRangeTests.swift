import TestSupport
import Testing

@testable import Search

@Suite struct ResultRangeTests {
    @Test(
        arguments: [
            ("5", [5], 5), ("2-4,8", [2, 3, 4, 8], 8), ("-2", [1, 2], 2), ("9-", [9, 10], nil), ("3,1", [1, 3], 3),
            (" 1 - 2 ", [1, 2], 2),
        ] as [(String, [Int], Int?)])
    func placesAreCountedFromOne(_ text: String, _ places: [Int], _ last: Int?) throws {
        let range = try #require(ResultRange(text))
        #expect((0...10).filter(range.contains) == places)
        #expect(range.last == last)
        #expect(range.count == last.map { _ in places.count })
    }

    @Test(arguments: ["", "0", "-", "5-2", "a", "1,,2", "1-2-3", "99999999999999999999", "1.5"])
    func otherTextIsNone(_ text: String) { #expect(ResultRange(text) == nil) }

    /// Places are those after conditions; pages before the first place are no empty ones.
    @Test func wantedPlacesOfAListingAreDelivered() async {
        let pages = (0..<30).map { page in (0..<2).map { "\(page * 2 + $0 + 1)" } }
        let source = FakeSource("a", pages: pages)
        var options = SearchOptions(limit: 56, pageSize: 2)
        options.range = ResultRange("2,55-56")
        let events = await MergedSearch([source], options: options).all()
        #expect(events == ["a 2", "a 55", "a 56", "a gave 3 of 60"])
        #expect(source.pages.count == 28)
    }
}
