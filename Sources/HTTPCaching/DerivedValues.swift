import Dispatch
import FoundationEssentials
import HTTPTransport
import LocalDatabase
import ProviderModel

/// Values computed from stored responses, each stored while every response it came from is fresh and unchanged.
///
/// They only save time: where the storage cannot be used, no warning is given. They are stored in the cache's database under
/// a keyed hash of their key, which may contain secrets, and count against its limit.
public struct DerivedValues: Sendable {
    private struct Found {
        /// nil when they are not those that were stored.
        let bytes: [UInt8]?
        let id: Int64
        let usedAt: Double
    }

    private let store: SQLiteCacheStorage
    private let isRead: Bool
    private let writing = DispatchQueue(label: "derived values")

    /// Creates access to the derived values of a cache.
    ///
    /// - Parameters:
    ///   - store: the cache, which may be in use by a ``CachingTransport``.
    ///   - mode: how stored responses are used; with `refresh` no value is read.
    public init(in store: SQLiteCacheStorage, mode: CacheMode = .default) {
        self.store = store
        isRead = mode != .refresh
    }

    /// Reads a value.
    ///
    /// - Parameters:
    ///   - key: the bytes that the value was stored under.
    ///   - now: the time in seconds since 1970.
    /// - Returns: the value; nil when there is none, when a response it was derived from has changed or is no longer fresh, and
    ///   when the store cannot be read.
    public func value(for key: [UInt8], now: Double) -> [UInt8]? {
        // Creating the database takes longer than the look-up, and whoever asks computes the value first.
        guard isRead, store.hasDatabase else { return nil }
        let found = store.attemptQuietly { connection in
            let key = Data(connection.hash.hash(key))
            return try connection.database.readOnce { database in
                let sql = """
                    SELECT bytes, id, used_at, checksum, fresh_until FROM derived
                    WHERE key = ? AND (fresh_until IS NULL OR fresh_until > ?)
                    """
                let statement = try database.cachedStatement(sql: sql)
                return try Row.fetchOne(statement, arguments: [key, now]).map { row in
                    Found(
                        bytes: Self.intactBytes(row[0], of: key, until: row[4], checksum: row[3]), id: row[1],
                        usedAt: Double.fromDatabaseValue(row[2]) ?? 0)
                }
            }
        }
        guard case .some(.some(let value)) = found else { return nil }
        guard let bytes = value.bytes else {
            store.warnOfDamage()
            _ = store.attemptQuietly { try $0.database.write { try Self.remove(value.id, in: $0) } }
            return nil
        }
        if now - value.usedAt > 3_600 { noteUse(of: value.id, now) }
        return bytes
    }

    /// Reads a value that is valid now.
    package func value(for key: [UInt8]) -> [UInt8]? { value(for: key, now: WallClock.now) }

    /// Stores a value in the background: only a later run looks for it, and a transaction delays no thread that pages need.
    package func keep(_ bytes: [UInt8], for key: [UInt8], derivedFrom receipts: [CacheReceipt]) {
        writing.async { store(bytes, for: key, derivedFrom: receipts, now: WallClock.now) }
    }

    /// Waits until everything is kept.
    package func finish() async { await withCheckedContinuation { done in writing.async { done.resume() } } }

    /// Stores a value in place of the one under the same key.
    ///
    /// - Parameters:
    ///   - bytes: the value.
    ///   - key: any bytes; only a keyed hash of them is stored.
    ///   - receipts: the responses that the value was derived from; without any it is stored until it is evicted.
    ///   - now: the time in seconds since 1970.
    /// - Returns: whether the value was stored: not when a response has changed since, or is no longer fresh.
    @discardableResult
    public func store(_ bytes: [UInt8], for key: [UInt8], derivedFrom receipts: [CacheReceipt], now: Double) -> Bool {
        guard receipts.allSatisfy({ $0.freshUntil > now }) else { return false }
        var removed: [String] = []
        let isKept = store.attemptQuietly { connection in
            let key = Data(connection.hash.hash(key))
            return try connection.database.write { database in
                try database.cachedStatement(sql: "DELETE FROM derived WHERE key = ?").execute(arguments: [key])
                guard try receipts.allSatisfy({ try Self.isUnchanged($0, in: database) }) else { return false }
                let statement = try database.cachedStatement(
                    sql:
                        "INSERT INTO derived (key, fresh_until, used_at, cost, checksum, bytes) VALUES (?, ?, ?, ?, ?, ?)"
                )
                let end = receipts.map(\.freshUntil).min()
                let checksum = Self.checksum(of: bytes, of: key, until: end)
                try statement.execute(arguments: [key, end, now, bytes.count + key.count + 128, checksum, Data(bytes)])
                let id = database.lastInsertedRowID
                let source = try database.cachedStatement(sql: "INSERT INTO source (entry, derived) VALUES (?, ?)")
                for entry in Set(receipts.map(\.entry)) { try source.execute(arguments: [entry, id]) }
                removed = try store.evict(from: database)
                return true
            }
        }
        store.files.remove(removed)
        return isKept ?? false
    }

    /// Whether a value's bytes are those that were stored, or the value is gone.
    static func isIntact(_ id: Int64, in database: Database) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: "SELECT bytes, checksum, fresh_until, key FROM derived WHERE id = ?")
        guard let row = try Row.fetchOne(statement, arguments: [id]) else { return true }
        guard let key = Data.fromDatabaseValue(row[3]) else { return false }
        return intactBytes(row[0], of: key, until: row[2], checksum: row[1]) != nil
    }

    /// A value's bytes, where they, their key and the end of their freshness are those that were stored.
    private static func intactBytes(
        _ bytes: DatabaseValue, of key: Data, until end: DatabaseValue, checksum: DatabaseValue
    ) -> [UInt8]? {
        guard let bytes = Data.fromDatabaseValue(bytes).map({ [UInt8]($0) }),
            let checksum = Int64.fromDatabaseValue(checksum)
        else { return nil }
        return checksum == Self.checksum(of: bytes, of: key, until: Double.fromDatabaseValue(end)) ? bytes : nil
    }

    private static func checksum(of bytes: [UInt8], of key: Data, until end: Double?) -> Int64 {
        var checksum = Checksum()
        key.withUnsafeBytes { checksum.update($0) }
        bytes.withUnsafeBytes { checksum.update($0) }
        withUnsafeBytes(of: (end ?? -1).bitPattern) { checksum.update($0) }
        return Int64(bitPattern: checksum.value)
    }

    static func remove(_ id: Int64, in database: Database) throws {
        try database.execute(sql: "DELETE FROM derived WHERE id = ?", arguments: [id])
    }

    private static func isUnchanged(_ receipt: CacheReceipt, in database: Database) throws -> Bool {
        let statement = try database.cachedStatement(sql: "SELECT 1 FROM entry WHERE id = ? AND generation = ?")
        return try Bool.fetchOne(statement, arguments: [receipt.entry, receipt.generation]) ?? false
    }

    /// At most once an hour for each value, so that using one does not cost a write.
    private func noteUse(of id: Int64, _ now: Double) {
        _ = store.attemptQuietly { connection in
            try connection.database.write {
                try $0.execute(sql: "UPDATE derived SET used_at = ? WHERE id = ?", arguments: [now, id])
            }
        }
    }
}
