/// Where everything stands on a screen of a size: a line at the top, cells of pictures, and lines for messages and keys.
struct BrowseLayout: Hashable, Sendable {
    /// The smallest screen on which anything can be recognised.
    static let minimum = CellSize(columns: 20, rows: 8)

    /// The screen.
    let size: CellSize
    /// How many cells stand side by side, and how many one below the other.
    let columns: Int
    let rows: Int
    /// The cells of the text and picture within a cell.
    let inner: Int
    /// The cells that a picture may take.
    let picture: CellSize
    /// The lines below each picture.
    let captions: Int

    /// Whether the screen is too small for anything.
    var isTooSmall: Bool { size.columns < Self.minimum.columns || size.rows < Self.minimum.rows }
    /// Whether messages have a line of their own, above that of the keys.
    var hasMessageLine: Bool { size.rows >= 14 }
    /// The lines between the first and those at the bottom.
    var area: CellSize { CellSize(columns: size.columns, rows: max(size.rows - (hasMessageLine ? 3 : 2), 1)) }
    /// How many cells are seen at once.
    var count: Int { columns * rows }

    /// The layout of a screen.
    init(_ size: CellSize) {
        self.size = size
        let height = max(size.rows - (size.rows >= 14 ? 3 : 2), 1)
        // A frame of one cell stands around each, which neighbours share.
        columns = max((size.columns - 1) / (size.columns < 100 ? 19 : 24), 1)
        inner = max((size.columns - 1) / columns - 1, 1)
        captions = size.rows >= 14 ? 2 : 1
        let wanted = max(inner * 3 / 8, 3) + captions + 1
        rows = max(Int((Double(height - 1) / Double(wanted)).rounded()), 1)
        let stride = max((height - 1) / rows, 1)
        picture = CellSize(columns: inner, rows: max(stride - 1 - captions, 1))
    }

    /// The first line and column of a cell's text, from 1, by its row and column on the screen.
    func origin(row: Int, column: Int) -> (line: Int, column: Int) {
        (3 + row * (picture.rows + captions + 1), 2 + column * (inner + 1))
    }

    /// The places of the picture and the text of a single image.
    var details: (picture: CellSize, isBeside: Bool, text: CellSize) {
        guard size.columns >= 70 else {
            let rows = max(area.rows * 2 / 5, 2)
            return (
                CellSize(columns: size.columns - 2, rows: rows), false,
                CellSize(columns: size.columns - 2, rows: max(area.rows - rows - 2, 1))
            )
        }
        let columns = size.columns / 2 - 2
        return (
            CellSize(columns: columns, rows: max(area.rows - 1, 1)), true,
            CellSize(columns: size.columns - columns - 5, rows: max(area.rows - 1, 1))
        )
    }
}
