import LocalDatabase
public import ProviderModel

extension SQLiteCacheStorage {
    /// Counts what is stored.
    ///
    /// - Returns: numbers and bytes, in all and by host and provider.
    /// - Throws: ``CacheError`` when the database cannot be opened or read.
    public func summary() throws -> CacheSummary {
        try administrate { connection in
            try connection.database.read { database in
                let times = try Row.fetchOne(
                    database, sql: "SELECT count(*), min(received_at), max(received_at) FROM entry")
                return CacheSummary(
                    entries: try times?.decode(atIndex: 0) ?? 0,
                    derivedValues: try Int.fetchOne(database, sql: "SELECT count(*) FROM derived") ?? 0,
                    bytes: try Self.total(in: database),
                    limit: limit,
                    hosts: try Self.shares(by: "host", in: database),
                    providers: try Self.shares(by: "provider", in: database),
                    oldest: try times?.decode(atIndex: 1),
                    newest: try times?.decode(atIndex: 2)
                )
            }
        }
    }

    /// Lists stored responses, the most recently used first.
    ///
    /// - Parameters:
    ///   - filter: selects the responses.
    ///   - count: the maximum number of responses.
    /// - Returns: the responses without their bodies.
    /// - Throws: ``CacheError`` when the database cannot be opened or read.
    public func list(_ filter: CacheFilter = .all, limit count: Int = .max) throws -> [CacheListing] {
        try administrate { connection in
            try connection.database.readOnce { database in
                let (condition, argument) = filter.condition
                let sql = """
                    SELECT id, url, provider, status, length, received_at, fresh_until, used_at, part IS NOT NULL
                    FROM entry WHERE \(condition) ORDER BY used_at DESC LIMIT ?
                    """
                let arguments = StatementArguments([argument].compactMap(\.self)) + [count]
                // Decoding throws where a subscript would trap: a damaged row has values of any type.
                return try Row.fetchAll(database, sql: sql, arguments: arguments).map { row in
                    CacheListing(
                        id: try row.decode(atIndex: 0),
                        url: try row.decode(atIndex: 1),
                        provider: try row.decode(atIndex: 2),
                        status: try row.decode(atIndex: 3),
                        bytes: try row.decode(atIndex: 4),
                        receivedAt: try row.decode(atIndex: 5),
                        freshUntil: try row.decode(atIndex: 6),
                        usedAt: try row.decode(atIndex: 7),
                        isPart: try row.decode(atIndex: 8)
                    )
                }
            }
        }
    }

    /// Removes stored responses and the values derived from them.
    ///
    /// `.all` removes every derived value as well, and on a full disk the whole database, which deleting rows would enlarge.
    ///
    /// - Parameter filter: selects the responses.
    /// - Returns: the number of removed responses.
    /// - Throws: ``CacheError`` when the database cannot be opened or written.
    @discardableResult
    public func clear(_ filter: CacheFilter = .all) throws -> Int {
        do { return try clearRows(filter) } catch let error as CacheError {
            guard filter == .all, (error.cause as? LocalDatabaseError)?.code == .full else { throw error }
            return try clearFiles()
        }
    }

    private func clearFiles() throws -> Int {
        // A number for display; what is removed does not depend on it.
        let count = (try? summary().entries) ?? 0
        close()
        try administrate { try LocalDatabase.remove(path: files.database) }
        files.remove(files.finishedBodies())
        _ = files.removeAbandoned()
        return count
    }

    private func clearRows(_ filter: CacheFilter) throws -> Int {
        var removed: [String] = []
        let count = try administrate { connection in
            try connection.database.write { database in
                let (condition, argument) = filter.condition
                let arguments = StatementArguments([argument].compactMap(\.self))
                let files = "SELECT file FROM entry WHERE file IS NOT NULL AND \(condition)"
                removed = try String.fetchAll(database, sql: files, arguments: arguments)
                try database.execute(sql: "DELETE FROM entry WHERE \(condition)", arguments: arguments)
                let count = database.changesCount
                if filter == .all { try database.execute(sql: "DELETE FROM derived") }
                return count
            }
        }
        files.remove(removed)
        try shrink()
        return count
    }

    /// Removes expired responses and values, then the least recently used beyond the limit, then files without a response.
    ///
    /// - Parameter now: the time in seconds since 1970.
    /// - Returns: what was removed, and the bytes freed.
    /// - Throws: ``CacheError`` when the database cannot be opened or written.
    public func prune(now: Double = WallClock.now) throws -> PruneReport {
        var report = PruneReport()
        var removed: [String] = []
        try administrate { connection in
            try connection.database.write { database in
                (report, removed) = (PruneReport(), [])
                try writeUses(database)
                let before = try Self.total(in: database)
                let expired = try Int64.fetchAll(
                    database,
                    sql: "SELECT id FROM entry WHERE fresh_until <= ?",
                    arguments: [now]
                )
                removed += try Self.remove(expired, in: database)
                try database.execute(sql: "DELETE FROM derived WHERE fresh_until <= ?", arguments: [now])
                report.expired = expired.count
                let counted = try Self.rowCount(in: database)
                removed += try evict(from: database)
                report.evicted = counted - (try Self.rowCount(in: database))
                report.orphans = try removeOrphans(database, besides: removed)
                report.bytesFreed = before - (try Self.total(in: database))
            }
        }
        files.remove(removed)
        try shrink()
        return report
    }

    /// Removes files that no row names; only under the lock of a write transaction, where none can be on its way.
    func removeOrphans(_ database: Database, besides known: [String] = []) throws -> Int {
        let named = Set(try String.fetchAll(database, sql: "SELECT file FROM entry WHERE file IS NOT NULL")).union(
            known)
        let orphans = files.finishedBodies().filter { !named.contains($0) }
        files.remove(orphans)
        return orphans.count + files.removeAbandoned()
    }

    /// The work's result, or why it could not be done, as a `CacheError`.
    func administrate<Result>(_ work: (Connection) throws -> Result) throws -> Result {
        try administrate { try work(try connection()) }
    }

    private func administrate<Result>(_ work: () throws -> Result) throws -> Result {
        do {
            return try work()
        } catch let error as CacheError {
            throw error
        } catch {
            throw CacheError(.unavailable, message: "could not use the cache in \(folder): \(error)", cause: error)
        }
    }

    private static func shares(by column: String, in database: Database) throws -> [CacheSummary.Share] {
        let sql = "SELECT \(column), count(*), sum(cost) FROM entry GROUP BY \(column) ORDER BY 3 DESC, 1"
        return try Row.fetchAll(database, sql: sql).map { row in
            CacheSummary.Share(
                name: try row.decode(atIndex: 0), entries: try row.decode(atIndex: 1), bytes: try row.decode(atIndex: 2)
            )
        }
    }

    private static func rowCount(in database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT (SELECT count(*) FROM entry) + (SELECT count(*) FROM derived)") ?? 0
    }

    /// Gives the database's free pages back to the disk.
    private func shrink() throws {
        try administrate { try $0.database.writeWithoutTransaction { try $0.execute(sql: "VACUUM") } }
    }
}
