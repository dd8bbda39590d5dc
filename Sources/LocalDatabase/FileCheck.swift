import GRDB

/// What a file has to be before anything is read from it: ours, of a version that is known, and whole.
///
/// A row's checksum finds values that were changed, not rows that are gone: those SQLite finds, in the structure of its pages.
struct FileCheck {
    /// The upper half of `application_id`, which tells our files from those of other programs.
    private static let mark = 0x1a67

    private let settings: LocalDatabase.Settings

    init(_ settings: LocalDatabase.Settings) { self.settings = settings }

    /// The version of a file that may be used, 0 for an empty one.
    func version(of database: Database) throws -> Int {
        let path = settings.path
        let sql = "SELECT user_version, application_id FROM pragma_user_version, pragma_application_id"
        let row = try Row.fetchOne(database, sql: sql)
        let (version, found): (Int, Int) = (row?[0] ?? 0, row?[1] ?? 0)
        let signature: Int
        do { signature = try Self.signature(of: database, version: version) } catch let error as DatabaseError {
            throw LocalDatabaseError(error, path: path).asDamage
        }
        if version == 0, found == 0 {
            let definitions = try String.fetchAll(database, sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
            guard definitions.isEmpty else {
                // Ours, whose numbers are lost?
                let own = settings.schema.steps.joined(separator: "\n")
                guard definitions.allSatisfy({ own.contains($0) }) else { throw Self.otherTables(path) }
                throw LocalDatabaseError.damaged(path, found: "its version is missing")
            }
            // SQLite takes a few bytes of anything for an empty database.
            guard !DatabaseFile.isOfAnotherKind(path) else {
                throw LocalDatabaseError.damaged(path, found: "no SQLite header")
            }
            return 0
        }
        guard found == signature else {
            if settings.owner == .user, found >> 16 != Self.mark { throw Self.otherTables(path) }
            throw LocalDatabaseError.damaged(path, found: "its tables are not those that were created")
        }
        guard version <= settings.schema.version else {
            throw LocalDatabaseError(
                .newer, path: path,
                message: "the database \(path) was made by a newer version of this program "
                    + "(found version \(version), expected at most \(settings.schema.version))")
        }
        if settings.schema.isCheckedWhenOpened {
            let result = try String.fetchOne(database, sql: "PRAGMA quick_check(1)") ?? ""
            guard result == "ok" else { throw LocalDatabaseError.damaged(path, found: result) }
        }
        return version
    }

    /// What `application_id` has to be: our mark, and a checksum of the version and of the definitions of all tables.
    ///
    /// By name: `VACUUM` writes them in another order.
    static func signature(of database: Database, version: Int) throws -> Int {
        let rows = try Row.fetchAll(
            database, sql: "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name")
        let checksum = Row.checksum(of: [version.databaseValue] + rows.flatMap(\.databaseValues))
        return mark << 16 | Int(checksum & 0xffff)
    }

    private static func otherTables(_ path: String) -> LocalDatabaseError {
        .foreign(path, found: "a database with other tables")
    }
}
