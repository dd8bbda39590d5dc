import Crypto
import GRDB

/// A checksum in the last column of a row, over all values before it: SQLite has none, and takes a flipped bit in a value
/// for the value.
extension Row {
    /// Whether the values are those that were inserted; the row has to have all columns, in their order.
    package var hasRightChecksum: Bool {
        let values = Array(databaseValues)
        guard let found = values.last.flatMap(Int64.fromDatabaseValue) else { return false }
        return found == Self.checksum(of: values.dropLast())
    }

    /// 64 bits are enough against accidents.
    fileprivate static func checksum(of values: some Sequence<DatabaseValue>) -> Int64 {
        var digest = SHA256()
        func add(_ kind: UInt8, _ bytes: some Collection<UInt8>) {
            // With its length, so that nothing can move from one value to the next.
            digest.update(data: [kind] + withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { [UInt8]($0) })
            digest.update(data: [UInt8](bytes))
        }
        for value in values {
            switch value.storage {
            case .null: add(0, [])
            case .int64(let number): add(1, withUnsafeBytes(of: number.littleEndian) { [UInt8]($0) })
            case .double(let number): add(2, withUnsafeBytes(of: number.bitPattern.littleEndian) { [UInt8]($0) })
            case .string(let text): add(3, text.utf8)
            case .blob(let data): add(4, data)
            }
        }
        return digest.finalize().prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    }
}

extension DatabaseFunction {
    /// `row_checksum(a, b, …)` in SQL, for tables whose rows are written and read by columns.
    ///
    /// A row is written with the checksum of its values and read with `checksum = row_checksum(…)` beside them: where that is
    /// not 1, it was damaged, and no other value may be decoded.
    static let rowChecksum = DatabaseFunction("row_checksum", pure: true) { Row.checksum(of: $0) }
}

extension Database {
    /// Inserts or replaces a row whose last column is the checksum of these values.
    package func insert(into table: String, withChecksum values: [(any DatabaseValueConvertible)?]) throws {
        let stored = values.map { $0?.databaseValue ?? .null }
        let places = Array(repeating: "?", count: stored.count + 1).joined(separator: ", ")
        let statement = try cachedStatement(sql: "INSERT OR REPLACE INTO \(table) VALUES (\(places))")
        try statement.execute(arguments: StatementArguments(stored + [Row.checksum(of: stored).databaseValue]))
    }
}
