import CSystemCalls
import Crypto
import FoundationEssentials
import Glibc
import LocalDatabase
import ProviderModel
import Synchronization

/// The credits of a folder: stored for every file ever downloaded into it, written to files for those that exist.
///
/// A file's credit is committed before the file gets its name, so that a killed run leaves no file without one.
package final class CreditLedger: Sendable {
    private struct State {
        var isChanged = false
        var lastUpdate = ContinuousClock.now
        /// How long it took to write the files the last time.
        var updateTime = Duration.zero
    }

    /// A file and where it lies; nil where that is known only afterwards.
    typealias Entry = (key: MediaKey, path: String?, credit: Credit)

    /// Whether a row is as it was stored.
    private static let isIntact = "checksum = row_checksum(key, path, \(Credit.columns))"

    /// Says that no file of credits is up to date.
    private static let outdating =
        "DELETE FROM written_file WHERE name IN "
        + "(\(CreditFormat.allCases.map { "'\($0.fileName)'" }.joined(separator: ", ")))"

    private let folder: DownloadFolder
    private let formats: [CreditFormat]
    private let database: LocalDatabase
    private let state = Mutex(State())

    /// The credits of this folder, in its database; throws when a file of credits is the user's own.
    package init(
        folder: DownloadFolder, formats: [CreditFormat], in database: LocalDatabase
    ) throws(DownloadError) {
        self.folder = folder
        self.formats = formats
        self.database = database
        for format in formats { try checkOwner(of: format) }
    }

    // MARK: Entries

    /// Stores credits in one transaction, before their files get their names.
    func store(_ entries: [Entry]) throws(DownloadError) {
        guard !entries.isEmpty else { return }
        try write { database in
            for entry in entries {
                try database.insert(
                    into: "credit", withChecksum: [entry.key.description, entry.path] + entry.credit.columnValues)
            }
        }
    }

    /// Stores where files came to lie whose paths were not known before, or are others.
    func move(_ files: [(key: MediaKey, path: String)]) throws(DownloadError) {
        guard !files.isEmpty else { return }
        try write { database in
            // A damaged row must not become a right one.
            let statement = try database.cachedStatement(
                sql: """
                    UPDATE OR REPLACE credit SET path = ?1, checksum = row_checksum(key, ?1, \(Credit.columns))
                    WHERE key = ?2 AND \(Self.isIntact)
                    """)
            for file in files { try statement.execute(arguments: [file.path, file.key.description]) }
        }
    }

    /// Stores the credits of files that were there before, where they are new or have changed.
    package func notePresent(_ files: [(request: DownloadRequest, path: String)]) throws(DownloadError) {
        guard !files.isEmpty else { return }
        let known = try known(files.map(\.request.key))
        let isKnownByAll = known.count == files.count
        let credited = isKnownByAll ? [] : try credited(files.map(\.path))
        var changed: [Entry] = []
        var moved: [(key: MediaKey, path: String)] = []
        for (place, file) in files.enumerated() {
            let credit = Credit(file.request, from: file.request.media).completed(by: known[place]?.credit)
            let entry = (file.request.key, file.path, credit)
            guard let (path, stored) = known[place] else {
                // A file that stands for several of the same content has the credit of the one that it came from.
                if !credited.contains(file.path) { changed.append(entry) }
                continue
            }
            // An image named by its id has no metadata: the stored credit stays.
            if !credit.isOfNameOnly, credit != stored {
                changed.append(entry)
            } else if path != file.path {
                moved.append((file.request.key, file.path))
            }
        }
        try store(changed)
        try move(moved)
    }

    /// Forgets the credit of a file that was removed.
    func remove(_ path: String) throws(DownloadError) {
        // The plus keeps SQLite from the index of paths, from which an entry may be missing.
        try write { try $0.execute(sql: "DELETE FROM credit WHERE +path = ?", arguments: [path]) }
    }

    /// The paths that have a credit.
    private func credited(_ paths: [String]) throws(DownloadError) -> Set<String> {
        try read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT path, \(Self.isIntact) FROM credit WHERE path IN (SELECT value FROM json_each(?))")
            let rows = try Row.fetchAll(statement, arguments: [DownloadArchive.json(paths)])
            return Set(rows.filter { Bool.fromDatabaseValue($0[1]) == true }.map { $0[0] as String })
        }
    }

    /// The stored credits of these files, by their places.
    private func known(_ keys: [MediaKey]) throws(DownloadError) -> [Int: (path: String?, credit: Credit)] {
        try read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT place, path, \(Credit.columns), \(Self.isIntact)
                    FROM (SELECT key AS place, value AS wanted FROM json_each(?)) JOIN credit ON credit.key = wanted
                    """)
            let rows = try Row.fetchCursor(
                statement, arguments: [DownloadArchive.json(keys.map(\.description))])
            var known: [Int: (path: String?, credit: Credit)] = [:]
            // A damaged one is as good as unknown, and stored anew.
            while let row = try rows.next() {
                if Bool.fromDatabaseValue(row[2 + Credit.columnCount]) == true {
                    known[row[0]] = (row[1], Credit(row, from: 2))
                }
            }
            return known
        }
    }

    // MARK: Files

    /// Writes the credits files from time to time during a run, at intervals that keep the cost low.
    func updateIfDue() throws {
        let isDue = state.withLock { state in
            state.isChanged && .now - state.lastUpdate >= max(.seconds(10), state.updateTime * 30)
        }
        if isDue { try update() }
    }

    /// Writes the credits files, one process at a time, so that the last one includes the files of all.
    ///
    /// Unchanged files are not rewritten.
    package func update() throws {
        let start = ContinuousClock.now
        let lock = try FolderLock("credits.lock", in: folder.folder([DownloadFolder.ownName]))
        defer { lock.release() }
        for format in formats { try checkOwner(of: format) }
        if try !isUpToDate() {
            // Whatever changes meanwhile takes this mark away, and the files are written again.
            try write(changes: false) { database in
                for format in formats {
                    try database.execute(
                        sql: "INSERT OR REPLACE INTO written_file (name, state) VALUES (?, '')",
                        arguments: [format.fileName])
                }
            }
            let missing = try read(writeFiles)
            try write(changes: false) { database in
                for format in formats {
                    try database.execute(
                        sql: "UPDATE written_file SET state = ? WHERE name = ?",
                        arguments: [fileState(of: format, missing), format.fileName])
                }
            }
        }
        let end = ContinuousClock.now
        state.withLock { ($0.updateTime, $0.lastUpdate, $0.isChanged) = (end - start, end, false) }
    }

    /// The files of credits for some files alone, which have other paths there; the paths have an order.
    func texts(of files: [(key: MediaKey, path: String)]) throws(DownloadError) -> [(name: String, bytes: [UInt8])] {
        let known = try known(files.map(\.key))
        let credited = files.indices.compactMap { place in known[place].map { (files[place].path, $0.credit) } }
        guard !credited.isEmpty else { return [] }
        let notices = credited.compactMap(\.1.notice).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        return formats.map { format in
            var text = format.beginning
            for (place, file) in credited.enumerated() {
                text += format.separator(isFirst: place == 0) + format.entry(file.1, path: file.0)
            }
            return (format.fileName, Array((text + format.end(notices)).utf8))
        }
    }

    private func isUpToDate() throws -> Bool {
        let written = try read { database in
            let rows = try Row.fetchAll(database, sql: "SELECT name, state FROM written_file")
            // A damaged row is as good as none: the file is written again.
            return rows.reduce(into: [String: String]()) { states, row in
                if let name = String.fromDatabaseValue(row[0]) { states[name] = String.fromDatabaseValue(row[1]) }
            }
        }
        guard formats.allSatisfy({ written[$0.fileName]?.isEmpty == false }) else { return false }
        let missing = try read { database in
            var missing = MissingFiles()
            try forEachFile(in: database, &missing) { _, _ in }
            return missing
        }
        return formats.allSatisfy { written[$0.fileName] == fileState(of: $0, missing) }
    }

    private func writeFiles(_ database: Database) throws -> MissingFiles {
        var files: [(format: CreditFormat, file: ReplacementFile)] = []
        do {
            for format in formats {
                files.append((format, try ReplacementFile(format.fileName, in: folder.root)))
                try files.last?.file.write(format.beginning)
            }
            var isFirst = true
            var notices: [String] = []
            var missing = MissingFiles()
            try forEachFile(in: database, &missing) { path, credit in
                for (format, file) in files {
                    try file.write(format.separator(isFirst: isFirst))
                    try file.write(format.entry(credit, path: path))
                }
                isFirst = false
                if let notice = credit.notice, !notices.contains(notice) { notices.append(notice) }
            }
            for (format, file) in files {
                try file.write(format.end(notices))
                // Where there is nothing to credit and never was, there is no file either.
                if isFirst, !folder.hasFile(at: format.fileName) { file.discard() } else { try file.commit() }
            }
            return missing
        } catch {
            for (_, file) in files { file.discard() }
            throw error
        }
    }

    /// Calls the closure with each listed file that is there, in the order of their paths.
    private func forEachFile(
        in database: Database, _ missing: inout MissingFiles, _ body: (String, Credit) throws -> Void
    ) throws {
        // The plus keeps SQLite from the index of paths, from which an entry may be missing.
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT path, \(Credit.columns), \(Self.isIntact) FROM credit
                WHERE +path IS NOT NULL ORDER BY +path
                """)
        while let row = try rows.next() {
            try DamagedRow.check(Bool.fromDatabaseValue(row[1 + Credit.columnCount]))
            let path: String = row[0]
            if isThere(path) { try body(path, Credit(row, from: 1)) } else { missing.add(path) }
        }
    }

    /// A file in an archive or a shard exists as long as that.
    private func isThere(_ path: String) -> Bool {
        if folder.hasFile(at: path) { return true }
        guard let archive = BundlePath.archive(of: path) else { return false }
        return folder.hasFile(at: archive) || folder.hasFile(at: archive + ".part")
    }

    /// Identifies a file of credits as the one that was written here, for the files that are there now.
    private func fileState(of format: CreditFormat, _ missing: MissingFiles) -> String {
        guard let status = folder.root.status(of: format.fileName) else { return "\(CreditFormat.version) none" }
        let time = "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
        return "\(CreditFormat.version) \(status.st_ino) \(status.st_size) \(time) \(missing.digest)"
    }

    /// Throws when the file is there and was not written here: it is not overwritten.
    private func checkOwner(of format: CreditFormat) throws(DownloadError) {
        if let refusal = OwnFile.linkRefusal("\(folder.path)/\(format.fileName)") {
            throw DownloadError(.file, refusal)
        }
        guard let descriptor = folder.file(at: format.fileName) else { return }
        let content = DescriptorContent(owning: descriptor)
        let expected = Array(format.beginning.utf8)
        let found = try content.bytes(at: 0, count: expected.count)
        guard !found.isEmpty, found != expected else { return }
        throw DownloadError(
            .file, "\(folder.path)/\(format.fileName) was not written by imgscript, and is not overwritten")
    }

    // MARK: Database

    private func read<Result>(_ body: (Database) throws -> Result) throws(DownloadError) -> Result {
        do { return try database.readOnce(body) } catch { throw Self.failure(error) }
    }

    /// Changes the database; where that `changes` credits, the files of credits have to be written again.
    private func write(changes: Bool = true, _ body: (Database) throws -> Void) throws(DownloadError) {
        do {
            try database.write { database in
                if changes { try database.cachedStatement(sql: Self.outdating).execute() }
                try body(database)
            }
        } catch { throw Self.failure(error) }
        if changes { state.withLock { $0.isChanged = true } }
    }

    private static func failure(_ error: any Error) -> DownloadError {
        DownloadError(ofDatabase: error, "store the credits")
    }
}

/// The files that are listed and not there, as a digest: there may be many.
private struct MissingFiles {
    private var hasher = Crypto.SHA256()

    mutating func add(_ path: String) { hasher.update(data: Array("\(path)\n".utf8)) }

    var digest: String { Array(hasher.finalize()).hexadecimal }
}
