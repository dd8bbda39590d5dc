import Glibc
import LocalDatabase
import ProviderModel
import Synchronization

/// The downloads of a folder that failed: kept in its database, and listed in `failed.jsonl` beside that.
///
/// A file that fails again replaces its entry, one that is there is taken off. Whoever removes `failed.jsonl` has all forgotten.
final class FailedDownloads: Sendable {
    private enum Store {
        /// Not opened yet: a run without an archive needs it with its first failure.
        case closed
        case open(LocalDatabase)
        /// Failures cannot be recorded; the user was told.
        case refused
    }

    private struct State {
        var store = Store.closed
        /// Whether the database may hold failures: where it does not, nothing is looked for.
        var mayHoldFailures = false
        /// Whether the list differs from the database.
        var isChanged = false
        /// Failures that wait to be written, by key, with their order.
        var failed: [String: (failure: FailedDownload, order: Int)] = [:]
        var count = 0
        /// Keys that wait to be taken off.
        var resolved: Set<String> = []
    }

    /// The name of the list in the program's own folder.
    static let name = "failed.jsonl"
    /// How many changes wait in memory.
    private static let limit = 256

    private let folder: String
    private let now: @Sendable () -> Int
    private let warning: @Sendable (String) -> Void
    private let observer: (any ChangeObserver)?
    private let state = Mutex(State())

    /// The failures of a folder of downloads.
    init(folder: String, _ environment: DownloadRun.Environment) {
        self.folder = folder
        now = environment.now
        warning = environment.warning
        observer = environment.observer
    }

    /// Uses the folder's database, where the run has it open; else it is opened where it exists.
    func open(_ database: LocalDatabase?) throws(DownloadError) {
        guard let database = try existing(database) else { return }
        do { try forgetWhatTheUserRemoved(in: database) } catch { throw Self.failure(error) }
        try use(database)
    }

    /// The same without a change.
    func openForReading(_ database: LocalDatabase?) throws(DownloadError) {
        guard let database = try existing(database) else { return }
        do { if try database.readOnce(isRemoved) { return } } catch { throw Self.failure(error) }
        try use(database)
    }

    /// The folder's database, where it has one.
    private func existing(_ database: LocalDatabase?) throws(DownloadError) -> LocalDatabase? {
        if let database { return database }
        let path = DownloadOptions.ownArchive(in: folder)
        return access(path, F_OK) == 0 ? try DownloadArchive.open(path, warning: warning, observer) : nil
    }

    private func use(_ database: LocalDatabase) throws(DownloadError) {
        do {
            let hasFailures = try database.readOnce(Self.hasFailures)
            state.withLock { state in
                state.store = .open(database)
                state.mayHoldFailures = state.mayHoldFailures || hasFailures
            }
        } catch { throw Self.failure(error) }
    }

    // MARK: Entries

    /// Records the failure of a file.
    func note(_ request: DownloadRequest, _ error: DownloadError) {
        note(request.subject, key: request.key.description, error)
    }

    /// Records the failure of an input that led to no file.
    func note(_ subject: DownloadInput.Subject, _ error: DownloadError) {
        if let key = subject.failureKey { note(subject, key: key, error) }
    }

    private func note(_ subject: DownloadInput.Subject, key: String, _ error: DownloadError) {
        guard let failure = FailedDownload(subject, key: key, error, time: now()) else { return }
        let isFull = state.withLock { state in
            if case .refused = state.store { return false }
            var failure = failure
            if let known = state.failed[key] { failure.attempts += known.failure.attempts }
            state.count += 1
            state.failed[key] = (failure, state.failed[key]?.order ?? state.count)
            state.resolved.remove(key)
            state.mayHoldFailures = true
            return state.failed.count >= Self.limit
        }
        if isFull { flush() }
    }

    /// Takes a file off the list that is there, in whatever size it failed before.
    func resolve(_ request: DownloadRequest) { resolve(request.failureKeys) }

