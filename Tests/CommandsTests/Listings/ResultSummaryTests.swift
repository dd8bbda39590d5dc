import ProviderModel
import Testing

@testable import Commands

struct ResultSummaryTests {
    @Test(
        arguments: [
            (0, 0, nil, [], "no images · pixabay 0 · flickr 0"),
            (1, 0, nil, [], "1 image · pixabay 1 · flickr 0"),
            (
                10, 4, 500, ["samples, not live results"],
                "14 of 500 images · pixabay 10 · flickr 4 · samples, not live results"
            ),
            (2, 1, 3, [], "3 images · pixabay 2 · flickr 1"),
            (2, 1, 1_234_567, [], "3 of 1,234,567 images · pixabay 2 · flickr 1"),
        ] as [(Int, Int, Int?, [String], String)]
    )
    func countsAreSaidInOneLine(first: Int, second: Int, total: Int?, notes: [String], expected: String) {
        var summary = ResultSummary(
            providers: [InventedItems.pixabay, InventedItems.flickr],
            total: total,
            notes: notes
        )
        for _ in 0..<first { summary.add(InventedItems.latin) }
        for _ in 0..<second { summary.add(InventedItems.long) }
        #expect(summary.lines(on: .pipe) == [expected])
        #expect(summary.lines(on: .colored(120)).map(\.seen) == [expected])
    }

    @Test func oneProviderNeedsNoCount() {
        var summary = ResultSummary(providers: [InventedItems.pixabay], total: 500)
        summary.add(InventedItems.latin)
        #expect(summary.lines(on: .pipe) == ["1 of 500 images · pixabay"])
    }

    @Test(arguments: [20, 24, 25, 30, 39, 40, 60])
    func whatToKnowIsSaidHoweverNarrowTheTerminalIs(columns: Int) {
        var summary = ResultSummary(
            providers: [InventedItems.pixabay], total: 23, notes: ["samples, not live results"])
        summary.add(InventedItems.latin)
        let lines = summary.lines(on: .colored(columns)).map(\.seen)
        #expect(lines.joined(separator: " ").hasSuffix("samples, not live results"))
        #expect(lines.allSatisfy { $0.count <= columns }, "\(lines)")
    }

    @Test func manyProvidersBreakBetweenTheirNames() {
        let ids = (10..<50).compactMap { ProviderID("provider-\($0)") }
        let lines = ResultSummary(providers: ids).lines(on: .colored(40)).map(\.seen)
        #expect(lines.first == "no images · provider-10 0")
        #expect(lines.dropFirst().allSatisfy { $0.count <= 40 && $0.hasPrefix("provider-") && $0.hasSuffix(" 0") })
        #expect(lines.joined().matches(of: /provider-\d\d 0/).count == 40)
    }

    @Test func lineBreaksBetweenItsParts() {
        var summary = ResultSummary(total: 500, notes: ["samples, not live results"])
        for item in InventedItems.all { summary.add(item) }
        let lines = summary.lines(on: .colored(62)).map(\.seen)
        #expect(
            lines == [
                "7 of 500 images · pixabay 3 · flickr 2 · wikimedia-commons 2", "samples, not live results",
            ]
        )
    }
}
