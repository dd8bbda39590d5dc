import Foundation
import LocalDatabase
import ProviderModel
import Synchronization

/// What was fetched, in this run and all before.
///
/// New records wait in memory for a moment and are written many at a time. A program that is killed in between loses
/// only the notes, not the files: the next run finds those where they are.
package final class DownloadArchive: Sendable {
    private struct Pending {
        /// What waits to be written.
        var records: [MediaKey: ArchiveRecord] = [:]
        /// What is being written.
        var writing: [MediaKey: ArchiveRecord] = [:]
        var since: ContinuousClock.Instant?

        subscript(key: MediaKey) -> ArchiveRecord? { records[key] ?? writing[key] }

        func records(withItemNames names: [String]) -> [MediaKey: ArchiveRecord] {
            guard !(records.isEmpty && writing.isEmpty) else { return [:] }
            let names = Set(names)
            return writing.merging(records) { $1 }.filter { names.contains($0.key.itemName) }
        }
    }

    private let database: LocalDatabase
    private let pending = Mutex(Pending())
    /// Held by whoever writes.
    private let turn = Mutex(())
    private let hasContentIndex = Mutex(false)

    /// How many records may wait, and for how long.
    private static let batch = 500
    private static let patience = Duration.milliseconds(500)

    /// Opens the archive that a folder of downloads has, and makes it where it is missing.
    package convenience init(
        path: String, warning: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(DownloadError) { try self.init(path, .own, warning) }

    /// Opens the archive at a path that the user named, and makes it where it is missing; what is there and is none
    /// stays as it is.
    package convenience init(
        named path: String, warning: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(DownloadError) { try self.init(path, .named, warning) }

    private init(
        _ path: String, _ place: LocalDatabasePlace, _ warning: @escaping @Sendable (String) -> Void
    ) throws(DownloadError) {
        do throws(LocalDatabaseError) {
            database = try LocalDatabase(
                path: path, schema: Self.schema, place: place, lockPatience: .seconds(10), warning: warning)
        } catch {
            throw DownloadError(.archive, "\(error.message); or go on with --no-archive", cause: error)
        }
    }

    /// The record of a file; nil when it was never fetched.
    package func record(of key: MediaKey) throws(DownloadError) -> ArchiveRecord? { try records(of: [key])[key] }

    /// The records of these files, as far as there are any: a thousand cost about as much as one.
    package func records(of keys: [MediaKey]) throws(DownloadError) -> [MediaKey: ArchiveRecord] {
        var found: [MediaKey: ArchiveRecord] = [:]
        pending.withLock { pending in
            for key in keys { found[key] = pending[key] }
        }
        let wanted = keys.filter { found[$0] == nil }
        guard !wanted.isEmpty else { return found }
        for record in try stored("media.key = wanted.value", wanted.map(\.description)) { found[record.key] = record }
        return found
    }

    /// The records of all that begins with the items' names: their files of every size, and what is noted besides.
    ///
    /// Asked before details are requested.
    package func records(ofItems items: [Item]) throws(DownloadError) -> [MediaKey: ArchiveRecord] {
        let names = items.map { "\($0.provider):\($0.id):" }
        // Before the file is asked: what is written meanwhile is found there.
        var found = pending.withLock { $0.records(withItemNames: names) }
        // The keys of an item stand together, and what follows its name is ASCII.
        for record in try stored("media.key BETWEEN wanted.value AND wanted.value || '~'", names)
        where found[record.key] == nil { found[record.key] = record }
        return found
    }

    /// One statement takes and gives back the file's lock once for all that is wanted, which goes into it as one text: each
    /// by itself costs more to hand over than to look for.
    private func stored(_ condition: String, _ wanted: [String]) throws(DownloadError) -> [ArchiveRecord] {
        var list = JSONWriter()
        list.array(wanted) { $0.value($1) }
        let wanted = String(decoding: list.bytes, as: UTF8.self)
        return try reading { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT media.key, url, hash, bytes, time, media.path, content
                    FROM json_each(?) AS wanted CROSS JOIN media ON \(condition)
                    """
            )
            return try Row.fetchAll(statement, arguments: [wanted]).map(ArchiveRecord.init)
        }
    }

    /// A file that was fetched with the same content; nil when there is none.
    package func record(withContent hash: ContentHash) throws(DownloadError) -> ArchiveRecord? {
        let waiting = pending.withLock { pending in
            pending.records.values.first { hash.agrees(with: $0.content) }
                ?? pending.writing.values.first { hash.agrees(with: $0.content) }
        }
        if let waiting { return waiting }
        try makeContentIndex()
        return try reading { database in
            try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT key, url, hash, bytes, time, path, content FROM media
                        WHERE content IN (?, ?) ORDER BY length(content) DESC LIMIT 1
                        """
                ),
                arguments: [hash.xxh128.map { Data($0) }, hash.sha256.map { Data($0) }]
            ).map(ArchiveRecord.init)
        }
    }

    /// Most archives are never asked for contents, and an index costs as much as the rows.
    private func makeContentIndex() throws(DownloadError) {
        try hasContentIndex.withLock { (isMade) throws(DownloadError) in
            if isMade { return }
            try writing { try $0.execute(sql: "CREATE INDEX IF NOT EXISTS media_content ON media (content)") }
            isMade = true
        }
    }

    /// Notes a file; it is written soon.
    package func add(_ record: ArchiveRecord) throws(DownloadError) {
        if note(record) { try flush() }
    }

    /// Notes a file; true when it is time to write what waits.
    func note(_ record: ArchiveRecord) -> Bool {
        pending.withLock { pending in
            pending.records[record.key] = record
            let since = pending.since ?? .now
            pending.since = since
            return pending.records.count >= Self.batch || ContinuousClock.now - since >= Self.patience
        }
    }

    /// Writes what waits.
    package func flush() throws(DownloadError) {
        try turn.withLock { (_) throws(DownloadError) in
            let records = pending.withLock { pending in
                swap(&pending.records, &pending.writing)
                pending.records.reserveCapacity(Self.batch)
                pending.since = nil
                return pending.writing
            }
            guard !records.isEmpty else { return }
            do throws(DownloadError) { try write(records.values) } catch {
                // They wait again, but for what was noted anew meanwhile.
                pending.withLock { pending in
                    pending.records.merge(records) { newer, _ in newer }
                    pending.writing = [:]
                }
                throw error
            }
            pending.withLock { $0.writing = [:] }
        }
    }

    private func write(_ records: some Collection<ArchiveRecord>) throws(DownloadError) {
        let insertion = """
            INSERT OR REPLACE INTO media (key, url, hash, bytes, time, path, content)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """
        try writing { database in
            try database.run(insertion, for: records) { record, row in
                row.bind(record.key.description)
                row.bind(record.url)
                row.bind(record.hash.kept)
                row.bind(record.bytes)
                row.bind(record.time)
                row.bind(record.path)
                row.bind(record.content.kept)
            }
        }
    }

    private func reading<Result>(_ body: (Database) throws -> Result) throws(DownloadError) -> Result {
        // Each question is one statement, or several that need not be of one moment.
        do { return try database.readOnce(body) } catch { throw Self.error(error) }
    }

    private func writing(_ body: (Database) throws -> Void) throws(DownloadError) {
        do { try database.write(body) } catch { throw Self.error(error) }
    }

    private static func error(_ error: any Error) -> DownloadError {
        DownloadError(.archive, "\(error); or go on with --no-archive", cause: error)
    }
}

extension ArchiveRecord {
    fileprivate init(_ row: Row) {
        let hash: Data = row[2]
        let content: Data = row[6]
        self.init(
            key: MediaKey(stored: row[0]),
            url: row[1],
            hash: ContentHash(kept: Array(hash)),
            bytes: row[3],
            time: row[4],
            path: row[5],
            content: ContentHash(kept: Array(content))
        )
    }
}
