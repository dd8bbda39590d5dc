import CZlib
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

/// A row whose values are not those that were written: thrown out of a closure of ``LocalDatabase``, it makes the file a
/// damaged one.
package struct DamagedRow: Error {
    /// Throws unless a row's checksum, or the comparison with it in SQL, is right.
    package static func check(_ isIntact: Bool?) throws(DamagedRow) {
        if isIntact != true { throw DamagedRow() }
    }

    private init() {}
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

/// A checksum over bytes that come in pieces: finds what a disk or another program changed by accident.
///
/// CRC-32, as in gzip and PNG: every row that is written has one, and a cryptographic digest costs more than SQLite does.
package struct Checksum: Sendable {
    private var register = crc32(0, nil, 0)

    /// A checksum of no bytes yet.
    package init() {}

    /// The checksum of bytes that are all there.
    package static func of(_ bytes: [UInt8]) -> UInt64 {
        var checksum = Checksum()
        bytes.withUnsafeBytes { checksum.update($0) }
        return checksum.value
    }

    /// Takes in the next piece.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        // zlib takes a null pointer for a new beginning.
        guard let start = bytes.baseAddress else { return }
        register = crc32_z(register, start.assumingMemoryBound(to: UInt8.self), bytes.count)
    }

    /// The checksum of all that was taken in.
    package var value: UInt64 { UInt64(register) }
}
