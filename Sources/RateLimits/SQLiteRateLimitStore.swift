import Dispatch
import FoundationEssentials
import LocalDatabase
import Synchronization

/// The sliding windows of all processes, in a database; those of this process alone when that cannot be used.
///
/// The database is opened when the first request needs a slot, or one is about to: a response from a cache does not wait for it.
package final class SQLiteRateLimitStore: RateLimitStore {
    private enum Connection {
        case closed
        case open(LocalDatabase)
        /// The file cannot be used; the windows are those of this process.
        case failed
    }

    /// A window as this process has seen it last.
    private struct Copy {
        var window: SlidingWindow
        var readAt: Timestamp
    }

    /// How long a copy is used.
    ///
    /// Feedback that other processes receive is applied that much later.
    static let copyLifetime = Duration.milliseconds(100)

    static let schema = LocalDatabaseSchema(
        steps: [
            """
            CREATE TABLE bucket (
                key TEXT PRIMARY KEY,
                seen INTEGER NOT NULL,
                last_id INTEGER NOT NULL,
                closed_until INTEGER,
                refusals INTEGER NOT NULL,
                quotas TEXT NOT NULL,
                slots BLOB NOT NULL,
                expires INTEGER NOT NULL,
                checksum INTEGER NOT NULL
            ) WITHOUT ROWID;
            """
        ],
        recovering: ["bucket"])

    private let path: String
    private let busyTimeout: Duration
    private let clock: @Sendable () -> Timestamp
    private let warning: @Sendable (String) -> Void
    /// SQLite blocks while another process writes, which no thread of Swift's pool should; one queue also keeps the order.
    private let queue = DispatchQueue(label: "rate limits")
    private let connection = Mutex(Connection.closed)
    private let copies = Mutex<[BucketKey: Copy]>([:])

    /// Creates a store; its file is opened with the first request.
    ///
    /// - Parameters:
    ///   - path: the database's file.
    ///   - busyTimeout: how long a request waits for other processes that use the file.
    ///   - now: the time of day.
    ///   - warning: called once, on any thread, when the file cannot be used.
    package init(
        path: String,
        busyTimeout: Duration = .seconds(2),
        now: @escaping @Sendable () -> Timestamp,
        warning: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.path = path
        self.busyTimeout = busyTimeout
        clock = now
        self.warning = warning
    }

    package func now() -> Timestamp { clock() }

    /// Opens the file without waiting for it: a request is about to come.
    package func prewarm() {
        queue.async {
            self.connection.withLock { connection in
                // The request itself says why it cannot be used.
                guard case .closed = connection else { return }
                _ = try? self.open(&connection)
            }
        }
    }

    /// Closes the file, after whatever was begun; the next request opens it again.
    package func close() {
        queue.sync {
            connection.withLock { connection in
                guard case .open(let database) = connection else { return }
                database.close()
                connection = .closed
            }
        }
    }

    package func recentWindow(of bucket: BucketKey) -> SlidingWindow? {
        let now = now()
        guard let copy = copies.withLock({ $0[bucket] }) else { return nil }
        // A copy from the future shows that the clock was set back: its age is unknown.
        return now >= copy.readAt && now < copy.readAt + Self.copyLifetime ? copy.window : nil
    }

    package func update<Result: Sendable>(
        _ bucket: BucketKey, _ body: @escaping @Sendable (inout SlidingWindow, Timestamp) -> Result
    ) async -> Result {
        await withCheckedContinuation { continuation in
            queue.async {
                let result = self.updateInDatabase(bucket, body) ?? self.updateCopy(bucket, body)
                continuation.resume(returning: result)
            }
        }
    }

    /// nil when there is no database to use, or none any more.
    private func updateInDatabase<Result: Sendable>(
        _ bucket: BucketKey, _ body: (inout SlidingWindow, Timestamp) -> Result
    ) -> Result? {
        connection.withLock { connection in
            do {
                guard let file = try open(&connection) else { return nil }
                let (result, copy) = try file.write { database in
                    // Read under the lock: in the order in which processes get it, the time never goes back.
                    let now = now()
                    let stored = try Self.window(of: bucket, in: database)
                    let before = stored ?? SlidingWindow(startingAt: now)
                    var window = before
                    let result = body(&window, now)
                    if window != before { try Self.save(window, of: bucket, isNew: stored == nil, in: database) }
                    return (result, Copy(window: window, readAt: now))
                }
                copies.withLock { $0[bucket] = copy }
                return result
            } catch {
                // Without the file, rates hold within this process.
                connection = .failed
                warning("rate limits hold for this process only: \(error)")
                return nil
            }
        }
    }

    private func updateCopy<Result: Sendable>(
        _ bucket: BucketKey, _ body: (inout SlidingWindow, Timestamp) -> Result
    ) -> Result {
        let now = now()
        return copies.withLock { copies in
            var copy = copies[bucket] ?? Copy(window: SlidingWindow(startingAt: now), readAt: now)
            defer { copies[bucket] = copy }
            return body(&copy.window, now)
        }
    }

    private func open(_ connection: inout Connection) throws -> LocalDatabase? {
        switch connection {
        case .failed: return nil
        case .open(let database): return database
        case .closed:
            let database = try LocalDatabase(
                path: path, schema: Self.schema, journal: .rollback, busyTimeout: busyTimeout, warning: warning)
            try database.checkRows(of: ["bucket"])
            connection = .open(database)
            return database
        }
    }
}

