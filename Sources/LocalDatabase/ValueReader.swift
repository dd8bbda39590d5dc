import GRDB
import GRDBSQLite
import Glibc

/// The values of one row as they lie in the database, for as long as the row is looked at.
///
/// Columns count from 0. A value that is of another kind than it is asked for is what SQLite makes of it.
package struct ValueReader {
    private let statement: OpaquePointer

    fileprivate init(_ statement: OpaquePointer) { self.statement = statement }

    /// A text, empty for NULL.
    package func text(_ column: Int) -> String { withBytes(column) { String(decoding: $0, as: UTF8.self) } }

    /// Whether the column has this text, or NULL for nil, found out without reading it.
    package func has(_ text: String?, _ column: Int) -> Bool {
        guard var text, !isNull(column) else { return text == nil && isNull(column) }
        return text.withUTF8 { has(UnsafeRawBufferPointer($0), column) }
    }

    /// Whether the column has this blob, found out without reading it.
    package func has(_ bytes: [UInt8], _ column: Int) -> Bool { bytes.withUnsafeBytes { has($0, column) } }

    private func has(_ bytes: UnsafeRawBufferPointer, _ column: Int) -> Bool {
        withBytes(column) { found in
            guard bytes.count == found.count, let start = bytes.baseAddress, let other = found.baseAddress else {
                return bytes.isEmpty && found.isEmpty
            }
            return memcmp(start, other, bytes.count) == 0
        }
    }

    /// A blob, empty for NULL.
    package func bytes(_ column: Int) -> [UInt8] { withBytes(column) { Array($0) } }

    /// A whole number, 0 for NULL.
    package func number(_ column: Int) -> Int { Int(sqlite3_column_int64(statement, CInt(column))) }

    private func isNull(_ column: Int) -> Bool { sqlite3_column_type(statement, CInt(column)) == SQLITE_NULL }

    /// Calls `body` with a text or a blob as it lies there, empty for NULL.
    package func withText<Result>(
        _ column: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result { try withBytes(column) { try $0.withMemoryRebound(to: UInt8.self, body) } }

    private func withBytes<Result>(
        _ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        // A text is asked for as a blob too: SQLite would copy it first, to end it with a zero. It wants to be asked for
        // the value first, then for its length.
        let start = sqlite3_column_blob(statement, CInt(column))
        return try body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, CInt(column)))))
    }
}

extension Database {
    /// Calls `body` with each row that a statement finds for the values that the first closure gives it.
    ///
    /// The row is read where it lies: GRDB copies each value of it first, which costs more than finding the row.
    package func forEachRow(
        of sql: String, values: (inout ValueBinder) -> Void = { _ in }, _ body: (ValueReader) throws -> Void
    ) throws {
        try withStatement(sql) { statement in
            var binder = ValueBinder(statement)
            values(&binder)
            var code = binder.code
            while code == SQLITE_OK || code == SQLITE_ROW {
                code = sqlite3_step(statement)
                if code == SQLITE_ROW { try body(ValueReader(statement)) }
            }
            guard code == SQLITE_DONE else { throw failure(code, sql) }
        }
    }

    /// Lends a prepared statement, and has it forget its row and its values afterwards.
    func withStatement(_ sql: String, _ body: (OpaquePointer) throws -> Void) throws {
        let cached = try cachedStatement(sql: sql)
        try withExtendedLifetime(cached) {
            let statement = cached.sqliteStatement
            defer {
                sqlite3_reset(statement)
                sqlite3_clear_bindings(statement)
            }
            try body(statement)
        }
    }

    func failure(_ code: CInt, _ sql: String) -> DatabaseError {
        DatabaseError(resultCode: ResultCode(rawValue: code), message: lastErrorMessage, sql: sql)
    }
}
