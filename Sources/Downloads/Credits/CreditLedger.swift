import CFiles
import Glibc
import LocalDatabase
import ProviderModel
import Synchronization

/// The credits of a folder: kept for every file that was ever downloaded into it, written for those that are there.
///
/// A file's credit is kept before the file gets its name, so that a killed run owes none; where the file came to lie is
/// added a moment later, or found out by the next run.
package final class CreditLedger: DownloadPostprocessor {
    private struct Pending {
        var notes = CreditNotes()
        /// What the notes are safe in, there as long as a run goes on.
        var journal: CreditJournal?
        /// One that holds nothing, for what is announced while notes are written.
        var empty: CreditJournal?
        /// Those whose notes could not be written.
        var full: [CreditJournal] = []
        var seen = SightingMark()
        var lastWrite = ContinuousClock.now
        var lastUpdate = ContinuousClock.now
        var isChanged = false
        /// How long it took to write the files the last time.
        var updateTime = Duration.zero

        /// Takes the notes, and the journals that hold them.
        mutating func takeNotes() -> (CreditNotes, [CreditJournal]) {
            defer { (notes, journal, full) = (CreditNotes(), nil, []) }
            lastWrite = .now
            return (notes, full + (journal.map { [$0] } ?? []))
        }
    }

    let folder: DownloadFolder
    let formats: [CreditFormat]
    let database: LocalDatabase
    private let pending: Mutex<Pending>
    /// Held by whoever writes.
    private let turn = Mutex(())

    private static let batch = 500
    private static let patience = Duration.milliseconds(500)
    /// How often the files are written anew while a run goes on: seldom enough to be no burden.
    private static func updateInterval(after time: Duration) -> Duration { max(.seconds(10), time * 30) }

    /// The credits of this folder, in these files; throws when one of them is there and somebody else's.
    package init(
        folder: DownloadFolder, formats: [CreditFormat], warning: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(DownloadError) {
        self.folder = folder
        self.formats = formats
        do throws(LocalDatabaseError) {
            database = try LocalDatabase(
                path: folder.path + "/.imgscript/credits.sqlite", schema: Self.schema, busyTimeout: .seconds(10),
                warning: warning)
        } catch {
            throw Self.error(error)
        }
        pending = Mutex(Pending())
        for format in formats { try checkOwner(of: format) }
        try takeOverJournals()
    }

    package var isQuick: Bool { true }

    package var isDue: Bool {
        pending.withLock { pending in
            pending.notes.count >= Self.batch || .now - pending.lastWrite >= Self.patience
        }
    }

    package func announce(_ planned: PlannedDownload, from media: Media, at paths: [String]) throws {
        let credit = KeptCredit(planned.wanted, from: media)
        try pending.withLock { (pending) throws(DownloadError) in
            if pending.journal == nil { pending.journal = pending.empty.take() }
            if pending.journal == nil { pending.journal = try CreditJournal(in: try folder.folder([".imgscript"])) }
            pending.notes.announce(planned.key, plannedAt: paths.first) { $0.add(credit) }
            do throws(DownloadError) { try pending.journal?.add(pending.notes.lastRecord) } catch {
                pending.notes.takeBackLast()
                throw error
            }
        }
    }

    package func note(_ file: DownloadedFile) throws {
        pending.withLock { $0.notes.place(file.planned.key, at: file.path) }
    }

    package func note(_ wanted: WantedFile, presentAt path: String, _ record: () throws -> ArchiveRecord?) throws {
        pending.withLock { $0.notes.present.append(.init(file: wanted, path: path)) }
    }

    package func write() throws {
        try flush()
        if isUpdateDue { try updateTimed() }
    }

    package func finish(isComplete: Bool) throws {
        try flush()
        pending.withLock { ($0.journal, $0.empty) = (nil, nil) }
        try updateTimed()
    }

    private func updateTimed() throws {
        let start = ContinuousClock.now
        try update()
        let end = ContinuousClock.now
        pending.withLock { ($0.updateTime, $0.lastUpdate, $0.isChanged) = (end - start, end, false) }
    }

    /// Whether something was noted that the files do not say yet.
    private var isUpdateDue: Bool {
        pending.withLock { pending in
            let interval = Self.updateInterval(after: pending.updateTime)
            guard pending.isChanged, .now - pending.lastUpdate >= interval else { return false }
            pending.lastUpdate = .now
            return true
        }
    }

    /// Writes what waits into the list; what is announced meanwhile goes into another journal.
    private func flush() throws(DownloadError) {
        try turn.withLock { (_) throws(DownloadError) in
            let (notes, journals) = pending.withLock { $0.takeNotes() }
            do throws(DownloadError) {
                let isNews = try keep(notes)
                for journal in journals { try journal.clear() }
                pending.withLock { pending in
                    pending.isChanged = pending.isChanged || isNews
                    pending.empty = pending.empty ?? journals.last
                }
            } catch {
                // They wait again, but for what was noted anew meanwhile.
                pending.withLock { pending in
                    pending.notes.add(older: notes)
                    pending.full += journals
                }
                throw error
            }
        }
    }

    /// Writes notes into the list; false when it has them all.
    private func keep(_ notes: CreditNotes) throws(DownloadError) -> Bool {
        guard notes.count > 0 else { return false }
        var notes = notes
        // In most runs most is known already: looking costs much less than writing.
        notes.present = try mapping { try database.readOnce { try Self.news(in: notes.present, for: $0) } }
        guard notes.count > 0 else { return false }
        let seen = mark.number
        try changing { try Self.write(notes, seen, to: $0) }
        return true
    }

    /// Keeps what killed runs had only just noted.
    private func takeOverJournals() throws(DownloadError) {
        try mapping {
            try CreditJournal.takeOver(folder) { rows in
                try changing { database in
                    // What the list knows of a file already is newer.
                    let unknown = try rows.filter { try !Self.isPlaced($0.key, in: database) }
                    try Self.insert(unknown, seen: nil, into: database)
                }
            }
        }
    }

    /// Finds where the files lie whose run was killed before it could say so.
    func settle() throws {
        try writing { database in
            let rows = try Row.fetchCursor(
                database, sql: "SELECT key, planned FROM files WHERE path IS NULL AND planned IS NOT NULL")
            var found: [(key: String, path: String)] = []
            while let row = try rows.next() {
                let key: String = row[0]
                let planned: String = row[1]
                let beside = PlannedName.path(beside: planned, for: MediaKey(stored: key))
                if let path = [planned, beside].first(where: { holds($0, key) }) { found.append((key, path)) }
            }
            guard !found.isEmpty else { return }
            try Self.forgetWritten(in: database)
            let placing = try database.cachedStatement(sql: "UPDATE OR IGNORE files SET path = ? WHERE key = ?")
            for (key, path) in found { try placing.execute(arguments: [path, key]) }
        }
    }

    /// What files are marked with that this run has just seen.
    var mark: SightingMark {
        pending.withLock { pending in
            pending.seen.renew()
            return pending.seen
        }
    }

    /// Whether the file at a path is the one of this key, as far as the file says whose it is.
    private func holds(_ path: String, _ key: String) -> Bool {
        guard let descriptor = folder.file(at: path) else { return isThere(path) }
        defer { Glibc.close(descriptor) }
        let marks = FileMark.keys(of: descriptor)
        return marks.isEmpty || marks.contains(MediaKey(stored: key))
    }

    /// What lies in a shard is there as long as the shard is.
    func isThere(_ path: String) -> Bool {
        if folder.hasFile(at: path) { return true }
        guard let end = path.firstRange(of: ".tar/") else { return false }
        let shard = String(path[..<end.lowerBound]) + ".tar"
        return folder.hasFile(at: shard) || folder.hasFile(at: shard + ".part")
    }

    /// Changes the list: what was noted of the files of credits holds no longer.
    private func changing(_ body: (Database) throws -> Void) throws(DownloadError) {
        try writing { database in
            try Self.forgetWritten(in: database)
            try body(database)
        }
    }

    func writing(_ body: (Database) throws -> Void) throws(DownloadError) {
        try mapping { try database.write(body) }
    }

    func mapping<Result>(_ body: () throws -> Result) throws(DownloadError) -> Result {
        do { return try body() } catch let error as DownloadError { throw error } catch { throw Self.error(error) }
    }

    private static func error(_ error: any Error) -> DownloadError {
        DownloadError(.archive, "the credits cannot be kept: \(error); or go on with --credits none", cause: error)
    }
}