// MARK: - Rows

extension SQLiteRateLimitStore {
    /// The stored window of a bucket; nil for an unused one.
    static func window(of bucket: BucketKey, in database: Database) throws -> SlidingWindow? {
        let sql = """
            SELECT seen, last_id, closed_until, refusals, quotas, slots, expires, checksum = row_checksum(\(columns))
            FROM bucket WHERE key = ?
            """
        let row = try Row.fetchOne(database.cachedStatement(sql: sql), arguments: [bucket.text])
        guard let row else { return nil }
        try DamagedRow.check(Bool.fromDatabaseValue(row[7]))
        var window = SlidingWindow(startingAt: Timestamp(milliseconds: try row.decode(atIndex: 0)))
        window.lastID = ReservationID(number: try row.decode(atIndex: 1))
        window.closedUntil = try row.decode(Int64?.self, atIndex: 2).map(Timestamp.init(milliseconds:))
        window.refusals = try row.decode(atIndex: 3)
        let quotas: String = try row.decode(atIndex: 4)
        window.quotas = try JSONDecoder().decode([SlidingWindow.Quota].self, from: Data(quotas.utf8))
        window.slots = slots(in: try row.decode(atIndex: 5))
        window.expires = Timestamp(milliseconds: try row.decode(atIndex: 6))
        return window
    }

    private static func save(
        _ window: SlidingWindow, of bucket: BucketKey, isNew: Bool, in database: Database
    ) throws {
        if isNew {
            // Unused buckets are removed when there is a new one.
            let expired = try database.cachedStatement(sql: "DELETE FROM bucket WHERE expires < ?")
            try expired.execute(arguments: [window.seen.milliseconds])
        }
        let statement = try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO bucket (\(columns), checksum)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, row_checksum(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8))
                """)
        let quotas = String(decoding: try JSONEncoder().encode(window.quotas), as: UTF8.self)
        try statement.execute(arguments: [
            bucket.text, window.seen.milliseconds, window.lastID.number, window.closedUntil?.milliseconds,
            window.refusals, quotas, blob(of: window.slots), window.expires.milliseconds,
        ])
    }

    private static let columns = "key, seen, last_id, closed_until, refusals, quotas, slots, expires"

    /// Pairs of numbers: the reservation and its time in milliseconds since 1970.
    private static func blob(of slots: [SlidingWindow.Slot]) -> Data {
        slots.flatMap { [$0.id.number, $0.time.milliseconds] }.withUnsafeBytes { Data($0) }
    }

    private static func slots(in blob: Data) -> [SlidingWindow.Slot] {
        let bytes = [UInt8](blob)
        return stride(from: 0, through: bytes.count - 16, by: 16).map { offset in
            bytes.withUnsafeBytes { bytes in
                SlidingWindow.Slot(
                    id: ReservationID(number: bytes.loadUnaligned(fromByteOffset: offset, as: Int64.self)),
                    time: Timestamp(milliseconds: bytes.loadUnaligned(fromByteOffset: offset + 8, as: Int64.self)))
            }
        }
    }
}
