import FoundationEssentials
import LocalDatabase

/// The index of samples by shard.
final class ShardIndex: Sendable {
    struct Sample {
        var key: MediaKey
        var shard: Int
        /// The path in the archive, without its ending.
        var name: String
        var ending: String
        var sha256: [UInt8]
        /// The image's length.
        var bytes: Int

        /// The path below the folder of all shards.
        var path: String { "\(ShardFile.name(shard))/\(name).\(ending)" }
    }

    private let database: LocalDatabase

    private static let schema = LocalDatabaseSchema(
        steps: [
            """
            CREATE TABLE samples (key TEXT NOT NULL PRIMARY KEY, shard INTEGER NOT NULL, name TEXT NOT NULL UNIQUE,
                ending TEXT NOT NULL, sha256 BLOB NOT NULL, bytes INTEGER NOT NULL,
                checksum INTEGER NOT NULL) WITHOUT ROWID;
            CREATE INDEX samples_shard ON samples (shard);
            CREATE TABLE shards (number INTEGER NOT NULL PRIMARY KEY, checksum INTEGER NOT NULL);
            """
        ],
        isCheckedWhenOpened: false)  // all of it is, below

    init(
        folder: DownloadFolder, warning: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(DownloadError) {
        let own = try folder.folder([DownloadFolder.ownName])
        do throws(LocalDatabaseError) {
            let path = "\(own.path)/shards.sqlite"
            database = try LocalDatabase(
                path: path, schema: Self.schema, busyTimeout: .seconds(10), warning: warning,
                beforeWriting: { [observer = folder.root.observer] in try observer?.willChange(.transaction) })
        } catch {
            throw Self.error(error)
        }
        // Damage is found before the shards are looked at: those that a new index does not know are read again.
        do {
            try database.checkRows(of: ["samples", "shards"])
            _ = try database.checkStructure()
        } catch { throw Self.error(error) }
    }

    /// The sample of this file; nil when there is none.
    func sample(of key: MediaKey) throws(DownloadError) -> Sample? {
        try first("key = ?", [key.description])
    }

    /// The sample of a path below the folder of all shards; nil when there is none.
    func sample(at path: String) throws(DownloadError) -> Sample? {
        guard let slash = path.firstIndex(of: "/"), let dot = path.lastIndex(of: "."), slash < dot else { return nil }
        let sample = try first("name = ?", [String(path[slash..<dot].dropFirst())])
        return sample?.path == path ? sample : nil
    }

    /// Whether another file has the name.
    func isTaken(_ name: String, by key: MediaKey) throws(DownloadError) -> Bool {
        try first("name = ?", [name]).map { $0.key != key } ?? false
    }

    func add(_ sample: Sample) throws(DownloadError) {
        try writing { try Self.insert(sample, $0) }
    }

    /// Notes what was found in a shard, instead of what was known of it.
    func replace(_ shard: Int, with samples: (_ add: (Sample) throws -> Void) throws -> Void) throws(DownloadError) {
        try writing { database in
            try database.execute(sql: "DELETE FROM samples WHERE shard = ?", arguments: [shard])
            try samples { try Self.insert($0, database) }
        }
    }

    /// Notes that a shard is complete, and that all its samples are known.
    func close(_ shard: Int) throws(DownloadError) {
        try writing { try $0.insert(into: "shards", withChecksum: [shard]) }
    }

    /// The complete shards whose samples are known.
    func closedShards() throws(DownloadError) -> Set<Int> {
        try reading { try Set(Int.fetchAll($0, sql: "SELECT number FROM shards")) }
    }

    /// Removes the shards that no longer exist.
    func keepOnly(_ shards: Set<Int>) throws(DownloadError) {
        try writing { database in
            let known = try Int.fetchAll(
                database, sql: "SELECT DISTINCT shard FROM samples UNION SELECT number FROM shards")
            for shard in known where !shards.contains(shard) {
                try database.execute(sql: "DELETE FROM samples WHERE shard = ?", arguments: [shard])
                try database.execute(sql: "DELETE FROM shards WHERE number = ?", arguments: [shard])
            }
        }
    }

    private func first(_ condition: String, _ arguments: StatementArguments) throws(DownloadError) -> Sample? {
        try reading { database in
            let sql = "SELECT * FROM samples WHERE \(condition) LIMIT 1"
            return try Row.fetchOne(database.cachedStatement(sql: sql), arguments: arguments).map { row in
                try DamagedRow.check(row.hasRightChecksum)
                let sha256: Data = row[4]
                return Sample(
                    key: MediaKey(stored: row[0]), shard: row[1], name: row[2], ending: row[3], sha256: Array(sha256),
                    bytes: row[5])
            }
        }
    }

    private static func insert(_ sample: Sample, _ database: Database) throws {
        let row: [any DatabaseValueConvertible] = [
            sample.key.description, sample.shard, sample.name, sample.ending, Data(sample.sha256), sample.bytes,
        ]
        try database.insert(into: "samples", withChecksum: row)
    }

    private func reading<Result>(_ body: (Database) throws -> Result) throws(DownloadError) -> Result {
        do { return try database.readOnce(body) } catch { throw Self.error(error) }
    }

    private func writing(_ body: (Database) throws -> Void) throws(DownloadError) {
        do { try database.write(body) } catch let error as DownloadError { throw error } catch {
            throw Self.error(error)
        }
    }

    private static func error(_ error: any Error) -> DownloadError {
        DownloadError(.archive, "could not use the index of shards: \(error)", cause: error)
    }
}

extension ShardIndex.Sample {
    /// A sample that was found in a shard.
    init(_ sample: ShardSamples.Sample, in shard: Int) {
        self.init(
            key: sample.key, shard: shard, name: sample.name, ending: sample.ending, sha256: sample.sha256,
            bytes: sample.bytes)
    }
}
