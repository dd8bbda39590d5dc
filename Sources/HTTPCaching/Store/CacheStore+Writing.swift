import FoundationEssentials
import HTTPTypes
import LocalDatabase
import ProviderModel

/// A response on its way into the store.
struct NewResponse: Sendable {
    let key: CacheKey
    let url: WebURL
    let provider: ProviderID
    /// Everything but its number and body.
    let draft: StoredResponse
    /// In seconds since 1970.
    let freshUntil: Double
    /// When it has to be gone, in seconds since 1970; nil where nothing says so.
    let keepUntil: Double?
    /// What it takes the place of.
    let replaced: [Int64]
}

extension CacheStore {
    /// The most bytes that one body may have, so that it does not drive out everything else.
    var bodyLimit: Int { limit / 2 }

    /// A writer for a body.
    func writer() -> BodyWriter { BodyWriter(files: files, limit: bodyLimit) }

    /// Stores a response and gives it its number; nil when it could not be stored.
    func insert(_ new: NewResponse, body writer: BodyWriter) -> StoredResponse? {
        let (finished, reason) = writer.finish()
        guard let body = finished else {
            warnOnce("body", "an answer of \(new.url.origin) is not stored: \(reason)")
            return nil
        }
        var removed: [String] = []
        let stored = attempt { connection in
            removed = []
            return try connection.database.write { database in
                // Under the lock of the transaction, so that nobody takes the file for one that no row names.
                guard writer.keep() else {
                    throw CacheError(.unavailable, message: "a body in \(folder) could not get its name")
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
    func update(_ stored: StoredResponse, freshUntil: Double, keepUntil: Double?) -> StoredResponse? {
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
                        stored.receivedAt, freshUntil, keepUntil, stored.receivedAt, stored.isKeptOnDemand,
                        Self.cost(stored.fields, stored.length), stored.id, stored.generation,
                    ]
                )
                return database.changesCount > 0 ? stored.generation + 1 : nil
            }
        }
        guard case .some(.some(let generation)) = generation else { return nil }
        var updated = stored
        updated.generation = generation
        updated.usedAt = stored.receivedAt
        return updated
    }

    /// Forgets responses by number.
    func remove(_ ids: [Int64]) {
        guard !ids.isEmpty else { return }
        files.remove(attempt { try $0.database.write { try Self.remove(ids, in: $0) } } ?? [])
    }

    /// Forgets everything stored for these URLs, whoever asked for it (RFC 9111 §4.4).
    func invalidate(_ urls: [WebURL]) {
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

    /// What a response takes on the disk, roughly: its bytes, its lines, and its rows.
    static func cost(_ fields: HTTPFields, _ length: Int) -> Int {
        fields.reduce(512 + length) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 4 }
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
            stored.isKeptOnDemand, stored.part?.range.description, stored.length,
            Int64(bitPattern: stored.checksum), stored.file, cost(stored.fields, stored.length),
        ])
        stored.id = database.lastInsertedRowID
        if let bytes = body.bytes, !bytes.isEmpty {
            let statement = try database.cachedStatement(sql: "INSERT INTO body (entry, bytes) VALUES (?, ?)")
            try statement.execute(arguments: [stored.id, Data(bytes)])
        }
        return stored
    }
}
