import FoundationEssentials
import HTTPTransport
import HTTPTypes
import LocalDatabase

extension SQLiteCacheStorage {
    /// Everything stored under a key, the most recent first (RFC 9111 §4: by `Date`).
    package func responses(for key: CacheKey, url: String) -> [StoredResponse] {
        var damaged: [Int64] = []
        let found = attempt { connection in
            try connection.database.readOnce { database in
                damaged = []
                let sql = "SELECT \(Self.columns) FROM entry WHERE target = ? AND identity = ? AND url = ?"
                let statement = try database.cachedStatement(sql: sql)
                return try Row.fetchAll(statement, arguments: [key.target, key.identity, url]).compactMap { row in
                    let response = Self.response(row)
                    if response == nil { damaged.append(row[0]) }
                    return response
                }
            }
        }
        if !damaged.isEmpty { forgetDamaged(damaged) }
        return (found ?? []).mostRecentFirst
    }

    /// The bytes of a stored response, verified; nil when they are lost, and then the response is removed.
    package func body(of stored: StoredResponse) -> BodyReader? {
        let reader: BodyReader?
        if let file = stored.file {
            reader = BodyReader(path: files.path(of: file), length: stored.length, checksum: stored.checksum)
        } else if stored.length == 0 {
            reader = BodyReader(bytes: [], length: 0, checksum: stored.checksum)
        } else {
            guard let bytes = attempt({ try Self.inlineBody(of: stored.id, in: $0.database) }) else { return nil }
            reader = bytes.flatMap { BodyReader(bytes: $0, length: stored.length, checksum: stored.checksum) }
        }
        if reader == nil { forgetLost(stored) }
        return reader
    }

    /// The columns that `response` reads, in its order.
    static let columns = """
        id, generation, status, fields, selection, requested_at, received_at, used_at, on_demand, part, length, \
        checksum, file, row_checksum = row_checksum(\(checkedColumns))
        """

    /// What a response is served by; not `used_at`, which changes with every use.
    private static let checkedColumns = """
        generation, target, identity, url, status, fields, selection, requested_at, received_at, fresh_until, keep_until, \
        on_demand, part, length, checksum, file
        """

    /// Gives a row the checksum of its values.
    static func sealRow(_ id: Int64, in database: Database) throws {
        let sql = "UPDATE entry SET row_checksum = row_checksum(\(checkedColumns)) WHERE id = ?"
        try database.cachedStatement(sql: sql).execute(arguments: [id])
    }

    /// The response of a row; nil when the row was damaged.
    static func response(_ row: Row) -> StoredResponse? {
        guard Bool.fromDatabaseValue(row[13]) == true else { return nil }
        return StoredResponse(
            id: row[0],
            generation: row[1],
            status: row[2],
            fields: StoredText.fields(in: row[3]),
            requestedAt: row[5],
            receivedAt: row[6],
            usedAt: Double.fromDatabaseValue(row[7]) ?? 0,
            selection: StoredText.selection(in: row[4]),
            isStoredByTerms: row[8],
            part: (row[9] as String?).flatMap { ContentRange($0) }.map { StoredPart(range: $0) },
            length: row[10],
            checksum: UInt64(bitPattern: row[11] as Int64),
            file: row[12]
        )
    }

    static func inlineBody(of id: Int64, in database: LocalDatabase) throws -> [UInt8]? {
        try database.readOnce { database in
            let statement = try database.cachedStatement(sql: "SELECT bytes FROM body WHERE entry = ?")
            return try Data.fetchOne(statement, arguments: [id]).map { [UInt8]($0) }
        }
    }

    /// Removes rows that were damaged; their bodies are removed as belonging to none.
    private func forgetDamaged(_ ids: [Int64]) {
        warnOfDamage()
        _ = attempt { connection in
            try connection.database.write { database in
                for id in ids { try database.execute(sql: "DELETE FROM entry WHERE id = ?", arguments: [id]) }
            }
        }
    }

    /// Removes a response whose body is lost, with a warning unless another process has replaced or evicted it.
    private func forgetLost(_ stored: StoredResponse) {
        let wasThere = attempt { connection in
            try connection.database.write { database in
                try database.execute(
                    sql: "DELETE FROM entry WHERE id = ? AND generation = ?",
                    arguments: [stored.id, stored.generation]
                )
                return database.changesCount > 0
            }
        }
        guard wasThere == true else { return }
        if let file = stored.file { files.remove([file]) }
        warnOfDamage()
    }
}
