import GRDB

/// An open connection to a file whose schema is current.
final class LocalConnection: Sendable {
    let queue: DatabaseQueue
    /// Which file was opened: another process may put another one in its place.
    let file: FileIdentity?

    /// Opens the file; only one that has to be created or migrated waits until no other process has it open.
    init(_ settings: LocalDatabase.Settings) throws(LocalDatabaseError) {
        let path = settings.path
        try DatabaseFile.prepare(path)
        do {
            let lock = try OpeningLock(path: path, kind: .shared, timeout: settings.busyTimeout)
            let version: Int
            (queue, version) = try Self.open(settings)
            file = FileIdentity(of: path)
            lock.release()
            if version == settings.schema.version { return }
        }
        let lock = try OpeningLock(path: path, kind: .exclusive, timeout: settings.busyTimeout)
        try Self.migrate(queue, settings)
        lock.release()
    }

    /// Opens the file for a caller that holds its lock alone.
    init(_ settings: LocalDatabase.Settings, holding lock: borrowing OpeningLock) throws(LocalDatabaseError) {
        try DatabaseFile.prepare(settings.path)
        queue = try Self.open(settings).queue
        file = FileIdentity(of: settings.path)
        try Self.migrate(queue, settings)
    }

    /// Opens the file, and reads enough of it to know that it is whole.
    private static func open(
        _ settings: LocalDatabase.Settings
    ) throws(LocalDatabaseError) -> (queue: DatabaseQueue, version: Int) {
        try translating(settings.path) {
            var configuration = Configuration()
            configuration.busyMode = .timeout(settings.busyTimeout / .seconds(1))
            configuration.foreignKeysEnabled = false  // a schema that wants them can say so
            let synchronous = settings.journal == .writeAhead ? "NORMAL" : "OFF"
            configuration.prepareDatabase { database in
                try database.execute(sql: "PRAGMA synchronous = \(synchronous)")
                database.add(function: .rowChecksum)
            }
            let queue = try DatabaseQueue(path: settings.path, configuration: configuration)
            if WriteAheadLog(of: settings.path).isDamaged { try checkLog(queue, settings.path) }
            // In one transaction: each statement on its own would lock the file anew.
            return (queue, try queue.read { try FileCheck(settings).version(of: $0) })
        }
    }

    /// Looks at the log once more while no process can write.
    private static func checkLog(_ queue: DatabaseQueue, _ path: String) throws {
        try queue.writeWithoutTransaction { database in
            try database.inTransaction(.immediate) {
                guard WriteAheadLog(of: path).isDamaged else { return .rollback }
                database.keepLog()
                throw LocalDatabaseError.damaged(path, found: "its log was changed or cut off")
            }
        }
    }

    private static func migrate(
        _ queue: DatabaseQueue, _ settings: LocalDatabase.Settings
    ) throws(LocalDatabaseError) {
        let (path, schema) = (settings.path, settings.schema)
        try translating(path) {
            try queue.writeWithoutTransaction { database in
                let version = try FileCheck(settings).version(of: database)
                guard version < schema.version else { return }
                // The mode is stored in the file. On network disks without shared memory it stays as it is.
                let mode = settings.journal == .writeAhead ? "WAL" : "DELETE"
                try database.execute(sql: "PRAGMA journal_mode = \(mode)")
                try database.inTransaction(.immediate) {
                    for step in schema.steps.dropFirst(version) { try database.execute(sql: step) }
                    try database.execute(sql: "PRAGMA user_version = \(schema.version)")
                    let signature = try FileCheck.signature(of: database, version: schema.version)
                    try database.execute(sql: "PRAGMA application_id = \(signature)")
                    return .commit
                }
            }
        }
    }

    /// Copies the intact rows of a damaged file, as far as SQLite can read them, into tables that are empty.
    ///
    /// - Returns: how many there were.
    func copyIntactRows(of tables: [String], from damaged: String) -> Int {
        // Whatever fails here: what was copied so far is kept, and no row is taken without its checksum.
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let hasDamagedLog = WriteAheadLog(of: damaged).isDamaged
        guard let source = try? DatabaseQueue(path: damaged, configuration: configuration) else { return 0 }
        defer { try? source.close() }
        let copied = try? queue.write { database in
            let before = database.totalChangesCount
            try source.unsafeRead { source in
                if hasDamagedLog { source.keepLog() }
                for table in tables {
                    // From both ends: a page that cannot be read hides what comes behind it.
                    for direction in ["ASC", "DESC"] {
                        guard
                            let rows = try? Row.fetchCursor(
                                source, sql: "SELECT * FROM \(table) ORDER BY 1 \(direction)")
                        else { continue }
                        while let row = try? rows.next() {
                            guard row.hasRightChecksum else { continue }
                            let places = Array(repeating: "?", count: row.count).joined(separator: ", ")
                            let statement = try database.cachedStatement(
                                sql: "INSERT OR IGNORE INTO \(table) VALUES (\(places))")
                            try statement.execute(arguments: StatementArguments(row.databaseValues))
                        }
                    }
                }
            }
            return database.totalChangesCount - before
        }
        return copied ?? 0
    }

    private static func translating<Result>(
        _ path: String,
        _ body: () throws -> Result
    ) throws(LocalDatabaseError) -> Result {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw LocalDatabaseError(error, path: path)
        } catch let error as LocalDatabaseError {
            throw error
        } catch {
            throw LocalDatabaseError(.unavailable, path: path, message: "\(path): \(error)", cause: error)
        }
    }
}
