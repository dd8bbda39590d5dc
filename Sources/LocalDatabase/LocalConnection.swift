import GRDB

/// An open file with its schema as it should be.
final class LocalConnection: Sendable {
    let queue: DatabaseQueue
    /// Which file was opened: another process may put another one in its place.
    let file: FileIdentity?

    /// Opens the file; only one that has to be made or migrated waits until it is alone with it.
    init(
        path: String,
        schema: LocalDatabaseSchema,
        journal: LocalDatabaseJournal,
        lockPatience: Duration
    ) throws(LocalDatabaseError) {
        try DatabaseFile.prepare(path)
        do {
            let lock = try OpeningLock(path: path, kind: .shared, patience: lockPatience)
            let (queue, version) = try Self.open(path, journal, lockPatience)
            (self.queue, file) = (queue, FileIdentity(of: path))
            lock.release()
            if version == schema.version { return }
        }
        let lock = try OpeningLock(path: path, kind: .exclusive, patience: lockPatience)
        try Self.migrate(queue, to: schema, journal, path: path)
        lock.release()
    }

    /// Opens the file for a caller that is alone with it.
    init(
        path: String,
        schema: LocalDatabaseSchema,
        journal: LocalDatabaseJournal,
        lockPatience: Duration,
        holding lock: borrowing OpeningLock
    ) throws(LocalDatabaseError) {
        try DatabaseFile.prepare(path)
        queue = try Self.open(path, journal, lockPatience).queue
        file = FileIdentity(of: path)
        try Self.migrate(queue, to: schema, journal, path: path)
    }

    /// Reading the version is what shows whether the file is a database at all.
    private static func open(
        _ path: String,
        _ journal: LocalDatabaseJournal,
        _ lockPatience: Duration
    ) throws(LocalDatabaseError) -> (queue: DatabaseQueue, version: Int) {
        try translating(path) {
            let queue = try DatabaseQueue(path: path, configuration: configuration(journal, lockPatience))
            let version = try queue.unsafeRead { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
            if case .rollback = journal, DatabaseFile.hasLog(path) { try giveUpLog(of: queue) }
            return (queue, version)
        }
    }

    /// Ends the log that a former version kept; where others use it, the next to open the file tries again.
    private static func giveUpLog(of queue: DatabaseQueue) throws {
        do {
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY || error.resultCode == .SQLITE_LOCKED
        {}
    }

    private static func configuration(_ journal: LocalDatabaseJournal, _ lockPatience: Duration) -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(lockPatience / .seconds(1))
        configuration.foreignKeysEnabled = false  // a statement less; a schema that wants them can say so
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = \(journal.synchronous)")
        }
        return configuration
    }

    private static func migrate(
        _ queue: DatabaseQueue,
        to schema: LocalDatabaseSchema,
        _ journal: LocalDatabaseJournal,
        path: String
    ) throws(LocalDatabaseError) {
        try refuseForeign(queue, path: path)
        let version = try translating(path) {
            try queue.writeWithoutTransaction { database in
                // Kept in the file. Some network disks cannot have it; then the file works as it is.
                try database.execute(sql: "PRAGMA journal_mode = \(journal.mode)")
                try database.inTransaction(.immediate) {
                    let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
                    for step in schema.remainder(from: version) { try database.execute(sql: step) }
                    if version < schema.version {
                        try database.execute(sql: "PRAGMA user_version = \(schema.version)")
                    }
                    return .commit
                }
                return try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
            }
        }
        guard version <= schema.version else {
            throw LocalDatabaseError(
                .newer,
                path: path,
                message: "the database \(path) has version \(version), and this program knows \(schema.version); "
                    + "a newer version of it made the file: update this program"
            )
        }
    }

    /// Refuses what has no version and is not empty; nothing is changed in it.
    ///
    /// Tables are another program's. A few bytes of anything pass for an empty database with SQLite.
    private static func refuseForeign(_ queue: DatabaseQueue, path: String) throws(LocalDatabaseError) {
        let hasTables: Bool? = try translating(path) {
            try queue.unsafeRead { database in
                guard try Int.fetchOne(database, sql: "PRAGMA user_version") == 0 else { return nil }
                return try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM sqlite_master)")
            }
        }
        guard let hasTables else { return }
        if hasTables { throw .foreign(path, said: "a database with other tables") }
        guard DatabaseFile.isOfAnotherKind(path) else { return }
        throw LocalDatabaseError(
            .damaged, path: path, message: "the database \(path) is damaged (it does not begin as one)")
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
