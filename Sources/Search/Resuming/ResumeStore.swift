import Crypto
import FoundationEssentials
import LocalDatabase
import Synchronization

/// How far every provider of a listing has been delivered.
public struct ResumeState: Hashable, Sendable {
    /// By provider; one that nothing was delivered of may be missing.
    public var providers: [String: ResumeProgress]

    /// A state.
    public init(providers: [String: ResumeProgress] = [:]) { self.providers = providers }
}

/// Where the states of listings are kept between runs.
package protocol ResumeStore: Sendable {
    /// Returns the state of a listing, nil when there is none.
    func load(_ key: ResumeKey) throws(ResumeError) -> ResumeState?

    /// Keeps the states of these providers; `replacing` removes all others that are stored of the listing.
    func save(_ state: ResumeState, for key: ResumeKey, replacing: Bool) throws(ResumeError)
}

/// Why a resume point cannot be used.
public struct ResumeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What a caller may handle differently.
    public enum Code: String, Sendable {
        /// What was stored is damaged, and has been removed.
        case damaged
        /// The database cannot be read or written.
        case storage
    }

    /// What a caller may handle differently.
    public let code: Code
    /// What was found.
    public let message: String

    /// An error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}

/// Resume points in a SQLite file that all processes of a user share.
///
/// A page's end is one small transaction. It is not forced to the disk: a killed process loses nothing, a power cut the
/// last pages, which then come again. Each row carries a digest, so that a flipped bit is noticed.
package final class SQLiteResumeStore: ResumeStore {
    private static let schema = LocalDatabaseSchema(steps: [
        """
        CREATE TABLE resume_point (
            listing TEXT NOT NULL,
            provider TEXT NOT NULL,
            progress TEXT NOT NULL,
            digest BLOB NOT NULL,
            PRIMARY KEY (listing, provider)
        ) WITHOUT ROWID
        """
    ])

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
        let rows = try use { database in
            try database.read { database in
                try Row.fetchAll(
                    database, sql: "SELECT provider, progress, digest FROM resume_point WHERE listing = ?",
                    arguments: [listing])
            }
        }
        guard !rows.isEmpty else { return nil }
        var state = ResumeState()
        for row in rows {
            let (provider, progress): (String, String) = (row[0], row[1])
            guard let digest: Data = row[2], digest == Self.digest(listing, provider, progress),
                // The digest holds: another version's, which is as good as none.
                let decoded = try? JSONDecoder().decode(ResumeProgress.self, from: Data(progress.utf8))
            else {
                try remove(listing)
                throw ResumeError(.damaged, "the resume point in \(path) was damaged and has been removed")
            }
            state.providers[provider] = decoded
        }
        return state
    }

    package func save(_ state: ResumeState, for key: ResumeKey, replacing: Bool) throws(ResumeError) {
        let listing = key.canonical
        try use { database in
            try database.write { database in
                if replacing {
                    try database.execute(sql: "DELETE FROM resume_point WHERE listing = ?", arguments: [listing])
                }
                for (provider, progress) in state.providers {
                    let text = String(decoding: try JSONEncoder().encode(progress), as: UTF8.self)
                    try database.execute(
                        sql: "INSERT OR REPLACE INTO resume_point VALUES (?, ?, ?, ?)",
                        arguments: [listing, provider, text, Self.digest(listing, provider, text)])
                }
            }
        }
    }

    private func remove(_ listing: String) throws(ResumeError) {
        try use { database in
            try database.write {
                try $0.execute(sql: "DELETE FROM resume_point WHERE listing = ?", arguments: [listing])
            }
        }
    }

    private func use<Result>(_ body: (LocalDatabase) throws -> Result) throws(ResumeError) -> Result {
        do {
            let database = try opened.withLock { opened in
                let database = try opened ?? LocalDatabase(path: path, schema: Self.schema, warning: warning)
                opened = database
                return database
            }
            return try body(database)
        } catch { throw ResumeError(.storage, "\(error)") }
    }

    private static func digest(_ parts: String...) -> Data {
        var digest = SHA256()
        for part in parts {
            digest.update(data: Data("\(part.utf8.count):".utf8))
            digest.update(data: Data(part.utf8))
        }
        return Data(digest.finalize())
    }
}

extension ResumeKey {
    /// The same text for the same listing in every run.
    fileprivate var canonical: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Strings and lists of strings can always be written.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
