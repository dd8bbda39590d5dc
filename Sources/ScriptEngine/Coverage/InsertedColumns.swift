/// What was put into the lines of a file, to find a place of the file again from one in the changed text.
struct InsertedColumns: Hashable {
    private struct Piece: Hashable {
        /// From 0, in the file as it was.
        var column: Int
        var length: Int
    }

    private var pieces: [Int: [Piece]] = [:]

    /// Notes a piece; those of a line come from left to right.
    mutating func add(line: Int, column: Int, length: Int) {
        pieces[line, default: []].append(Piece(column: column, length: length))
    }

    /// The column, from 1, that stands at a column of the changed line; inside a piece, the one it was put before.
    func original(column: Int, line: Int) -> Int {
        var shift = 0
        for piece in pieces[line] ?? [] {
            let start = piece.column + shift
            guard column - 1 >= start else { break }
            guard column - 1 >= start + piece.length else { return piece.column + 1 }
            shift += piece.length
        }
        return column - shift
    }
}
