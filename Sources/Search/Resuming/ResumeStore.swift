import FoundationEssentials
import LocalDatabase
import Synchronization

/// The progress of every provider in a listing.
public struct ResumeState: Hashable, Sendable {
    /// The progress by provider; one of which nothing was delivered may be missing.
    public var providers: [String: ResumeProgress]

    /// Creates a state.
    ///
    /// - Parameter providers: the progress by provider.
    public init(providers: [String: ResumeProgress] = [:]) { self.providers = providers }
}

/// A store of listings' states between runs.
package protocol ResumeStore: Sendable {
    /// Returns the state of a listing, nil when there is none.
    func load(_ key: ResumeKey) throws(ResumeError) -> ResumeState?

    /// Keeps the states of these providers and what they have come past since their last; `replacing` removes all that
    /// was stored of the listing before.
    func save(
        _ state: ResumeState, passing items: [String: SeenItems], for key: ResumeKey, replacing: Bool
    ) throws(ResumeError)
}

/// Why a resume point cannot be loaded or saved.
public struct ResumeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of a failure: after `damaged` the same call succeeds without a stored position.
    public enum Code: String, Sendable {
        /// The stored state is damaged, and has been removed.
        case damaged
        /// The database cannot be read or written at the moment.
        case storage
        /// There can be no database: no permission, no space, no folder.
        case unavailable
    }

    /// The kind of the failure.
    public let code: Code
    /// What was found.
    public let message: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: the kind of the failure.
    ///   - message: what was found.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The ``message``.
    public var description: String { message }
}

/// Keeps nothing.
struct MissingResumeStore: ResumeStore {
    func load(_ key: ResumeKey) -> ResumeState? { nil }

    func save(_ state: ResumeState, passing items: [String: SeenItems], for key: ResumeKey, replacing: Bool) {}
}

/// Resume points in a SQLite file that all processes of a user share.
///
/// Each completed page is one small transaction, which is not flushed to the disk: a killed process loses nothing, a power
/// failure the last pages, which then repeat. Each row has a checksum, and each provider the number of its rows of items, to
/// detect corruption and lost rows.
package final class SQLiteResumeStore: ResumeStore {
    private static let schema = LocalDatabaseSchema(
        steps: [
            """
            CREATE TABLE resume_point (
                listing TEXT NOT NULL,
                provider TEXT NOT NULL,
                progress TEXT NOT NULL,
                item_rows INTEGER NOT NULL,
                checksum INTEGER NOT NULL,
                PRIMARY KEY (listing, provider)
            ) WITHOUT ROWID;
            CREATE TABLE resume_items (
                listing TEXT NOT NULL,
                provider TEXT NOT NULL,
                number INTEGER NOT NULL,
                items TEXT NOT NULL,
                checksum INTEGER NOT NULL,
                PRIMARY KEY (listing, provider, number)
            ) WITHOUT ROWID
            """
        ],
        recovering: tables)
    private static let tables = ["resume_point", "resume_items"]

    private let path: String
    private let warning: @Sendable (String) -> Void
    private let opened = Mutex<LocalDatabase?>(nil)

    /// The resume points in a file, which is opened when it is first needed; `warning` is called for a damaged one.
    package init(path: String, warning: @escaping @Sendable (String) -> Void = { _ in }) {
        self.path = path
        self.warning = warning
    }

    package func load(_ key: ResumeKey) throws(ResumeError) -> ResumeState? {
        let listing = key.canonical
        let (points, items) = try use { database in
            try database.read { database in
                let (points, items) = ("SELECT * FROM resume_point", "SELECT * FROM resume_items")
                return (
                    try Row.fetchAll(database, sql: points + " WHERE listing = ?", arguments: [listing]),
                    try Row.fetchAll(database, sql: items + " WHERE listing = ? ORDER BY number", arguments: [listing])
                )
            }
        }
        guard !points.isEmpty || !items.isEmpty else { return nil }
        guard let state = Self.state(points, items) else {
            try use { database in try database.write { try Self.remove(listing, from: $0) } }
            throw ResumeError(.damaged, "the resume point in \(path) was damaged and has been removed")
        }
        return state
    }

    /// What rows say; nil when they are not those that were written.
    private static func state(_ points: [Row], _ items: [Row]) -> ResumeState? {
        var seen: [String: SeenItems] = [:]
        var counts: [String: Int] = [:]
        for row in items {
            guard row.hasRightChecksum, let provider = String.fromDatabaseValue(row["provider"]),
                let number = Int.fromDatabaseValue(row["number"]), number == counts[provider, default: 0],
                let more: SeenItems = decoded(row["items"])
            else { return nil }
            counts[provider] = number + 1
            seen[provider, default: SeenItems()] += more
        }
        var state = ResumeState()
        for row in points {
            guard row.hasRightChecksum, let provider = String.fromDatabaseValue(row["provider"]),
                Int.fromDatabaseValue(row["item_rows"]) == counts.removeValue(forKey: provider) ?? 0,
                let progress: ResumeProgress = decoded(row["progress"])
            else { return nil }
            state.providers[provider] = progress.restoring(seen[provider] ?? SeenItems())
        }
        return counts.isEmpty ? state : nil
    }

    package func save(
        _ state: ResumeState, passing items: [String: SeenItems], for key: ResumeKey, replacing: Bool
    ) throws(ResumeError) {
        let listing = key.canonical
        try use { database in
            try database.write { database in
                if replacing { try Self.remove(listing, from: database) }
                for (provider, progress) in state.providers {
                    var rows =
                        try Int.fetchOne(
                            database,
                            sql: "SELECT max(number) + 1 FROM resume_items WHERE listing = ? AND provider = ?",
                            arguments: [listing, provider]) ?? 0
                    if let items = items[provider] {
                        let row: [any DatabaseValueConvertible] = [listing, provider, rows, try Self.encoded(items)]
                        try database.insert(into: "resume_items", withChecksum: row)
                        rows += 1
                    }
                    let row: [any DatabaseValueConvertible] = [
                        listing, provider, try Self.encoded(progress.withoutSeen), rows,
                    ]
                    try database.insert(into: "resume_point", withChecksum: row)
                }
            }
        }
    }

    private static func remove(_ listing: String, from database: Database) throws {
        try database.execute(sql: "DELETE FROM resume_point WHERE listing = ?", arguments: [listing])
        try database.execute(sql: "DELETE FROM resume_items WHERE listing = ?", arguments: [listing])
    }

    private func use<Result>(_ body: (LocalDatabase) throws -> Result) throws(ResumeError) -> Result {
        do {
            let database = try opened.withLock { opened in
                if let opened { return opened }
                let database = try LocalDatabase(path: path, schema: Self.schema, warning: warning)
                try database.checkRows(of: Self.tables)
                opened = database
                return database
            }
            return try body(database)
        } catch {
            let code = (error as? LocalDatabaseError)?.code
            let isMissing = [.readOnly, .full, .unavailable].contains(code)
            throw ResumeError(isMissing ? .unavailable : .storage, "\(error)")
        }
    }

    private static func encoded(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    /// A value as it was stored; nil for another version's, which is as good as none.
    private static func decoded<Value: Decodable>(_ text: DatabaseValue) -> Value? {
        String.fromDatabaseValue(text).flatMap { try? JSONDecoder().decode(Value.self, from: Data($0.utf8)) }
    }
}

extension ResumeKey {
    /// The same text for the same listing in every run.
    var canonical: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Strings and lists of strings can always be written.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
