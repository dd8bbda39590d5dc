import GRDBSQLite

extension LocalDatabase {
    /// The version of the SQLite library that was found here.
    package static var libraryVersion: String { String(cString: sqlite3_libversion()) }
}
