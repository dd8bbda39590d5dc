import FoundationEssentials
import LocalDatabase
import ProviderModel
import Synchronization

/// The record of a downloaded file.
package struct ArchiveRecord: Hashable, Sendable {
    /// The identity of the file.
    package var key: MediaKey
    /// The URL that it was fetched from.
    package var url: String
    /// The SHA-256 of the file, if it was computed.
    package var sha256: [UInt8]?
    /// Its length in bytes.
    package var bytes: Int
    /// When it was finished, in seconds since 1970.
    package var time: Int
    /// Its path below the folder of all downloads.
    package var path: String
    /// The SHA-256 of the response: another one where metadata was written into the file.
    package var content: [UInt8]?
    /// What the response looks like, where that was computed.
    package var picture: PictureHash?

    /// Creates a record.
    package init(
        key: MediaKey, url: String, sha256: [UInt8]?, bytes: Int, time: Int, path: String, content: [UInt8]? = nil,
        picture: PictureHash? = nil
    ) {
        self.key = key
        self.url = url
        self.sha256 = sha256
        self.bytes = bytes
        self.time = time
        self.path = path
        self.content = content ?? sha256
        self.picture = picture
    }

    init(_ row: Row) {
        self.init(
            key: MediaKey(stored: row["key"]), url: row["url"], sha256: (row["sha256"] as Data?).map(Array.init),
            bytes: row["bytes"], time: row["time"], path: row["path"],
            content: (row["content"] as Data?).map(Array.init), picture: row["picture"])
    }
}

