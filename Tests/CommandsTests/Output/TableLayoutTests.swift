import Testing

@testable import Commands

struct TableLayoutTests {
    @Test(arguments: 20...300)
    func columnsNeverExceedTheWidth(width: Int) {
        for names in [["pixabay"], ["pixabay", "flickr", "art-institute-of-chicago-collection"]] {
            let layout = TableLayout(width: width, providerNames: names, limit: 20)
            let used = layout.columns.reduce(0) { $0 + $1.width + TableRow.gap } - TableRow.gap
            #expect(used <= width)
            #expect(layout.columns.first { $0.content == .title }!.width >= min(16, width - 4))
        }
    }

    @Test(
        arguments: [
            (60, TableLayout.Arrangement.stacked, false), (80, .paired, false), (120, .paired, true),
            (200, .single, true),
            (nil, .single, true),
        ] as [(Int?, TableLayout.Arrangement, Bool)]
    )
    func arrangementFollowsTheWidth(width: Int?, arrangement: TableLayout.Arrangement, hasProviderColumn: Bool) {
        let layout = TableLayout(width: width, providerNames: ["pixabay", "flickr"], limit: nil)
        #expect(layout.arrangement == arrangement)
        #expect(layout.has(.provider) == hasProviderColumn)
    }

    @Test func numbersGetTheRoomTheLimitNeeds() {
        #expect(TableLayout(width: 80, providerNames: [], limit: 5).columns[0].width == 2)
        #expect(TableLayout(width: 80, providerNames: [], limit: 1_000).columns[0].width == 4)
        let many = (1...50).map { "provider-\($0)" }
        #expect(TableLayout(width: 200, providerNames: many, limit: 20).columns[0].width == 4)
    }
}
