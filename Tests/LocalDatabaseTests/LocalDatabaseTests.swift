import Foundation
import Glibc
import LocalDatabase
import Synchronization
import TestSupport
import Testing

@Suite struct LocalDatabaseTests {
    private let folder = TemporaryFolder()
    private let warnings = Warnings()
    private static let schema = LocalDatabaseSchema(steps: ["CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)"])

    private var path: String { folder.path + "/new/folder/notes.sqlite" }

    private func open(
        schema: LocalDatabaseSchema = Self.schema,
        journal: LocalDatabase.Journal = .writeAhead,
        owner: LocalDatabase.Owner = .program,
        busyTimeout: Duration = .milliseconds(50)
    ) throws -> LocalDatabase {
        try LocalDatabase(path: path, schema: schema, journal: journal, owner: owner, busyTimeout: busyTimeout) {
            [warnings] in warnings.add($0)
        }
    }

    private func add(_ text: String, to database: LocalDatabase) throws {
        try database.write { try $0.execute(sql: "INSERT INTO note (text) VALUES (?)", arguments: [text]) }
    }

    private func texts(in database: LocalDatabase) throws -> [String] {
        try database.read { try String.fetchAll($0, sql: "SELECT text FROM note ORDER BY id") }
    }

    private func files() -> [String] { FolderListing.names(in: folder.path + "/new/folder") }

    @Test func missingFileIsMadeForItsUserAlone() throws {
        let database = try open()
        try add("one", to: database)
        #expect(try texts(in: database) == ["one"])
        #expect(FolderListing.mode(of: path) == 0o600)
        #expect(FolderListing.mode(of: path + "-wal") == 0o600)
        #expect(FolderListing.mode(of: folder.path + "/new/folder") == 0o700)
        #expect(FolderListing.mode(of: folder.path + "/new") == 0o700)
        #expect(warnings.texts.isEmpty)
    }

    @Test func fileUsesTheWriteAheadLog() throws {
        let database = try open()
        let mode = try database.readOnce { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
        let synchronous = try database.readOnce { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
        #expect(mode == "wal")
        #expect(synchronous == 1)
    }

    @Test func whatWasWrittenIsThereTheNextTime() throws {
        let first = try open()
        try add("one", to: first)
        first.close()
        #expect(try texts(in: open()) == ["one"])
    }

    @Test func fileWithARollbackJournalLeavesNothingBesideIt() throws {
        let database = try open(journal: .rollback)
        try add("one", to: database)
        #expect(try texts(in: database) == ["one"])
        #expect(try database.readOnce { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "delete")
        #expect(try database.readOnce { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 0)
        #expect(files() == ["notes.sqlite", "notes.sqlite.lock"])
    }

    /// As a kill in the middle of a transaction leaves both files: the page is overwritten, the journal is there.
    @Test func killedTransactionIsUndoneByItsJournal() throws {
        let killed = try open(journal: .rollback)
        try add("kept", to: killed)
        let left = folder.path + "/left.sqlite"
        try killed.write { database in
            try database.execute(sql: "PRAGMA cache_spill = 1; PRAGMA cache_size = 1")
            for _ in 0..<50 {
                try database.execute(
                    sql: "INSERT INTO note (text) VALUES (?)", arguments: [String(repeating: "x", count: 4_000)])
            }
            for part in ["", "-journal"] {
                try FileManager.default.copyItem(atPath: path + part, toPath: left + part)
            }
        }
        #expect(FolderListing.bytes(of: left).count > 100_000, "some of it is in the file")
        let database = try LocalDatabase(path: left, schema: Self.schema, journal: .rollback)
        #expect(try texts(in: database) == ["kept"])
    }

    @Test func writeThatThrowsLeavesNothingBehind() throws {
        let database = try open()
        #expect(throws: Stop.self) {
            try database.write { database in
                try database.execute(sql: "INSERT INTO note (text) VALUES ('half')")
                throw Stop()
            }
        }
        #expect(try texts(in: database) == [])
    }

    @Test func migrationRunsOnlyTheMissingSteps() throws {
        let old = try open()
        try add("kept", to: old)
        old.close()
        let steps = Self.schema.steps + ["ALTER TABLE note ADD COLUMN stars INTEGER NOT NULL DEFAULT 3"]
        let new = try open(schema: LocalDatabaseSchema(steps: steps))
        #expect(try new.readOnce { try Int.fetchAll($0, sql: "SELECT stars FROM note") } == [3])
        #expect(try texts(in: new) == ["kept"])
    }

    @Test func migrationThatFailsChangesNothing() throws {
        let old = try open()
        try add("kept", to: old)
        old.close()
        let steps = Self.schema.steps + ["CREATE TABLE other (id INTEGER); SELECT nonsense"]
        let error = #expect(throws: LocalDatabaseError.self) { try open(schema: LocalDatabaseSchema(steps: steps)) }
        #expect(error?.code == .statement)
        let again = try open()
        #expect(try texts(in: again) == ["kept"])
        #expect(try again.readOnce { try $0.tableExists("other") } == false)
    }

    @Test func newerFileIsRefusedAndLeftAlone() throws {
        let new = try open(schema: LocalDatabaseSchema(steps: Self.schema.steps + ["SELECT 1"]))
        try add("kept", to: new)
        let error = #expect(throws: LocalDatabaseError.self) { try open() }
        #expect(error?.code == .newer)
        #expect(error?.message.contains("found version 2, expected at most 1") == true)
        #expect(try texts(in: new) == ["kept"])
    }

    @Test(arguments: ["this is no database, and long enough to be read as one", "SQLite format 3\0garbage"])
    func fileThatIsNoDatabaseIsMovedAsideOnce(content: String) throws {
        try open().close()
        FolderListing.write(String(repeating: content, count: 200), to: path)
        let database = try open()
        try add("new", to: database)
        #expect(try texts(in: database) == ["new"])
        #expect(warnings.texts.count == 1)
        #expect(warnings.texts.first?.contains("notes.sqlite.damaged-1, and a new one was created") == true)
        #expect(files().contains("notes.sqlite.damaged-1"))
        database.close()
        FolderListing.write(String(repeating: content, count: 200), to: path)
        _ = try open()
        #expect(files().contains("notes.sqlite.damaged-2"))
    }

    @Test(arguments: ["x", String(repeating: "root:x:0:0:root:/root:/bin/bash", count: 200)])
    func fileThatTheUserNamedByASlipIsLeftAlone(content: String) throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/new/folder", withIntermediateDirectories: true)
        FolderListing.write(content, to: path)
        let error = #expect(throws: LocalDatabaseError.self) { try open(owner: .user) }
        #expect(error?.code == .foreign)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == content)
        #expect(files() == ["notes.sqlite"])
        #expect(warnings.texts.isEmpty)
    }

