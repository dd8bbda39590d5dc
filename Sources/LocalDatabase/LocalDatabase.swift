@_exported import GRDB
import GRDBSQLite
import Synchronization

/// A SQLite file that several processes use at the same time.
///
/// It has one connection, and calls run one after another. A damaged file, found at opening or later, is moved aside as
/// `NAME.damaged-1` and created anew, with one warning. Every other failure is a ``LocalDatabaseError``, so that a caller can
/// continue without the database.
package final class LocalDatabase: Sendable {
    /// How a transaction survives the end of the program or the machine.
    package enum Journal: Sendable {
        /// WAL with `synchronous=NORMAL`. A killed program loses nothing; a power failure may lose the last transactions.
        case writeAhead
        /// A rollback journal with `synchronous=OFF`. A killed program loses nothing; a power failure may damage the file.
        ///
        /// For small data that may be lost, opened by every short process: no log has to be read or checkpointed.
        case rollback
    }

    /// Where the path of a database comes from.
    package enum Owner: Sendable {
        /// The program: the file is its own, whatever it contains.
        case program
        /// The user: a file that is not a database was named by mistake, and is not touched.
        case user
    }

    /// How a file is opened, and opened again after it was replaced.
    struct Settings: Sendable {
        let path: String
        let schema: LocalDatabaseSchema
        let journal: Journal
        let owner: Owner
        let busyTimeout: Duration
    }

    private struct State {
        var connection: LocalConnection?
        /// Whether a damaged file has been replaced: a second time in one process is an error.
        var hasReplacedFile = false
    }

    private let settings: Settings
    private let warning: @Sendable (String) -> Void
    private let beforeWriting: @Sendable () throws -> Void
    private let state: Mutex<State>

    /// The path of the file.
    package var path: String { settings.path }

    /// Opens the file, and creates it (0600) and its folder (0700) where they are missing.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - schema: its tables, brought up to date.
    ///   - journal: how changes are written.
    ///   - owner: whether a file that is not a database may be moved aside.
    ///   - busyTimeout: how long any call waits for other processes.
    ///   - warning: called once, on any thread, when a damaged file was moved aside.
    ///   - beforeWriting: called before each transaction that changes something; what it throws is thrown instead.
    /// - Throws: ``LocalDatabaseError``.
    package init(
        path: String,
        schema: LocalDatabaseSchema,
        journal: Journal = .writeAhead,
        owner: Owner = .program,
        busyTimeout: Duration = .seconds(2),
        warning: @escaping @Sendable (String) -> Void = { _ in },
        beforeWriting: @escaping @Sendable () throws -> Void = {}
    ) throws(LocalDatabaseError) {
        // A path that the user chose may lead through links, as any path of theirs.
        let path = owner == .user ? DatabaseFile.resolved(path) : path
        settings = Settings(path: path, schema: schema, journal: journal, owner: owner, busyTimeout: busyTimeout)
        self.warning = warning
        self.beforeWriting = beforeWriting
        state = Mutex(State())
        let hadLock = OpeningLock.exists(for: path)
        try state.withLock { (state) throws(LocalDatabaseError) in
            do throws(LocalDatabaseError) { try open(&state) } catch {
                // Beside another program's file not even a lock is left.
                if error.code == .foreign, !hadLock { OpeningLock.remove(for: path) }
                throw error
            }
        }
    }

    private func open(_ state: inout State) throws(LocalDatabaseError) {
        do throws(LocalDatabaseError) {
            state.connection = try LocalConnection(settings)
        } catch {
            guard error.code == .damaged else { throw error }
            try replaceFile(opened: nil, because: error, in: &state)
        }
    }

    // MARK: Transactions

    /// Returns what the closure reads, all from one snapshot.
    ///
    /// When the file turns out to be damaged, the closure runs a second time, on the new and empty one.
    ///
    /// - Throws: `LocalDatabaseError` for whatever SQLite reports, and unchanged what the closure throws besides.
    package func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try withConnection { try $0.queue.read(body) }
    }

    /// Returns what the closure reads without a transaction around it: for a single statement, where that is enough.
    package func readOnce<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try withConnection { try $0.queue.unsafeRead(body) }
    }

    /// Runs the closure in one transaction that is committed when it returns and rolled back when it throws.
    ///
    /// Throws as `read` does, and may run the closure twice as `read` may.
    package func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try beforeWriting()
        return try withConnection { try $0.queue.write(body) }
    }

    /// Runs statements that SQLite takes only outside a transaction, such as `VACUUM`.
    package func writeWithoutTransaction<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try withConnection { try $0.queue.writeWithoutTransaction(body) }
    }

    /// Checks the whole file, which is replaced with a warning where its structure is damaged.
    ///
    /// - Returns: whether it is the same file as before.
    package func checkStructure() throws -> Bool {
        var runs = 0
        try readOnce { database in
            runs += 1
            try DamagedRow.check(runs > 1 || String.fetchOne(database, sql: "PRAGMA integrity_check(1)") == "ok")
        }
        return runs == 1
    }

    /// Checks every row of tables whose last column is the checksum of the others.
    ///
    /// A row with a damaged key is not found, and so not checked, when it is looked for.
    package func checkRows(of tables: [String]) throws {
        try readOnce { database in
            for table in tables {
                let rows = try Row.fetchCursor(database, sql: "SELECT * FROM \(table)")
                while let row = try rows.next() { try DamagedRow.check(row.hasRightChecksum) }
            }
        }
    }

    // MARK: Closing

    /// Whether this process has changed anything in the file; true when that is unknown.
    package var hasWritten: Bool { (try? readOnce { $0.totalChangesCount > 0 }) ?? true }  // unknown when reading fails

    /// Closes the file; every later call throws `.unavailable`.
    package func close() {
        let connection = state.withLock { state in
            defer { state.connection = nil }
            return state.connection
        }
        // Nothing is lost when closing fails: what was committed is in the log, and the next opening reads it.
        try? connection?.queue.close()
    }

    /// Removes a file with all that is in it, also where the disk is too full for SQLite to delete anything in it.
    ///
    /// A process that has it open continues with a private file; the next one to open it creates it anew.
    package static func remove(path: String, busyTimeout: Duration = .seconds(2)) throws(LocalDatabaseError) {
        let lock = try OpeningLock(path: path, kind: .exclusive, timeout: busyTimeout)
        try DatabaseFile.remove(path)
        lock.release()
    }

    // MARK: Damaged files

    private func withConnection<Result>(_ body: (LocalConnection) throws -> Result) throws -> Result {
        let connection = try current()
        do {
            return try body(connection)
        } catch {
            guard let error = translated(error) else { throw error }
            guard error.code == .damaged else { throw error }
            try state.withLock { (state) throws(LocalDatabaseError) in
                // Another thread may have replaced it already.
                guard state.connection === connection else { return }
                try replaceFile(opened: connection.file, because: error, in: &state)
            }
        }
        do { return try body(try current()) } catch { throw translated(error) ?? error }
    }

    /// What SQLite, or a value that is not of its column's kind, says of the file; nil for an error of the caller.
    private func translated(_ error: any Error) -> LocalDatabaseError? {
        switch error {
        case let error as DatabaseError: LocalDatabaseError(error, path: path)
        case is RowDecodingError: .damaged(path, found: "a value of another type than its column")
        case is DamagedRow: .damaged(path, found: "the checksum of a row is wrong")
        default: nil
        }
    }

    private func current() throws(LocalDatabaseError) -> LocalConnection {
        guard let connection = state.withLock({ $0.connection }) else {
            throw LocalDatabaseError(.unavailable, path: path, message: "the database \(path) is closed")
        }
        return connection
    }

    /// Moves the damaged file aside, unless another process has done so already, and opens a new one.
    private func replaceFile(
        opened file: FileIdentity?, because error: LocalDatabaseError, in state: inout State
    ) throws(LocalDatabaseError) {
        if settings.owner == .user, DatabaseFile.isOfAnotherKind(path) { throw .foreign(path, found: "not a database") }
        guard !state.hasReplacedFile else { throw error }
        state.hasReplacedFile = true
        // The connection is of no more use; a damaged file may refuse to be closed in order.
        try? state.connection?.queue.close()
        state.connection = nil
        let lock = try OpeningLock(path: path, kind: .exclusive, timeout: settings.busyTimeout)
        if file == nil || FileIdentity(of: path) != file, let connection = try openUnlessDamaged(lock) {
            state.connection = connection
        } else {
            let aside = try DatabaseFile.moveAside(path)
            let connection = try LocalConnection(settings, holding: lock)
            if let aside {
                let kept = connection.copyIntactRows(of: settings.schema.recoveredTables, from: aside)
                let rest = kept > 0 ? " with its \(kept) intact rows" : ""
                warning("\(error.message); it was moved to \(aside), and a new one was created\(rest)")
            }
            state.connection = connection
        }
        lock.release()
    }

    private func openUnlessDamaged(_ lock: borrowing OpeningLock) throws(LocalDatabaseError) -> LocalConnection? {
        do throws(LocalDatabaseError) {
            return try LocalConnection(settings, holding: lock)
        } catch {
            guard error.code == .damaged else { throw error }
            return nil
        }
    }
}

/// The tables of a database, as the steps that lead to them.
package struct LocalDatabaseSchema: Sendable {
    /// SQL that brings a database from version `n` (SQLite's `user_version`) to `n + 1`; never changed once released.
    package let steps: [String]

    /// Whether a file's structure is checked when it is opened, so that no row of a damaged one goes missing silently.
    ///
    /// That reads the whole file: 0.1 ms for ten pages, 0.2 s for 100 MB.
    package let isCheckedWhenOpened: Bool
    /// The tables whose rows are copied out of a damaged file where they are intact.
    ///
    /// Their first column is their primary key, their last one the checksum of the others.
    package let recoveredTables: [String]

    /// The version after all steps.
    package var version: Int { steps.count }

    /// A schema.
    package init(steps: [String], isCheckedWhenOpened: Bool = true, recovering tables: [String] = []) {
        self.steps = steps
        self.isCheckedWhenOpened = isCheckedWhenOpened
        recoveredTables = tables
    }
}

extension LocalDatabase {
    /// The version of the SQLite library that was found here.
    package static var libraryVersion: String { String(cString: sqlite3_libversion()) }
}
