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
        var records = WaitingRecords()
        /// What is being written.
        var writing = WaitingRecords()
        var since: ContinuousClock.Instant?

        subscript(key: MediaKey) -> ArchiveRecord? { mutating get { records[key] ?? writing[key] } }

        mutating func paths(of keys: [MediaKey]) -> [String?] {
            guard !(records.isEmpty && writing.isEmpty) else { return Array(repeating: nil, count: keys.count) }
            return keys.map { records.path(of: $0) ?? writing.path(of: $0) }
        }

        func records(withItemNames names: [String]) -> [MediaKey: ArchiveRecord] {
            guard !(records.isEmpty && writing.isEmpty) else { return [:] }
            let names = Set(names)
            let found = [writing.list, records.list].joined().filter { names.contains($0.key.itemName) }
            return Dictionary(found.map { ($0.key, $0) }) { $1 }
        }

        func record(withContent hash: ContentHash) -> ArchiveRecord? {
            [records.list, writing.list].joined().first { hash.agrees(with: $0.content) }
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
    ) throws(DownloadError) { try self.init(path, .program, warning) }

    /// Opens the archive at a path that the user named, and makes it where it is missing; what is there and is none
    /// stays as it is.
    package convenience init(
        named path: String, warning: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(DownloadError) { try self.init(path, .user, warning) }

    private init(
        _ path: String, _ owner: LocalDatabase.Owner, _ warning: @escaping @Sendable (String) -> Void
    ) throws(DownloadError) {
        do throws(LocalDatabaseError) {
            database = try LocalDatabase(
                path: path, schema: Self.schema, owner: owner, busyTimeout: .seconds(10), warning: warning)
        } catch {
            throw DownloadError(.archive, "\(error.message); or go on with --no-archive", cause: error)
        }
    }

    /// The record of a file; nil when it was never fetched.
    package func record(of key: MediaKey) throws(DownloadError) -> ArchiveRecord? {
        if let waiting = pending.withLock({ $0[key] }) { return waiting }
        return try first("key = ?") { $0.bind(key.description) }
    }

    /// Where these files were put, nil for each that was never fetched: a thousand cost about as much as one.
    package func paths(of keys: [MediaKey]) throws(DownloadError) -> [String?] {
        // Before the file is asked: what is written meanwhile is found there.
        let waiting = pending.withLock { $0.paths(of: keys) }
        guard waiting.contains(nil) else { return waiting }
        let wanted = Self.list(keys.map { $0.description })
        return try reading { database in
            var paths = waiting
            try database.forEachRow(
                of: """
                    SELECT wanted.key, media.path
                    FROM json_each(?) AS wanted CROSS JOIN media ON media.key = wanted.value
                    """,
                values: { $0.bind(wanted) }
            ) { row in
                let place = row.number(0)
                if paths[place] == nil { paths[place] = row.text(1) }
            }
            return paths
        }
    }

    /// The records of all that begins with the items' names: their files of every size, and what is noted besides.
    ///
    /// Asked before details are requested.
    package func records(ofItems items: [Item]) throws(DownloadError) -> [MediaKey: ArchiveRecord] {
        let names = items.map { "\($0.provider):\($0.id):" }
        let waiting = pending.withLock { $0.records(withItemNames: names) }
        // The keys of an item stand together, and what follows its name is ASCII.
        let wanted = Self.list(names)
        return try reading { database in
            var found = waiting
            try database.forEachRow(
                of: """
                    SELECT media.key, url, hash, bytes, time, media.path, content FROM json_each(?) AS wanted
                    CROSS JOIN media ON media.key BETWEEN wanted.value AND wanted.value || '~'
                    """,
                values: { $0.bind(wanted) }
            ) { row in
                let record = ArchiveRecord(row)
                if found[record.key] == nil { found[record.key] = record }
            }
            return found
        }
    }

    /// What is wanted, as one text: one statement takes and gives back the file's lock once for all of it, and each by itself
    /// costs more to hand over than to look for.
    private static func list(_ wanted: [String?]) -> String {
        var list = JSONWriter()
        list.array(wanted)
        return list.text
    }

    /// A file that was fetched with the same content; nil when there is none.
    package func record(withContent hash: ContentHash) throws(DownloadError) -> ArchiveRecord? {
        if let waiting = pending.withLock({ $0.record(withContent: hash) }) { return waiting }
        try makeContentIndex()
        return try first("content IN (?, ?) ORDER BY length(content) DESC LIMIT 1") { values in
            values.bind(hash.xxh128)
            values.bind(hash.sha256)
        }
    }

    /// The first record in the file that meets a condition.
    private func first(
        _ condition: String, _ values: (inout ValueBinder) -> Void
    ) throws(DownloadError) -> ArchiveRecord? {
        try reading { database in
            var found: ArchiveRecord?
            try database.forEachRow(
                of: "SELECT key, url, hash, bytes, time, path, content FROM media WHERE \(condition)", values: values
            ) { found = found ?? ArchiveRecord($0) }
            return found
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
            pending.records.add(record)
            let since = pending.since ?? .now
            pending.since = since
            return pending.records.list.count >= Self.batch || ContinuousClock.now - since >= Self.patience
        }
    }

    /// Writes what waits.
    package func flush() throws(DownloadError) {
        try turn.withLock { (_) throws(DownloadError) in
            let records = pending.withLock { pending in
                swap(&pending.records, &pending.writing)
                pending.since = nil
                return pending.writing.list
            }
            guard !records.isEmpty else { return }
            do throws(DownloadError) { try write(records) } catch {
                // They wait again, but for what was noted anew meanwhile.
                pending.withLock { pending in
                    pending.records.add(older: records)
                    pending.writing.removeAll()
                }
                throw error
            }
            pending.withLock { $0.writing.removeAll() }
        }
    }

    private func write(_ records: [ArchiveRecord]) throws(DownloadError) {
        try writing { database in
            try database.insert(
                records.count, "INSERT OR REPLACE INTO media (key, url, hash, bytes, time, path, content)", columns: 7
            ) { place, row in
                let record = records[place]
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
    fileprivate init(_ row: ValueReader) {
        self.init(
            key: MediaKey(stored: row.text(0)),
            url: row.text(1),
            hash: ContentHash(kept: row.bytes(2)),
            bytes: row.number(3),
            time: row.number(4),
            path: row.text(5),
            content: ContentHash(kept: row.bytes(6))
        )
    }
}
