import Testing

@testable import Commands

@Suite("Cells of pictures fill the screen and no more")
struct BrowseLayoutTests {
    @Test func everySizeHasItsPlaces() {
        for columns in 20...260 {
            for rows in 8...80 {
                let layout = BrowseLayout(CellSize(columns: columns, rows: rows))
                #expect(!layout.isTooSmall)
                let last = layout.origin(row: layout.rows - 1, column: layout.columns - 1)
                let right = last.column + layout.inner
                let bottom = last.line + layout.picture.rows + layout.captions
                #expect(right <= columns, "\(columns)x\(rows)")
                #expect(bottom <= rows - (layout.hasMessageLine ? 2 : 1), "\(columns)x\(rows)")
                #expect(layout.picture.rows >= 1 && layout.inner >= 10, "\(columns)x\(rows)")
                let (picture, isBeside, text) = layout.details
                #expect(picture.rows >= 1 && text.rows >= 1 && text.columns >= 18)
                #expect(isBeside ? picture.columns + text.columns < columns : text.columns < columns)
            }
        }
    }

    @Test(arguments: [(80, 24, 4, 2), (200, 50, 8, 4), (40, 12, 2, 1), (20, 8, 1, 1)])
    func commonSizesHaveSoManyCells(columns: Int, rows: Int, across: Int, down: Int) {
        let layout = BrowseLayout(CellSize(columns: columns, rows: rows))
        #expect(layout.columns == across && layout.rows == down)
    }

    @Test(arguments: [(19, 24), (80, 7), (1, 1)])
    func smallerOnesAreTooSmall(columns: Int, rows: Int) {
        #expect(BrowseLayout(CellSize(columns: columns, rows: rows)).isTooSmall)
    }

    @Test(arguments: [
        (400, 300, CellSize(columns: 20, rows: 8)), (300, 600, CellSize(columns: 8, rows: 8)),
        (4_000, 100, CellSize(columns: 20, rows: 1)), (1, 100_000, CellSize(columns: 1, rows: 8)),
    ])
    func pictureKeepsItsProportions(width: Int, height: Int, size: CellSize) {
        #expect(CellSize(columns: 20, rows: 8).fitting(width: width, height: height) == size)
    }

    @Test(arguments: [
        ("red fox", 10, "red fox   "), ("red fox", 3, "red"), ("咖啡館", 5, "咖啡 "), ("", 2, "  "),
        ("\u{1b}[1mred fox\u{1b}[0m", 3, "\u{1b}[1mred\u{1b}[0m"),
        (
            "\u{1b}]8;;https://a.example\u{1b}\\link\u{1b}]8;;\u{1b}\\", 2,
            "\u{1b}]8;;https://a.example\u{1b}\\li\u{1b}]8;;\u{1b}\\"
        ),
    ])
    func textIsBroughtToItsCells(text: String, width: Int, fitted: String) {
        #expect(text.fitted(to: width) == fitted)
    }
}
