import LocalDatabase

extension CacheStore {
    /// Removes what was used least recently once everything takes more than the limit; returns files for afterwards.
    ///
    /// Down to nine tenths at once, so that it is not done with every answer.
    func evict(from database: Database) throws -> [String] {
        var total = try Self.total(in: database)
        guard total > limit else { return [] }
        let goal = limit / 10 * 9
        var files: [String] = []
        while total > goal {
            let batch = try Row.fetchAll(
                database,
                sql: """
                    SELECT id, used_at, 0 FROM (SELECT id, used_at FROM entry ORDER BY used_at LIMIT 64)
                    UNION ALL
                    SELECT id, used_at, 1 FROM (SELECT id, used_at FROM derived ORDER BY used_at LIMIT 64)
                    ORDER BY 2 LIMIT 64
                    """
            )
            guard !batch.isEmpty else { break }
            for row in batch where total > goal {
                let isDerived: Bool = row[2]
                if isDerived {
                    try database.execute(sql: "DELETE FROM derived WHERE id = ?", arguments: [row[0] as Int64])
                } else {
                    files += try Self.remove([row[0]], in: database)
                }
                total = try Self.total(in: database)
            }
        }
        return files
    }

    /// Removes what the terms of its source do not let be kept any longer; returns files for afterwards.
    static func removeOverdue(at now: Double, in database: Database) throws -> [String] {
        let overdue = try database.cachedStatement(sql: "SELECT id FROM entry WHERE keep_until <= ?")
        return try remove(try Int64.fetchAll(overdue, arguments: [now]), in: database)
    }

    /// What everything together takes, in bytes.
    static func total(in database: Database) throws -> Int {
        try Int.fetchOne(database.cachedStatement(sql: "SELECT value FROM meta WHERE name = 'total'")) ?? 0
    }
}
