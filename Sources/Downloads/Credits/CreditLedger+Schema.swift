import LocalDatabase

extension CreditLedger {
    static let schema = LocalDatabaseSchema(steps: [
        """
        CREATE TABLE files (key TEXT NOT NULL PRIMARY KEY, path TEXT UNIQUE, planned TEXT, credit BLOB NOT NULL,
            seen INTEGER) WITHOUT ROWID;
        CREATE INDEX files_planned ON files (planned) WHERE path IS NULL;
        CREATE TABLE written (file TEXT NOT NULL PRIMARY KEY, state TEXT NOT NULL) WITHOUT ROWID;
        """
    ])
}
