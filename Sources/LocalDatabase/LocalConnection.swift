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

    /// Reading the version is what shows whether the file is a database at all.
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
            return (queue, try queue.unsafeRead(version(of:)))
        }
    }

    private static func version(of database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    }

    private static func migrate(
        _ queue: DatabaseQueue, _ settings: LocalDatabase.Settings
    ) throws(LocalDatabaseError) {
        let (path, schema) = (settings.path, settings.schema)
        try refuseForeign(queue, path: path)
        let found = try translating(path) {
            try queue.writeWithoutTransaction { database in
                // The mode is stored in the file. On network disks without shared memory it stays as it is.
                let mode = settings.journal == .writeAhead ? "WAL" : "DELETE"
                try database.execute(sql: "PRAGMA journal_mode = \(mode)")
                try database.inTransaction(.immediate) {
                    let version = try version(of: database)
                    for step in schema.steps.dropFirst(version) { try database.execute(sql: step) }
                    if version < schema.version {
                        try database.execute(sql: "PRAGMA user_version = \(schema.version)")
                    }
                    return .commit
                }
                return try version(of: database)
            }
        }
        guard found <= schema.version else {
            throw LocalDatabaseError(
                .newer, path: path,
                message: "the database \(path) was made by a newer version of this program "
                    + "(found version \(found), expected at most \(schema.version))")
        }
    }

    /// Refuses a file without a version that is not empty, and changes nothing in it.
    ///
    /// Its tables are another program's. SQLite takes a few bytes of anything for an empty database.
    private static func refuseForeign(_ queue: DatabaseQueue, path: String) throws(LocalDatabaseError) {
        let hasTables: Bool? = try translating(path) {
            try queue.unsafeRead { database in
                guard try version(of: database) == 0 else { return nil }
                return try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM sqlite_master)")
            }
        }
        guard let hasTables else { return }
        if hasTables { throw .foreign(path, found: "a database with other tables") }
        guard DatabaseFile.isOfAnotherKind(path) else { return }
        throw LocalDatabaseError(
            .damaged, path: path, message: "the database \(path) is damaged (no SQLite header)")
    }

    private static func translating<Result>(
        _ path: String,
        _ body: () throws -> Result
    ) throws(LocalDatabaseError) -> Result {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw LocalDatabaseError(error, path: path)
        } catch {
            throw LocalDatabaseError(.unavailable, path: path, message: "\(path): \(error)", cause: error)
        }
    }
}
