import GRDB
import GRDBSQLite

/// Takes the values of one row, from a statement's first to its last.
package struct ValueBinder {
    private let statement: OpaquePointer
    /// Where texts and blobs lie until the statement has run; nil where SQLite copies each.
    private var room: ValueRoom?
    private var place: CInt = 0
    /// What SQLite said to the last value that it did not take.
    private(set) var code = SQLITE_OK

    init(_ statement: OpaquePointer, room: ValueRoom? = nil) {
        self.statement = statement
        self.room = room
    }

    /// Goes on with the values of another row.
    fileprivate mutating func beginRow() {
        sqlite3_reset(statement)
        place = 0
        room?.clear()
    }

    /// Has the statement forget its values, and gives their room back.
    fileprivate mutating func end() {
        sqlite3_reset(statement)
        sqlite3_clear_bindings(statement)
        room?.deallocate()
        room = nil
    }

    /// Binds the next value, a text.
    package mutating func bind(_ text: String) {
        var text = text
        let (statement, place) = next()
        let code = text.withUTF8 { text in
            lend(UnsafeRawBufferPointer(text)) { start, count, ending in
                sqlite3_bind_text(statement, place, start.assumingMemoryBound(to: CChar.self), count, ending)
            }
        }
        note(code)
    }

    /// Binds the next value, a text or NULL.
    package mutating func bind(_ text: String?) { if let text { bind(text) } else { bindNull() } }

    /// Binds the next value, a blob.
    package mutating func bind(_ bytes: [UInt8]) { bytes.withUnsafeBytes { bindBlob($0) } }

    /// Binds the next value, a blob.
    package mutating func bind(_ bytes: ArraySlice<UInt8>) { bytes.withUnsafeBytes { bindBlob($0) } }

    private mutating func bindBlob(_ bytes: UnsafeRawBufferPointer) {
        let (statement, place) = next()
        let code = lend(bytes) { start, count, ending in sqlite3_bind_blob(statement, place, start, count, ending) }
        note(code)
    }

    /// Binds the next value, a blob or NULL.
    package mutating func bind(_ bytes: [UInt8]?) { if let bytes { bind(bytes) } else { bindNull() } }

    /// Binds the next value, an integer.
    package mutating func bind(_ number: Int) {
        let (statement, place) = next()
        note(sqlite3_bind_int64(statement, place, Int64(number)))
    }

    /// Binds the next value, an integer or NULL.
    package mutating func bind(_ number: Int?) { if let number { bind(number) } else { bindNull() } }

    private mutating func bindNull() {
        let (statement, place) = next()
        note(sqlite3_bind_null(statement, place))
    }

    /// Hands over bytes that SQLite copies, or that stay where they are until the statement has run.
    private mutating func lend(
        _ bytes: UnsafeRawBufferPointer, _ bind: (UnsafeRawPointer, CInt, sqlite3_destructor_type?) -> CInt
    ) -> CInt {
        if let kept = room?.keep(bytes) { return bind(kept, CInt(bytes.count), nil) }
        // A null pointer would mean NULL.
        return withUnsafePointer(to: 0 as UInt8) { empty in
            bind(bytes.baseAddress ?? UnsafeRawPointer(empty), CInt(bytes.count), Self.copying)
        }
    }

    private mutating func next() -> (OpaquePointer, CInt) {
        place += 1
        return (statement, place)
    }

    private mutating func note(_ found: CInt) {
        if found != SQLITE_OK { code = found }
    }

    /// SQLITE_TRANSIENT, a macro.
    private static var copying: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}

extension Database {
    /// Inserts rows, many with each statement: beginning and ending one costs a fifth of inserting a row.
    ///
    /// `insertion` is what stands before `VALUES`, and names the columns; the closure gives the values of the row of a
    /// number.
    package func insert(
        _ count: Int, _ insertion: String, columns: Int, values: (Int, inout ValueBinder) -> Void
    ) throws {
        let group = 32
        let row = "(" + Array(repeating: "?", count: columns).joined(separator: ", ") + ")"
        var next = 0
        for (rowCount, times) in [(group, count / group), (1, count % group)] where times > 0 {
            let rows = Array(repeating: row, count: rowCount).joined(separator: ", ")
            try run("\(insertion) VALUES \(rows)", for: 0..<times) { _, binder in
                for _ in 0..<rowCount {
                    values(next, &binder)
                    next += 1
                }
            }
        }
    }

    /// Runs a statement once for each row, with the values that the closure gives it.
    ///
    /// They are bound as they lie: GRDB puts each into several boxes first, which costs about as much as writing the
    /// row. The closure gives every row as many as the first.
    package func run<Row>(
        _ sql: String, for rows: some Sequence<Row>, values: (Row, inout ValueBinder) -> Void
    ) throws {
        try withStatement(sql) { statement in
            var binder = ValueBinder(statement, room: ValueRoom())
            defer { binder.end() }
            for row in rows {
                binder.beginRow()
                values(row, &binder)
                let code = binder.code == SQLITE_OK ? sqlite3_step(statement) : binder.code
                guard code == SQLITE_DONE else { throw failure(code, sql) }
            }
        }
    }
}
