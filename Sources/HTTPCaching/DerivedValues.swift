import FoundationEssentials
import HTTPTransport
import LocalDatabase

/// Values computed from stored responses, each kept as long as every response it came from is fresh and unchanged.
///
/// They only save time: where the storage is of no use, the user is not warned.
///
/// They lie in the cache's database, under a keyed hash of their key, which may be made of secrets, and count against its
/// limit. Finding one is one look into one index.
public struct DerivedValues: Sendable {
    private struct Found {
        let bytes: [UInt8]
        let id: Int64
        let usedAt: Double
        let checksum: UInt64
    }

    private let store: SQLiteCacheStorage

    /// The derived values of a cache.
    public init(in store: SQLiteCacheStorage) { self.store = store }

    /// The value under a key, as it was stored; nil when there is none, or a response it came from is no longer good.
    ///
    /// `now` is in seconds since 1970.
    public func value(for key: [UInt8], now: Double) -> [UInt8]? {
        let found = store.attemptQuietly { connection in
            let key = Data(connection.hash.hash(key))
            return try connection.database.readOnce { database in
                let sql = """
                    SELECT bytes, id, used_at, checksum FROM derived
                    WHERE key = ? AND (fresh_until IS NULL OR fresh_until > ?)
                    """
                let statement = try database.cachedStatement(sql: sql)
                return try Row.fetchOne(statement, arguments: [key, now]).map { row in
                    Found(
                        bytes: [UInt8](row[0] as Data), id: row[1], usedAt: row[2],
                        checksum: UInt64(bitPattern: row[3] as Int64))
                }
            }
        }
        guard case .some(.some(let value)) = found else { return nil }
        guard Checksum.of(value.bytes) == value.checksum else {
            _ = store.attemptQuietly { try $0.database.write { try Self.remove(value.id, in: $0) } }
            store.warnOnce("derived", "a cached result in \(store.folder) was damaged and is computed again")
            return nil
        }
        if now - value.usedAt > 3_600 { noteUse(of: value.id, now) }
        return value.bytes
    }

    /// Keeps a value under a key; without receipts until it is evicted.
    ///
    /// Nothing is kept when a response has changed since its receipt was given, or is not fresh; `now` is in seconds since
    /// 1970. Returns whether the value is kept.
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
                let checksum = Int64(bitPattern: Checksum.of(bytes))
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
        let statement = try database.cachedStatement(sql: "SELECT bytes, checksum FROM derived WHERE id = ?")
        guard let row = try Row.fetchOne(statement, arguments: [id]) else { return true }
        return Checksum.of([UInt8](row[0] as Data)) == UInt64(bitPattern: row[1] as Int64)
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
