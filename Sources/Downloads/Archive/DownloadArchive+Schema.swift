import LocalDatabase

extension DownloadArchive {
    static let schema = LocalDatabaseSchema(steps: [
        """
        CREATE TABLE media (key TEXT NOT NULL PRIMARY KEY, url TEXT NOT NULL, hash BLOB NOT NULL,
            bytes INTEGER NOT NULL, time INTEGER NOT NULL, path TEXT NOT NULL, content BLOB) WITHOUT ROWID;
        """
    ])
}
