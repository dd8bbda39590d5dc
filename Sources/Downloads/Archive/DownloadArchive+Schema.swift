import LocalDatabase

extension DownloadArchive {
    static let schema = LocalDatabaseSchema(
        steps: [
            """
            CREATE TABLE media (key TEXT NOT NULL PRIMARY KEY, url TEXT NOT NULL, sha256 BLOB NOT NULL,
                bytes INTEGER NOT NULL, time INTEGER NOT NULL, path TEXT NOT NULL) WITHOUT ROWID;
            CREATE INDEX media_sha256 ON media (sha256);
            """,
            """
            ALTER TABLE media ADD COLUMN content BLOB;
            UPDATE media SET content = sha256;
            DROP INDEX media_sha256;
            CREATE INDEX media_content ON media (content);
            """,
            // Since then a hash is an XXH3 of 16 bytes or a SHA-256 of 32, and contents have an index where they are
            // looked for.
            """
            ALTER TABLE media RENAME COLUMN sha256 TO hash;
            DROP INDEX media_content;
            """,
        ],
        whole: """
            CREATE TABLE media (key TEXT NOT NULL PRIMARY KEY, url TEXT NOT NULL, hash BLOB NOT NULL,
                bytes INTEGER NOT NULL, time INTEGER NOT NULL, path TEXT NOT NULL, content BLOB) WITHOUT ROWID;
            """
    )
}
