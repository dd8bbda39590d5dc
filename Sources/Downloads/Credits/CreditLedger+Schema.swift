import LocalDatabase

extension CreditLedger {
    static let schema = LocalDatabaseSchema(
        steps: [
            """
            CREATE TABLE files (key TEXT NOT NULL PRIMARY KEY, path TEXT UNIQUE, planned TEXT, other TEXT,
                provider TEXT, id TEXT, title TEXT, author TEXT, author_url TEXT, source TEXT NOT NULL,
                page TEXT NOT NULL, license_id TEXT, license TEXT, license_url TEXT, line TEXT NOT NULL) WITHOUT ROWID;
            CREATE INDEX files_planned ON files (planned) WHERE path IS NULL;
            """,
            "ALTER TABLE files ADD COLUMN notice TEXT;",
            """
            CREATE TABLE written (file TEXT NOT NULL PRIMARY KEY, state TEXT NOT NULL) WITHOUT ROWID;
            CREATE TRIGGER files_inserted AFTER INSERT ON files BEGIN DELETE FROM written; END;
            CREATE TRIGGER files_updated AFTER UPDATE ON files BEGIN DELETE FROM written; END;
            """,
            // A credit in one piece is read and written in half the time of one in many. Triggers cost as much as the
            // rows: whoever changes the list says so.
            """
            DROP TRIGGER files_inserted;
            DROP TRIGGER files_updated;
            ALTER TABLE files RENAME TO columns;
            DROP INDEX files_planned;
            \(files)
            INSERT INTO files SELECT key, path, planned, CAST(\(creditOfColumns) AS BLOB), NULL FROM columns;
            DROP TABLE columns;
            """,
        ],
        whole: """
            \(files)
            CREATE TABLE written (file TEXT NOT NULL PRIMARY KEY, state TEXT NOT NULL) WITHOUT ROWID;
            """
    )

    /// The list of files: with each one's credit as `KeptFields`, and whose `SightingMark` it got last.
    ///
    /// What each file of credits was when it was written is in `written`, as long as nothing has changed since.
    private static let files = """
        CREATE TABLE files (key TEXT NOT NULL PRIMARY KEY, path TEXT UNIQUE, planned TEXT, credit BLOB NOT NULL,
            seen INTEGER) WITHOUT ROWID;
        CREATE INDEX files_planned ON files (planned) WHERE path IS NULL;
        """

    /// The fields that former versions kept in columns.
    private static let creditOfColumns = [
        "provider", "id", "title", "author", "author_url", "source", "page", "license_id", "license", "license_url",
        "line", "notice",
    ]
    .map { "replace(replace(coalesce(\($0), ''), char(31), ' '), char(30), ' ') || char(31)" }
    .joined(separator: " || ")
}