    /// Takes an input off the list that leads to files again.
    func resolve(_ subject: DownloadInput.Subject) {
        if let key = subject.failureKey { resolve([key]) }
    }

    private func resolve(_ keys: [String]) {
        let isFull = state.withLock { state in
            guard state.mayHoldFailures else { return false }
            for key in keys { state.failed[key] = nil }
            state.resolved.formUnion(keys)
            return state.resolved.count >= 8 * Self.limit
        }
        if isFull { flush() }
    }

    /// The dead links among files that failed within this time, by their keys.
    func deadLinks(among keys: [String], within age: Duration) -> [String: FailedDownload] {
        let (store, waiting) = state.withLock { state in
            (state.mayHoldFailures ? state.store : .closed, keys.compactMap { state.failed[$0]?.failure })
        }
        var found = Dictionary(waiting.filter(\.isDeadLink).map { ($0.key, $0) }) { $1 }
        let oldest = now() - Int(age.components.seconds)
        if case .open(let database) = store {
            // What cannot be read is asked for again.
            let stored = try? database.readOnce { database in
                let statement = try database.cachedStatement(
                    sql: """
                        SELECT failure.* FROM json_each(?) AS wanted JOIN failure ON failure.key = wanted.value
                        WHERE time > ?
                        """)
                return try Row.fetchAll(statement, arguments: [DownloadArchive.json(keys), oldest])
                    .map(FailedDownload.init)
            }
            for failure in stored ?? [] where failure.isDeadLink && found[failure.key] == nil {
                found[failure.key] = failure
            }
        }
        return found.filter { $0.value.time > oldest }
    }

    /// The inputs that failed up to now, in order.
    var inputs: FailedInputs? {
        flush()
        guard case .open(let database) = state.withLock({ $0.store }) else { return nil }
        return FailedInputs(database)
    }

    // MARK: Writing

    /// Writes what waits into the database.
    private func flush() {
        let (failed, resolved, isNeeded) = state.withLock { state in
            defer { (state.failed, state.resolved) = ([:], []) }
            return (state.failed, state.resolved, !state.failed.isEmpty)
        }
        guard !failed.isEmpty || !resolved.isEmpty else { return }
        do throws(DownloadError) {
            guard let database = try database(isNeeded: isNeeded) else { return }
            do {
                let hasChanged = try database.write { database in
                    guard try isNeeded || Self.hasFailures(database) else { return false }
                    let before = database.totalChangesCount
                    let statement = try database.cachedStatement(
                        sql: "DELETE FROM failure WHERE key IN (SELECT value FROM json_each(?))")
                    try statement.execute(arguments: [DownloadArchive.json(Array(resolved))])
                    for next in failed.values.sorted(by: { $0.order < $1.order }) {
                        try next.failure.insert(into: database)
                    }
                    guard database.totalChangesCount > before else { return false }
                    try database.execute(sql: "DELETE FROM written_file WHERE name = ?", arguments: [Self.name])
                    return true
                }
                if hasChanged { state.withLock { $0.isChanged = true } }
            } catch { throw Self.failure(error) }
        } catch { refuse(error) }
    }

    /// Ends a run: writes what waits, and the list where it is not that of the database any more.
    func finish() {
        flush()
        guard case .open(let database) = state.withLock({ $0.store }) else { return }
        do throws(DownloadError) {
            do {
                guard try state.withLock({ $0.isChanged }) || !database.readOnce(isListed) else { return }
                let own = try ownFolder()
                let lock = try FolderLock("failed.lock", in: own)
                defer { lock.release() }
                try writeList(of: database, in: own)
            } catch { throw Self.failure(error) }
        } catch { refuse(error) }
    }

