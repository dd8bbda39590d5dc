import Glibc
import LocalDatabase
import Synchronization

/// A store of responses on disk, shared by all processes that use the same folder.
///
/// A SQLite database holds the index and small bodies; large bodies are files beside it.
public final class SQLiteCacheStorage: CacheStorage {
    /// The folder, created with the first stored response.
    public var folder: String { files.folder }
    /// The maximum size in bytes; the least recently used responses are evicted.
    public let limit: Int
    let files: CacheFiles
    private let busyTimeout: Duration
    private let warning: @Sendable (String) -> Void
    private let state = Mutex(State())

    private struct State {
        var connection: Connection?
        var isUnusable = false
        var warned: Set<String> = []
        /// What is reported when a response is looked for or to be stored.
        var pendingWarning: (kind: String, sentence: String)?
        /// Uses that are not yet noted in the database, by entry.
        var uses: [Int64: Double] = [:]
    }

    /// What is needed to find anything.
    struct Connection: Sendable {
        let database: LocalDatabase
        let hash: KeyedHash
    }

    /// The default ``limit``: 512 MiB.
    public static let defaultLimit = 512 << 20

    /// Creates a store; nothing is opened before it is needed.
    ///
    /// - Parameters:
    ///   - folder: the folder, created with the first stored response; processes may share it.
    ///   - limit: the maximum size in bytes; the least recently used responses are evicted.
    ///   - busyTimeout: how long to wait for another process that holds the database's lock.
    ///   - warning: called with a sentence for the user, once per kind of failure, on any thread.
    public init(
        folder: String,
        limit: Int = SQLiteCacheStorage.defaultLimit,
        busyTimeout: Duration = .seconds(1),
        warning: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        files = CacheFiles(folder: folder)
        self.limit = limit
        self.busyTimeout = busyTimeout
        self.warning = warning
    }

    deinit { close() }

    /// Writes pending changes and closes the database; the next use opens it again.
    public func close() {
        let (connection, uses) = state.withLock { state in
            defer {
                state.connection = nil
                state.uses = [:]
            }
            return (state.connection, state.uses)
        }
        guard let connection else { return }
        // Without the last use, a response is only evicted earlier.
        if !uses.isEmpty { try? connection.database.write { try Self.note(uses, in: $0) } }
        connection.database.close()
    }

    /// Closes the database if this process has pending or written changes.
    ///
    /// After reads only, it stays open: its log is empty, and the next process can use it.
    package func flush() {
        let (connection, hasUses) = state.withLock { ($0.connection, !$0.uses.isEmpty) }
        // Outside the lock: whoever writes to the database may wait for it.
        guard let connection, hasUses || connection.database.hasWritten else { return }
        close()
    }

    /// Whether there is a database to find something in.
    var hasDatabase: Bool { state.withLock { $0.connection != nil } || access(files.database, F_OK) == 0 }

    /// The open database; throws why there is none.
    func connection() throws -> Connection {
        try state.withLock { state in
            if let connection = state.connection { return connection }
            let database = try LocalDatabase(
                path: files.database,
                schema: .cache,
                busyTimeout: busyTimeout,
                warning: warning
            )
            guard let key = files.key(), let hash = KeyedHash(key: key) else {
                throw CacheError(
                    .unavailable,
                    message: files.keyRefusal ?? "could not read or write the key of the cache in \(folder)")
            }
            let connection = Connection(database: database, hash: hash)
            state.connection = connection
            return connection
        }
    }

    /// The hash of this cache; nil when the store is disabled, of which the user has been warned.
    package func hash() -> KeyedHash? { attempt { $0.hash } }

    /// What the work returns; nil when the store failed, of which the user is warned once.
    func attempt<Result>(_ work: (Connection) throws -> Result) -> Result? {
        let result = attemptQuietly(work)
        if result == nil, let trouble = state.withLock({ $0.pendingWarning.take() }) {
            warnOnce(trouble.kind, trouble.sentence)
        }
        return result
    }

    /// Does the same without a warning, for work that only saves time.
    func attemptQuietly<Result>(_ work: (Connection) throws -> Result) -> Result? {
        guard !state.withLock({ $0.isUnusable }) else { return nil }
        var used: Connection?
        do {
            let connection = try connection()
            used = connection
            return try work(connection)
        } catch {
            let isClosed = used != nil && state.withLock { $0.connection?.database } !== used?.database
            // A store that is closed while it is used fails without a warning.
            if !isClosed { note(error) }
            return nil
        }
    }

    /// Warns the user once of each kind of fault.
    func warnOnce(_ kind: String, _ message: @autoclosure () -> String) {
        guard state.withLock({ $0.warned.insert(kind).inserted }) else { return }
        warning(message())
    }

    /// Warns the user once that something was damaged, unless the whole file is, and is now moved aside with a warning.
    ///
    /// Before the damaged entry is removed: that may find the damage, too.
    func warnOfDamage() {
        guard attemptQuietly({ try $0.database.checkStructure() }) == true else { return }
        warnOnce("damage", "damaged entries of the cache in \(folder) are not used, and are requested again")
    }

    /// Records a use, which is written with the next change.
    ///
    /// A second use within an hour is not recorded, so that using a response does not cost a write.
    package func noteUse(of stored: StoredResponse, at now: Double) {
        guard now - stored.usedAt > 3_600 else { return }
        let isMuch = state.withLock { state in
            state.uses[stored.id] = now
            return state.uses.count >= 256
        }
        if isMuch { attempt { try $0.database.write(writeUses) } }
    }

    /// Writes the uses noted so far; part of every change.
    func writeUses(_ database: Database) throws {
        let uses = state.withLock { state in
            defer { state.uses = [:] }
            return state.uses
        }
        try Self.note(uses, in: database)
    }

    private static func note(_ uses: [Int64: Double], in database: Database) throws {
        for (id, time) in uses {
            let statement = try database.cachedStatement(sql: "UPDATE entry SET used_at = max(used_at, ?) WHERE id = ?")
            try statement.execute(arguments: [time, id])
        }
    }

    private func note(_ error: any Error) {
        let code = (error as? LocalDatabaseError)?.code
        // After these, the next request may succeed.
        let isPassing = [.locked, .full, .statement].contains(code)
        state.withLock { state in
            state.isUnusable = state.isUnusable || !isPassing
            state.pendingWarning = (code?.rawValue ?? "other", "the cache is disabled: \(error)")
        }
    }
}
