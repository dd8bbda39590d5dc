import LocalDatabase

/// The tables that keep the buckets of every process.
enum LimitDatabase {
    static let schema = LocalDatabaseSchema(steps: [
        """
        CREATE TABLE bucket (
            id INTEGER PRIMARY KEY,
            key TEXT NOT NULL UNIQUE,
            seen INTEGER NOT NULL,
            ticket INTEGER NOT NULL,
            closed INTEGER,
            refusals INTEGER NOT NULL,
            expires INTEGER NOT NULL
        );
        CREATE TABLE slot (
            bucket INTEGER NOT NULL,
            ticket INTEGER NOT NULL,
            moment INTEGER NOT NULL,
            PRIMARY KEY (bucket, ticket)
        ) WITHOUT ROWID;
        CREATE INDEX slot_moment ON slot (bucket, moment);
        CREATE TABLE quota (
            bucket INTEGER NOT NULL,
            scope TEXT NOT NULL,
            since INTEGER NOT NULL,
            remaining INTEGER NOT NULL,
            reset INTEGER NOT NULL,
            PRIMARY KEY (bucket, scope)
        ) WITHOUT ROWID;
        """
    ])
}