    private func writeList(of database: LocalDatabase, in own: OpenFolder) throws {
        if let refusal = OwnFile.linkRefusal("\(own.path)/\(Self.name)") { throw DownloadError(.file, refusal) }
        // Whatever changes meanwhile takes this mark away, and the list is written again.
        try database.write {
            try $0.execute(
                sql: "INSERT OR REPLACE INTO written_file (name, state) VALUES (?, '')", arguments: [Self.name])
        }
        let file = try ReplacementFile(Self.name, in: own)
        var isEmpty = true
        do {
            var batches = FailedInputs(database).batches
            while let batch = try batches.next() {
                for failure in batch { try file.write(failure.line) }
                isEmpty = false
            }
        } catch {
            file.discard()
            throw error
        }
        if isEmpty {
            file.discard()
            own.remove(Self.name)
        } else {
            try file.commit()
        }
        try database.write {
            let state = isEmpty ? "none" : "written"
            try $0.execute(sql: "UPDATE written_file SET state = ? WHERE name = ?", arguments: [state, Self.name])
        }
        state.withLock { $0.isChanged = false }
    }

    // MARK: Database

    /// Whether the list was written and is not there: the user is done with these failures.
    private func isRemoved(_ database: Database) throws -> Bool {
        try Self.writtenState(in: database) == "written" && access(listPath, F_OK) != 0
    }

    private func forgetWhatTheUserRemoved(in database: LocalDatabase) throws {
        guard try database.readOnce(isRemoved) else { return }
        let lock = try FolderLock("failed.lock", in: try ownFolder())
        defer { lock.release() }
        try database.write { database in
            guard try isRemoved(database) else { return }
            try database.execute(sql: "DELETE FROM failure")
            try database.execute(sql: "DELETE FROM written_file WHERE name = ?", arguments: [Self.name])
        }
    }

    /// Whether the list was written from what the database holds; a killed run may not have come to that.
    private func isListed(_ database: Database) throws -> Bool {
        if let state = try Self.writtenState(in: database) { return !state.isEmpty }
        return try !Self.hasFailures(database) && access(listPath, F_OK) != 0
    }

    private var listPath: String { "\(folder)/\(DownloadFolder.ownName)/\(Self.name)" }

    private static func writtenState(in database: Database) throws -> String? {
        try String.fetchOne(database, sql: "SELECT state FROM written_file WHERE name = ?", arguments: [name])
    }

    private static func hasFailures(_ database: Database) throws -> Bool {
        try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM failure)") ?? false
    }

    /// The database; created where that `isNeeded`, nil where it is not there.
    private func database(isNeeded: Bool) throws(DownloadError) -> LocalDatabase? {
        switch state.withLock({ $0.store }) {
        case .open(let database): return database
        case .refused: return nil
        case .closed: break
        }
        if isNeeded {
            _ = try ownFolder()
            try use(try DownloadArchive.open(DownloadOptions.ownArchive(in: folder), warning: warning, observer))
        } else if let database = try existing(nil) {
            // Another process may have had failures meanwhile.
            try use(database)
        }
        guard case .open(let database) = state.withLock({ $0.store }) else { return nil }
        return database
    }

    private func refuse(_ error: DownloadError) {
        let isNews = state.withLock { state in
            if case .refused = state.store { return false }
            state.store = .refused
            return true
        }
        if isNews { warning("failed downloads are not recorded for a retry: \(error)") }
    }

    private func ownFolder() throws(DownloadError) -> OpenFolder {
        let descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw DownloadError(errno: errno, "open", folder) }
        return try OpenFolder(descriptor: descriptor, path: folder, observer: observer).folder(
            named: DownloadFolder.ownName)
    }

    private static func failure(_ error: any Error) -> DownloadError {
        DownloadError(ofDatabase: error, "use the record of failures")
    }
}

extension DownloadInput.Subject {
    /// The key under which it fails where it leads to no file; nil for what could not be read.
    var failureKey: String? { reference?.maskingUserInfo }
}

extension DownloadRequest {
    /// The keys under which it may have failed: its own, those of its other sizes, and that of its item.
    fileprivate var failureKeys: [String] {
        guard let item else { return [key.description] }
        var other = media
        return Media.Role.allCases.map { role in
            other.role = role
            return MediaKey(item, other).description
        } + [key.itemReference]
    }
}