    @Test func damagedDatabaseIsReplacedUnderAnyName() throws {
        try fillAndTruncate()
        let database = try open(owner: .user)
        #expect(try texts(in: database) == [])
        #expect(files().contains("notes.sqlite.damaged-1"))
    }

    @Test(arguments: [LocalDatabase.Owner.program, .user])
    func databaseOfAnotherProgramIsLeftAlone(owner: LocalDatabase.Owner) throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/new/folder", withIntermediateDirectories: true)
        let other = try DatabaseQueue(path: path)
        try other.write { try $0.execute(sql: "CREATE TABLE bookmark (url TEXT)") }
        try other.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let error = #expect(throws: LocalDatabaseError.self) { try open(owner: owner) }
        #expect(error?.code == .foreign)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(files() == ["notes.sqlite"])
    }

    @Test func truncatedFileIsMovedAsideWhenItIsRead() throws {
        try fillAndTruncate()
        let database = try open()
        #expect(try texts(in: database) == [])
        try add("new", to: database)
        #expect(try texts(in: database) == ["new"])
        #expect(warnings.texts.count == 1)
        #expect(files().contains("notes.sqlite.damaged-1"))
    }

    @Test(arguments: [
        "user_version = 0; PRAGMA application_id = 0", "user_version = 0", "user_version = 7", "application_id = 0",
        "writable_schema = 1",
    ])
    func fileWhoseTablesAreNotThoseThatWereCreatedIsMovedAside(pragma: String) throws {
        try open().close()
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA \(pragma)")
            if pragma.hasPrefix("writable") {
                try database.execute(sql: "UPDATE sqlite_master SET sql = replace(sql, 'text TEXT', 'next TEXT')")
            }
        }
        try queue.close()
        #expect(try texts(in: open()) == [])
        #expect(warnings.texts.count == 1)
        #expect(files().contains("notes.sqlite.damaged-1"))
    }

    /// SQLite ends reading there, without a word.
    @Test(arguments: [40, 60, -10])
    func logThatWasChangedIsFound(place: Int) throws {
        try add("one", to: try open())
        let running = try open()
        for number in 0..<5 { try add("\(number)", to: running) }
        let files = try ["", "-wal"].map { ($0, try Data(contentsOf: URL(fileURLWithPath: path + $0))) }
        running.close()
        for (ending, data) in files {
            var data = data
            if ending == "-wal" { data[place < 0 ? data.endIndex + place : place] ^= 4 }
            try data.write(to: URL(fileURLWithPath: path + ending))
        }
        let database = try open()
        #expect(try texts(in: database) == [])
        #expect(warnings.texts.count == 1)
        #expect(warnings.texts.first?.contains("is damaged (its log was changed or cut off)") == true)
        #expect(FolderListing.bytes(of: path + ".damaged-1-wal").count == files[1].1.count)
    }

    @Test(arguments: [0, 1])
    func logOfAKilledProcessIsRead(rounds: Int) throws {
        let running = try open()
        for number in 0..<5 { try add("\(number)", to: running) }
        if rounds == 1 {
            // The log begins again, and what it had before lies behind its end.
            try running.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(RESTART)") }
            try add("5", to: running)
        }
        let files = try ["", "-wal", "-shm"].map { ($0, try Data(contentsOf: URL(fileURLWithPath: path + $0))) }
        running.close()
        for (ending, data) in files { try data.write(to: URL(fileURLWithPath: path + ending)) }
        #expect(try texts(in: open()) == (0..<5 + rounds).map(String.init))
        #expect(warnings.texts.isEmpty)
    }

    /// As a bit does that is lost in a page's header: SQLite reads on without a word.
    @Test func rowThatIsMissingFromItsPageIsFound() throws {
        let schema = LocalDatabaseSchema(
            steps: ["CREATE TABLE kept (key TEXT NOT NULL PRIMARY KEY, text, checksum INTEGER NOT NULL) WITHOUT ROWID"],
            recovering: ["kept"])
        let database = try open(schema: schema)
        try database.write { database in
            for number in 0..<9 { try database.insert(into: "kept", withChecksum: ["\(number)", "fox"]) }
        }
        database.close()
        // The number of cells on the second page.
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(bytes[4_096 + 4] == 9)
        bytes[4_096 + 4] = 6
        try bytes.write(to: URL(fileURLWithPath: path))
        let again = try open(schema: schema)
        #expect(try again.readOnce { try String.fetchAll($0, sql: "SELECT key FROM kept") } == (0..<6).map(String.init))
        #expect(warnings.texts.count == 1)
        #expect(warnings.texts.first?.hasSuffix("and a new one was created with its 6 intact rows") == true)
    }

    @Test func emptyFileIsANewDatabase() throws {
        try open().close()
        FolderListing.write("", to: path)
        #expect(try texts(in: open()) == [])
        #expect(warnings.texts.isEmpty)
    }

    @Test func fileReplacedByAnotherProcessIsOpenedAndNotMovedAside() throws {
        try fillAndTruncate()
        let first = try open()
        let second = try open()
        #expect(try texts(in: first) == [])
        try add("new", to: first)
        // The second still has the damaged file open.
        #expect(try texts(in: second) == ["new"])
        #expect(warnings.texts.count == 1)
        #expect(!files().contains("notes.sqlite.damaged-2"))
    }

    @Test func lockHeldLongerThanTheTimeoutIsAnError() throws {
        let holder = try open()
        let waiting = try open(busyTimeout: .milliseconds(20))
        try holder.write { _ in
            let error = #expect(throws: LocalDatabaseError.self) { try add("late", to: waiting) }
            #expect(error?.code == .locked)
        }
        try add("in time", to: waiting)
        #expect(try texts(in: holder) == ["in time"])
    }

    @Test func fullDiskIsAnErrorAndNothingIsLost() throws {
        let database = try open()
        try add("kept", to: database)
        try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 3") }
        let error = #expect(throws: LocalDatabaseError.self) {
            try add(String(repeating: "x", count: 100_000), to: database)
        }
        #expect(error?.code == .full)
        #expect(try texts(in: database) == ["kept"])
    }

    @Test func folderThatCannotBeMadeIsAnError() throws {
        let error = #expect(throws: LocalDatabaseError.self) {
            try LocalDatabase(path: "/proc/self/no/notes.sqlite", schema: Self.schema)
        }
        #expect(error.map { [.unavailable, .readOnly].contains($0.code) } == true)
        #expect(error?.message.contains("/proc/self/no") == true)
    }

    /// Whether the folder is there is asked after it could not be made, and must not become the reason.
    @Test func theReasonIsThatOfTheFolder() throws {
        let error = #expect(throws: LocalDatabaseError.self) {
            try LocalDatabase(path: "/sys/none/notes.sqlite", schema: Self.schema)
        }
        #expect(error?.message.contains("could not create the folder /sys/none") == true)
        #expect(error?.message.contains("No such file or directory") == false)
    }

    @Test func folderInPlaceOfTheFileIsAnError() throws {
        #expect(mkdir(folder.path + "/taken", 0o700) == 0)
        let error = #expect(throws: LocalDatabaseError.self) {
            try LocalDatabase(path: folder.path + "/taken", schema: Self.schema)
        }
        #expect(error?.code == .unavailable)
    }

    @Test(arguments: ["", "-wal", "-shm", "-journal", ".lock"])
    func linkIsRefusedAndNotFollowed(ending: String) throws {
        let (path, target) = ("\(folder.path)/notes.sqlite", "\(folder.path)/target")
        try FileManager.default.createSymbolicLink(atPath: path + ending, withDestinationPath: target)
        let error = #expect(throws: LocalDatabaseError.self) { try LocalDatabase(path: path, schema: Self.schema) }
        #expect(error?.code == .link)
        #expect(error?.message.hasPrefix("\(path)\(ending) is a symbolic link, which is not followed") == true)
        #expect(!FileManager.default.fileExists(atPath: target))
    }

    @Test func linkThatTheUserNamesLeadsToHisFile() throws {
        let (path, target) = ("\(folder.path)/link.sqlite", "\(folder.path)/notes.sqlite")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        #expect(throws: LocalDatabaseError.self) { try LocalDatabase(path: path, schema: Self.schema, owner: .user) }
        _ = try LocalDatabase(path: target, schema: Self.schema)
        let database = try LocalDatabase(path: path, schema: Self.schema, owner: .user)
        #expect(database.path.hasSuffix("/notes.sqlite"))
    }

    @Test func checksumIsOfEachValueAndItsPlace() throws {
        let schema = LocalDatabaseSchema(steps: ["CREATE TABLE t (a, b, c, d, checksum INTEGER NOT NULL)"])
        let database = try LocalDatabase(path: folder.path + "/checked.sqlite", schema: schema)
        let values: [(any DatabaseValueConvertible)?] = ["12", 3, 2.5, nil]
        for change in [
            "a = '1', b = 23", "a = 12", "a = x'3132'", "b = 2", "b = 3.0", "c = NULL", "d = ''", "a = b, b = a",
            "checksum = checksum + 1", "checksum = 'x'",
        ] {
            try database.write { database in
                try database.execute(sql: "DELETE FROM t")
                try database.insert(into: "t", withChecksum: values)
                #expect(try Row.fetchOne(database, sql: "SELECT * FROM t")?.hasRightChecksum == true)
                try database.execute(sql: "UPDATE t SET \(change)")
                #expect(try Row.fetchOne(database, sql: "SELECT * FROM t")?.hasRightChecksum == false, "\(change)")
            }
        }
    }

    @Test func checksumDoesNotDependOnThePieces() {
        let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        for size in [1, 3, 31, 32, 33, 64, 999] {
            var checksum = Checksum()
            for start in stride(from: 0, to: bytes.count, by: size) {
                bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { checksum.update($0) }
            }
            #expect(checksum.value == Checksum.of(bytes))
        }
        #expect(Checksum.of(Array("123456789".utf8)) == 0xcbf4_3926)  // the check value of CRC-32
    }

    @Test func mistakeOfTheCallerIsNoDamage() throws {
        let database = try open()
        let error = #expect(throws: LocalDatabaseError.self) {
            try database.write { try $0.execute(sql: "INSERT INTO nowhere VALUES (1)") }
        }
        #expect(error?.code == .statement)
        #expect(warnings.texts.isEmpty)
    }

    @Test func closedDatabaseSaysSo() throws {
        let database = try open()
        database.close()
        let error = #expect(throws: LocalDatabaseError.self) { try texts(in: database) }
        #expect(error?.code == .unavailable)
    }

    @Test func manyOpenTheSameNewFileAtOnce() async throws {
        let path = path
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let database = try LocalDatabase(path: path, schema: Self.schema, busyTimeout: .seconds(20))
                    for _ in 0..<20 {
                        try database.write {
                            try $0.execute(sql: "INSERT INTO note (text) VALUES (?)", arguments: [number])
                        }
                    }
                    return 20
                }
            }
            return try await group.reduce(0, +)
        }
        let stored = try open().readOnce { try Int.fetchOne($0, sql: "SELECT count(*) FROM note") }
        #expect(stored == counts)
        #expect(warnings.texts.isEmpty)
    }

    /// A file of many pages that ends in the middle, whose first page is good.
    private func fillAndTruncate() throws {
        let database = try open()
        try database.write { database in
            for _ in 0..<500 {
                try database.execute(
                    sql: "INSERT INTO note (text) VALUES (?)", arguments: [String(repeating: "x", count: 500)])
            }
        }
        database.close()
        #expect(truncate(path, 8_192) == 0)
    }
}

private struct Stop: Error {}

private final class Warnings: Sendable {
    private let kept = Mutex<[String]>([])

    var texts: [String] { kept.withLock { $0 } }

    func add(_ text: String) { kept.withLock { $0.append(text) } }
}