/// The records of the files fetched in this run and all earlier ones.
///
/// New records are buffered in memory and written in batches. A process killed in between loses only the records: the next
/// run finds the files by name.
package final class DownloadArchive: Sendable {
    private let database: LocalDatabase
    private let pending = Mutex<[MediaKey: ArchiveRecord]>([:])

    /// The archive in a database that may hold credits, too.
    package init(_ database: LocalDatabase) { self.database = database }

    /// Opens the database at a path, and creates it where it is missing.
    ///
    /// - Parameters:
    ///   - path: the database's file.
    ///   - owner: the user, where the path was given; then a file that is not a database is left alone.
    ///   - warning: called when a damaged file was moved aside.
    ///   - observer: is asked before each transaction.
    /// - Returns: the database.
    /// - Throws: ``DownloadError`` with the code `archive`, or `diskFull`.
    package static func open(
        _ path: String, owner: LocalDatabase.Owner = .program,
        warning: @escaping @Sendable (String) -> Void = { _ in }, _ observer: (any ChangeObserver)? = nil
    ) throws(DownloadError) -> LocalDatabase {
        do throws(LocalDatabaseError) {
            return try LocalDatabase(
                path: path, schema: schema, owner: owner, busyTimeout: .seconds(10), warning: warning,
                beforeWriting: { try observer?.willChange(.transaction) })
        } catch { throw failure(error) }
    }

    /// `credit` has a row for each file that was ever downloaded into the folder; `failure` one for each file that could not be,
    /// and `written_file` says which state of them the files of credits and the list of failures were written from.
    private static let schema = LocalDatabaseSchema(
        steps: [
            """
            CREATE TABLE media (key TEXT NOT NULL PRIMARY KEY, url TEXT NOT NULL, sha256 BLOB,
                bytes INTEGER NOT NULL, time INTEGER NOT NULL, path TEXT NOT NULL, content BLOB, picture INTEGER,
                checksum INTEGER NOT NULL) WITHOUT ROWID;
            CREATE INDEX media_content ON media (content, bytes);
            \(pictureIndexes)
            CREATE TABLE credit (key TEXT NOT NULL PRIMARY KEY, path TEXT UNIQUE, provider TEXT, id TEXT, title TEXT,
                author TEXT, author_url TEXT, source TEXT NOT NULL, page TEXT NOT NULL, license_id TEXT, license TEXT,
                license_url TEXT, line TEXT NOT NULL, notice TEXT, tags TEXT, created TEXT, checksum INTEGER NOT NULL) WITHOUT ROWID;
            CREATE TABLE written_file (name TEXT NOT NULL PRIMARY KEY, state TEXT NOT NULL) WITHOUT ROWID;
            \(FailedDownload.table)
            """
        ],
        recovering: ["media", "credit", "failure"])

    /// The record of a file; nil when it was never fetched.
    package func record(of key: MediaKey) throws(DownloadError) -> ArchiveRecord? {
        if let record = pending.withLock({ $0[key] }) { return record }
        return try read { database in
            let statement = try database.cachedStatement(sql: "SELECT * FROM media WHERE key = ?")
            return try Row.fetchOne(statement, arguments: [key.description]).map(Self.intactRecord)
        }
    }

    /// The paths of these files, nil for each that was never fetched.
    package func paths(of keys: [MediaKey]) throws(DownloadError) -> [String?] {
        let known = pending.withLock { pending in keys.map { pending[$0]?.path } }
        let found = try read { database in
            // One statement for all keys costs less than one for each.
            let statement = try database.cachedStatement(
                sql: """
                    SELECT wanted.key, media.path, media.checksum = row_checksum(media.key, media.url, media.sha256,
                        media.bytes, media.time, media.path, media.content, media.picture)
                    FROM json_each(?) AS wanted JOIN media ON media.key = wanted.value
                    """)
            let rows = try Row.fetchCursor(statement, arguments: [Self.json(keys.map(\.description))])
            var paths: [Int: String] = [:]
            while let row = try rows.next() {
                try DamagedRow.check(Bool.fromDatabaseValue(row[2]))
                paths[row[0]] = row[1]
            }
            return paths
        }
        return known.enumerated().map { $1 ?? found[$0] }
    }

    /// The records whose keys begin with the items' names: their files of every size, and what was wanted of them.
    package func records(ofItems items: [Item]) throws(DownloadError) -> [MediaKey: ArchiveRecord] {
        let names = items.map { "\($0.provider):\($0.id):" }
        var found = try read { database in
            // What follows an item's name is ASCII, so that its keys stand together.
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT media.* FROM json_each(?) AS wanted
                    JOIN media ON media.key BETWEEN wanted.value AND wanted.value || '~'
                    """,
                arguments: [Self.json(names)])
            var records: [MediaKey: ArchiveRecord] = [:]
            while let row = try rows.next() {
                let record = try Self.intactRecord(row)
                records[record.key] = record
            }
            return records
        }
        let wanted = Set(names)
        for (key, record) in pending.withLock(\.self) where wanted.contains(key.itemName) { found[key] = record }
        return found
    }

    /// Files that were fetched with the same content, and files of the same length whose content was not hashed.
    package func records(withContent sha256: [UInt8], bytes: Int) throws(DownloadError) -> [ArchiveRecord] {
        let known = pending.withLock { pending in
            pending.values.first { $0.content == sha256 }.map { [$0] }
                ?? pending.values.filter { $0.content == nil && $0.bytes == bytes }
        }
        return try known
            + read { database in
                let statement = try database.cachedStatement(
                    sql: """
                        SELECT * FROM (SELECT * FROM media WHERE content = ? LIMIT 1)
                        UNION ALL SELECT * FROM (SELECT * FROM media WHERE content IS NULL AND bytes = ? LIMIT 16)
                        """)
                return try Row.fetchAll(statement, arguments: [Data(sha256), bytes]).map(Self.intactRecord)
            }
    }

    /// The file whose picture looks most like this one, among those that `isWanted`; nil where none does.
    package func nearest(
        to picture: PictureHash, where isWanted: (ArchiveRecord) -> Bool
    ) throws(DownloadError) -> (record: ArchiveRecord, distance: Int)? {
        let known = pending.withLock { Array($0.values) }
        let stored = try read { database in
            let statement = try database.cachedStatement(sql: Self.selectionOfAlike)
            let arguments = PictureHash.pieces.map { picture.value(of: $0) }
            return try Row.fetchAll(statement, arguments: StatementArguments(arguments)).map(Self.intactRecord)
        }
        var nearest: (record: ArchiveRecord, distance: Int)?
        for record in known + stored {
            guard let distance = record.picture?.distance(to: picture), distance <= PictureHash.limit,
                distance < nearest?.distance ?? .max, isWanted(record)
            else { continue }
            nearest = (record, distance)
        }
        return nearest
    }

    /// The pictures that share a piece of their hash, each piece by its own index.
    private static let selectionOfAlike = PictureHash.pieces.enumerated().map { place, piece in
        "SELECT * FROM media WHERE \(PictureHash.expression(piece)) = ?\(place + 1) AND picture IS NOT NULL"
    }.joined(separator: " UNION ")

    /// Of rows with a hash alone: the others cost nothing.
    private static let pictureIndexes = PictureHash.pieces.map { piece in
        """
        CREATE INDEX media_picture_\(piece.shift) ON media (\(PictureHash.expression(piece)))
            WHERE picture IS NOT NULL;
        """
    }.joined(separator: "\n")

    /// Adds a record; `flush()` writes it.
    package func add(_ record: ArchiveRecord) { pending.withLock { $0[record.key] = record } }

    /// Says where files are now, and writes that with what waits.
    func move(_ files: [(key: MediaKey, path: String)]) throws(DownloadError) {
        for file in files {
            guard var record = try record(of: file.key) else { continue }
            record.path = file.path
            add(record)
        }
        try flush()
    }

    /// How many records wait to be written.
    var pendingCount: Int { pending.withLock(\.count) }

    /// Writes the records that wait.
    package func flush() throws(DownloadError) {
        let records = pending.withLock(\.self)
        guard !records.isEmpty else { return }
        do {
            try database.write { database in
                for record in records.values {
                    try database.insert(
                        into: "media",
                        withChecksum: [
                            record.key.description, record.url, record.sha256.map { Data($0) }, record.bytes,
                            record.time, record.path, record.content.map { Data($0) }, record.picture,
                        ])
                }
            }
        } catch { throw Self.failure(error) }
        pending.withLock { pending in
            for (key, record) in records where pending[key] == record { pending[key] = nil }
        }
    }

    private func read<Result>(_ body: (Database) throws -> Result) throws(DownloadError) -> Result {
        do { return try database.readOnce(body) } catch { throw Self.failure(error) }
    }

    /// The record of a row with all columns.
    private static func intactRecord(_ row: Row) throws -> ArchiveRecord {
        try DamagedRow.check(row.hasRightChecksum)
        return ArchiveRecord(row)
    }

    static func json(_ texts: [String]) -> String {
        var json = JSONWriter()
        json.array(texts) { $0.value($1) }
        return json.text
    }

    static func failure(_ error: any Error) -> DownloadError {
        DownloadError(ofDatabase: error, "use the archive")
    }
}
