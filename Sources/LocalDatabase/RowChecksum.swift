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

    static func checksum(of values: some Sequence<DatabaseValue>) -> Int64 {
        var bytes: [UInt8] = []
        func add(_ kind: UInt8, _ value: some Collection<UInt8>) {
            // With its length, so that nothing can move from one value to the next.
            bytes.append(kind)
            withUnsafeBytes(of: UInt64(value.count).littleEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: value)
        }
        for value in values {
            switch value.storage {
            case .null: add(0, [])
            case .int64(let number): withUnsafeBytes(of: number.littleEndian) { add(1, $0) }
            case .double(let number): withUnsafeBytes(of: number.bitPattern.littleEndian) { add(2, $0) }
            case .string(let text): add(3, text.utf8)
            case .blob(let data): add(4, data)
            }
        }
        return Int64(Checksum.of(bytes))
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
        let places = String(repeating: "?, ", count: stored.count)
        let statement = try cachedStatement(sql: "INSERT OR REPLACE INTO \(table) VALUES (\(places)?)")
        try statement.execute(arguments: StatementArguments(values + [Row.checksum(of: stored)]))
    }
}
