import LocalDatabase

extension SQLiteCacheStorage {
    /// Verifies the checksum of everything that is stored, and removes what is damaged.
    ///
    /// - Returns: the number of responses read, and what was repaired.
    /// - Throws: ``CacheError`` when the database cannot be opened, read or repaired.
    public func verify() throws -> VerificationReport {
        var report = VerificationReport()
        var damaged: [Int64] = []
        let rows = try administrate { connection in
            try connection.database.readOnce { database in
                try Row.fetchAll(database, sql: "SELECT \(Self.columns), url FROM entry").map { row in
                    (id: row[0] as Int64, stored: Self.response(row), url: String.fromDatabaseValue(row[14]) ?? "?")
                }
            }
        }
        for (id, stored, url) in rows {
            report.checked += 1
            guard let problem = try stored.map(problem) ?? "its entry was changed" else { continue }
            damaged.append(id)
            report.repairs.append("removed the response of \(url): \(problem)")
        }
        let damagedValues = try damagedDerivedValues(&report)
        var removed: [String] = []
        try administrate { connection in
            try connection.database.write { database in
                try damagedValues.forEach { try DerivedValues.remove($0, in: database) }
                removed = try Self.remove(damaged, in: database)
                report.repairs += try repairTables(database)
                let orphans = try removeOrphans(database, besides: removed)
                if orphans > 0 { report.repairs.append("removed \(orphans) files that belong to no response") }
            }
        }
        files.remove(removed)
        return report
    }

    /// The numbers of derived values whose bytes were changed.
    private func damagedDerivedValues(_ report: inout VerificationReport) throws -> [Int64] {
        var damaged: [Int64] = []
        let ids = try administrate { connection in
            try connection.database.readOnce { try Int64.fetchAll($0, sql: "SELECT id FROM derived") }
        }
        for id in ids {
            let isIntact = try administrate { connection in
                try connection.database.readOnce { try DerivedValues.isIntact(id, in: $0) }
            }
            if !isIntact { damaged.append(id) }
        }
        if !damaged.isEmpty { report.repairs.append("removed \(damaged.count) damaged results of responses") }
        return damaged
    }

    /// What is wrong with a stored body; nil when it is as it was, or gone meanwhile.
    private func problem(with stored: StoredResponse) throws -> String? {
        let isGood: Bool
        if let file = stored.file {
            let path = files.path(of: file)
            isGood = BodyReader(path: path, length: stored.length, checksum: stored.checksum) != nil
        } else if stored.length == 0 {
            isGood = true
        } else {
            let bytes = try administrate { try Self.inlineBody(of: stored.id, in: $0.database) }
            isGood = bytes.flatMap { BodyReader(bytes: $0, length: stored.length, checksum: stored.checksum) } != nil
        }
        guard !isGood else { return nil }
        let isStillThere = try administrate { connection in
            try connection.database.readOnce {
                try Bool.fetchOne($0, sql: "SELECT 1 FROM entry WHERE id = ?", arguments: [stored.id]) ?? false
            }
        }
        return isStillThere ? "its body is missing or changed" : nil
    }

    private func repairTables(_ database: Database) throws -> [String] {
        var repairs: [String] = []
        let problems = try String.fetchAll(database, sql: "PRAGMA integrity_check(10)").filter { $0 != "ok" }
        if !problems.isEmpty {
            try database.execute(sql: "REINDEX")
            repairs.append("rebuilt the indexes: \(problems.joined(separator: "; "))")
        }
        let sum = "SELECT (SELECT ifnull(sum(cost), 0) FROM entry) + (SELECT ifnull(sum(cost), 0) FROM derived)"
        let total = try Int.fetchOne(database, sql: sum) ?? 0
        if try Self.total(in: database) != total {
            try database.execute(sql: "UPDATE meta SET value = ? WHERE name = 'total'", arguments: [total])
            repairs.append("corrected the byte count")
        }
        try database.execute(sql: "DELETE FROM body WHERE entry NOT IN (SELECT id FROM entry)")
        if database.changesCount > 0 {
            repairs.append("removed \(database.changesCount) bodies that belong to no response")
        }
        try database.execute(
            sql:
                "DELETE FROM derived WHERE id IN (SELECT derived FROM source WHERE entry NOT IN (SELECT id FROM entry))"
        )
        if database.changesCount > 0 {
            repairs.append("removed \(database.changesCount) results that belong to no response")
        }
        return repairs
    }
}
