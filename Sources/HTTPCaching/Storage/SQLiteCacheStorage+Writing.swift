import FoundationEssentials
import HTTPTypes
import LocalDatabase
import ProviderModel

extension SQLiteCacheStorage {
    /// The most bytes that one body may have, so that it does not drive out everything else.
    var bodyLimit: Int { limit / 2 }

    /// A writer for a body.
    package func writer() -> BodyWriter { BodyWriter(files: files, limit: bodyLimit) }

    /// Stores a response and gives it its number; nil when it could not be stored.
    package func insert(_ new: NewResponse, body writer: BodyWriter) -> StoredResponse? {
        let (finished, reason) = writer.finish()
        guard let body = finished else {
            warnOnce("body", "could not cache a response of \(new.url.origin): \(reason)")
            return nil
        }
        var removed: [String] = []
        let stored = attempt { connection in
            removed = []
            return try connection.database.write { database in
                // Under the lock of the transaction, so that the file is not taken for an orphan.
                guard writer.keep() else {
                    throw CacheError(.unavailable, message: "could not rename a body in \(folder)")
                }
                try writeUses(database)
                removed += try Self.remove(new.replaced, in: database)
                let stored = try Self.insert(new, body, in: database)
                removed += try Self.removeOverdue(at: stored.receivedAt, in: database)
                removed += try evict(from: database)
                return stored
            }
        }
        files.remove(removed)
        if stored == nil, let file = body.file { files.remove([file]) }
        return stored
    }

    /// Replaces the header lines and times of a stored response; nil when it is gone or was changed meanwhile.
    package func update(_ stored: StoredResponse, freshUntil: Double, keepUntil: Double?) -> StoredResponse? {
        let generation = attempt { connection in
            try connection.database.write { database -> Int64? in
                try writeUses(database)
                try database.execute(
                    sql: """
                        UPDATE entry SET generation = generation + 1, fields = ?, selection = ?, requested_at = ?,
                        received_at = ?, fresh_until = ?, keep_until = ?, used_at = ?, on_demand = ?, cost = ?
                        WHERE id = ? AND generation = ?
                        """,
                    arguments: [
                        StoredText.text(of: stored.fields), StoredText.text(of: stored.selection), stored.requestedAt,
                        stored.receivedAt, freshUntil, keepUntil, stored.receivedAt, stored.isStoredByTerms,
                        stored.cost, stored.id, stored.generation,
                    ]
                )
                guard database.changesCount > 0 else { return nil }
                try Self.sealRow(stored.id, in: database)
                return stored.generation + 1
            }
        }
        guard case .some(.some(let generation)) = generation else { return nil }
        var updated = stored
        updated.generation = generation
        updated.usedAt = stored.receivedAt
        return updated
    }

    /// Removes responses by number.
    package func remove(_ ids: [Int64]) {
        guard !ids.isEmpty else { return }
        files.remove(attempt { try $0.database.write { try Self.remove(ids, in: $0) } } ?? [])
    }

    /// Removes everything stored for these URLs, for every requester (RFC 9111 §4.4).
    package func invalidate(_ urls: [WebURL]) {
        guard !urls.isEmpty else { return }
        let removed = attempt { connection in
            try connection.database.write { database in
                let ids = try urls.flatMap { url in
                    try Int64.fetchAll(
                        database,
                        sql: "SELECT id FROM entry WHERE target = ?",
                        arguments: [CacheKey.target(url, hash: connection.hash)]
                    )
                }
                return try Self.remove(ids, in: database)
            }
        }
        files.remove(removed ?? [])
    }

    /// Removes rows; returns the files that go with them, for after the transaction.
    static func remove(_ ids: [Int64], in database: Database) throws -> [String] {
        var files: [String] = []
        for id in ids {
            let file = try String.fetchOne(
                database.cachedStatement(sql: "SELECT file FROM entry WHERE id = ?"),
                arguments: [id]
            )
            if let file { files.append(file) }
            try database.cachedStatement(sql: "DELETE FROM entry WHERE id = ?").execute(arguments: [id])
        }
        return files
    }

    private static func insert(
        _ new: NewResponse,
        _ body: BodyWriter.Finished,
        in database: Database
    ) throws -> StoredResponse {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO entry (target, identity, provider, host, url, status, fields, selection, requested_at,
                received_at, fresh_until, keep_until, used_at, on_demand, part, length, checksum, file, cost)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        )
        var stored = new.draft
        (stored.generation, stored.length, stored.checksum, stored.file) = (1, body.length, body.checksum, body.file)
        try statement.execute(arguments: [
            new.key.target, new.key.identity, new.provider.description, new.url.host, CacheKey.text(new.url),
            stored.status, StoredText.text(of: stored.fields), StoredText.text(of: stored.selection),
            stored.requestedAt, stored.receivedAt, new.freshUntil, new.keepUntil, stored.receivedAt,
            stored.isStoredByTerms, stored.part?.range.description, stored.length,
            Int64(bitPattern: stored.checksum), stored.file, stored.cost,
        ])
        stored.id = database.lastInsertedRowID
        try sealRow(stored.id, in: database)
        if let bytes = body.bytes, !bytes.isEmpty {
            let statement = try database.cachedStatement(sql: "INSERT INTO body (entry, bytes) VALUES (?, ?)")
            try statement.execute(arguments: [stored.id, Data(bytes)])
        }
        return stored
    }
}

// MARK: - Eviction

extension SQLiteCacheStorage {
    /// Removes what was used least recently once everything takes more than the limit; returns files for afterwards.
    ///
    /// Down to nine tenths at once, so that it is not done with every response.
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
