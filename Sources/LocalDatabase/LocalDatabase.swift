@_exported import GRDB
import Synchronization

/// A SQLite file that several processes use at once, and that never stands in the way of what it only helps with.
///
/// One connection, calls one after another. A file that turns out to be damaged, at opening or
/// later, is moved aside as `NAME.damaged-1` and made anew, with one warning; every other trouble is a
/// `LocalDatabaseError`, so that a caller can go on without the database.
package final class LocalDatabase: Sendable {
    /// Where the file is.
    package let path: String
    private let schema: LocalDatabaseSchema
    private let journal: LocalDatabaseJournal
    private let place: LocalDatabasePlace
    private let lockPatience: Duration
    private let warning: @Sendable (String) -> Void
    private let state: Mutex<State>

    private struct State {
        var connection: LocalConnection?
        /// A second damage in the life of one process is no accident of the file.
        var hasReplacedFile = false
    }

    /// Opens the file, and makes it and its folder where they are missing; takes well under 2 ms.
    ///
    /// `lockPatience` is how long any call waits for other processes. `warning` is told once when a damaged file was
    /// moved aside; it may be called on any thread.
    package init(
        path: String,
        schema: LocalDatabaseSchema,
        journal: LocalDatabaseJournal = .writeAhead,
        place: LocalDatabasePlace = .own,
        lockPatience: Duration = .seconds(2),
        warning: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(LocalDatabaseError) {
        self.path = path
        self.schema = schema
        self.journal = journal
        self.place = place
        self.lockPatience = lockPatience
        self.warning = warning
        state = Mutex(State())
        let hadLock = OpeningLock.isThere(for: path)
        try state.withLock { (state) throws(LocalDatabaseError) in
            do throws(LocalDatabaseError) { try begin(&state) } catch {
                // Beside another program's file not even a lock is left.
                if error.code == .foreign, !hadLock { OpeningLock.remove(for: path) }
                throw error
            }
        }
    }

    private func begin(_ state: inout State) throws(LocalDatabaseError) {
        do throws(LocalDatabaseError) {
            state.connection = try LocalConnection(
                path: path, schema: schema, journal: journal, lockPatience: lockPatience)
        } catch {
            guard error.code == .damaged else { throw error }
            try replaceFile(seen: nil, because: error, in: &state)
        }
    }

    /// Returns what the closure reads, all from one moment.
    ///
    /// Throws `LocalDatabaseError` for whatever SQLite reports, and unchanged what the closure throws besides. When the
    /// file turns out to be damaged, the closure runs a second time, on the new and empty one.
    package func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try use { try $0.queue.read(body) }
    }

    /// Returns what the closure reads without a transaction around it: for a single statement, where that is enough.
    package func readOnce<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try use { try $0.queue.unsafeRead(body) }
    }

    /// Runs the closure in one transaction that is kept when it returns and undone when it throws.
    ///
    /// Throws as `read` does, and may run the closure twice as `read` may.
    package func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try use { try $0.queue.write(body) }
    }

    /// Runs statements that SQLite takes only outside a transaction, such as `VACUUM`.
    package func writeWithoutTransaction<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try use { try $0.queue.writeWithoutTransaction(body) }
    }

    /// Whether this process has changed anything in the file; true when that cannot be told.
    package var hasWritten: Bool { (try? readOnce { $0.totalChangesCount > 0 }) ?? true }

    /// Closes the file; every later call throws `.unavailable`.
    package func close() {
        let connection = state.withLock { state in
            defer { state.connection = nil }
            return state.connection
        }
        // Nothing is lost when closing fails: what was committed is in the log, and the next opening reads it.
        try? connection?.queue.close()
    }

    /// Removes a file with all that is in it, also where the disk is too full for SQLite to take anything out of it.
    ///
    /// Who has it open goes on with what nobody else sees; who opens it next makes it anew.
    package static func remove(path: String, lockPatience: Duration = .seconds(2)) throws(LocalDatabaseError) {
        let lock = try OpeningLock(path: path, kind: .exclusive, patience: lockPatience)
        try DatabaseFile.remove(path)
        lock.release()
    }

    private func use<Result>(_ body: (LocalConnection) throws -> Result) throws -> Result {
        let connection = try current()
        do {
            return try body(connection)
        } catch let error as DatabaseError {
            let error = LocalDatabaseError(error, path: path)
            guard error.code == .damaged else { throw error }
            try state.withLock { (state) throws(LocalDatabaseError) in
                // Somebody else in this process may have been here already.
                guard state.connection === connection else { return }
                try replaceFile(seen: connection.file, because: error, in: &state)
            }
        }
        do {
            return try body(try current())
        } catch let error as DatabaseError {
            throw LocalDatabaseError(error, path: path)
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
        seen: FileIdentity?,
        because error: LocalDatabaseError,
        in state: inout State
    ) throws(LocalDatabaseError) {
        if place == .named, DatabaseFile.isOfAnotherKind(path) { throw .foreign(path, said: "no database") }
        guard !state.hasReplacedFile else { throw error }
        state.hasReplacedFile = true
        // The connection is of no more use; a damaged file may refuse to be closed in order.
        try? state.connection?.queue.close()
        state.connection = nil
        let lock = try OpeningLock(path: path, kind: .exclusive, patience: lockPatience)
        if seen == nil || FileIdentity(of: path) != seen, let connection = try openUnlessDamaged(lock) {
            state.connection = connection
        } else {
            if let aside = try DatabaseFile.moveAside(path) {
                warning("\(error.message); it was moved to \(aside) and begun anew")
            }
            state.connection = try open(lock)
        }
        lock.release()
    }

    private func openUnlessDamaged(_ lock: borrowing OpeningLock) throws(LocalDatabaseError) -> LocalConnection? {
        do throws(LocalDatabaseError) {
            return try open(lock)
        } catch {
            guard error.code == .damaged else { throw error }
            return nil
        }
    }

    private func open(_ lock: borrowing OpeningLock) throws(LocalDatabaseError) -> LocalConnection {
        try LocalConnection(
            path: path, schema: schema, journal: journal, lockPatience: lockPatience, holding: lock)
    }
}
