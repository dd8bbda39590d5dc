import GRDB
import GRDBSQLite

/// Takes the values of one row, from a statement's first to its last.
package struct ValueBinder {
    private let statement: OpaquePointer
    private var place: CInt = 0
    /// What SQLite said to the last value that it did not take.
    private(set) var code = SQLITE_OK

    init(_ statement: OpaquePointer) { self.statement = statement }

    /// Binds the next value, a text.
    package mutating func bind(_ text: String) {
        var text = text
        let (statement, place) = next()
        note(
            text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    // A null pointer would mean NULL.
                    withUnsafePointer(to: 0 as CChar) { empty in
                        let start = characters.baseAddress ?? empty
                        return sqlite3_bind_text(statement, place, start, CInt(characters.count), Self.copying)
                    }
                }
            })
    }

    /// Binds the next value, a text or NULL.
    package mutating func bind(_ text: String?) { if let text { bind(text) } else { bindNull() } }

    /// Binds the next value, a blob.
    package mutating func bind(_ bytes: [UInt8]) {
        let (statement, place) = next()
        note(
            bytes.withUnsafeBytes { bytes in
                withUnsafePointer(to: 0 as UInt8) { empty in
                    let start = bytes.baseAddress ?? UnsafeRawPointer(empty)
                    return sqlite3_bind_blob(statement, place, start, CInt(bytes.count), Self.copying)
                }
            })
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
    /// Runs a statement once for each row, with the values that the closure gives it.
    ///
    /// They are bound as they lie: GRDB puts each into several boxes first, which costs about as much as writing the
    /// row.
    package func run<Row>(
        _ sql: String, for rows: some Sequence<Row>, values: (Row, inout ValueBinder) -> Void
    ) throws {
        try withStatement(sql) { statement in
            for row in rows {
                sqlite3_reset(statement)
                var binder = ValueBinder(statement)
                values(row, &binder)
                let code = binder.code == SQLITE_OK ? sqlite3_step(statement) : binder.code
                guard code == SQLITE_DONE else { throw failure(code, sql) }
            }
        }
    }
}
