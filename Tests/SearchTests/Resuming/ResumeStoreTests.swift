import Foundation
import LocalDatabase
import ProviderModel
import Synchronization
import TestSupport
import Testing

@testable import Search

@Suite("Resume points are kept in a database")
struct ResumeStoreTests {
    private let folder = TemporaryFolder()
    private let key = ResumeKey(.search("red fox"), providers: ["b", "a"], options: SearchOptions())

    private var path: String { "\(folder.path)/state/resume.sqlite" }

    private var store: SQLiteResumeStore { SQLiteResumeStore(path: path) }

    private var state: ResumeState {
        var finished = ResumeProgress()
        finished.handOut("1")
        finished.complete(completedPage(cursor: nil, isLast: true))
        finished.total = 1
        var unfinished = ResumeProgress()
        unfinished.handOut("a \"quoted\" \"id\"\n\u{1}é\u{1F600}")
        unfinished.complete(completedPage(cursor: #"{"after":"x\"y","n":[1,2.5,null,true]}"#))
        unfinished.handOut("2")
        unfinished.skip("3")
        unfinished.revision = "abc"
        return ResumeState(providers: ["a": unfinished, "b": finished, "c": ResumeProgress()])
    }

    private let items = [
        "a": SeenItems(ids: ["a \"quoted\" \"id\"\n\u{1}é\u{1F600}", "2", "3"], pages: ["https://pages.example/1"]),
        "b": SeenItems(ids: ["1"]),
    ]

    /// What is to be loaded: a state with all items in place of the last ones.
    private func restored(_ state: ResumeState, _ items: [String: SeenItems]) -> ResumeState {
        var state = state
        for (name, progress) in state.providers {
            state.providers[name] = progress.restoring(items[name] ?? SeenItems())
        }
        return state
    }

    private func completedPage(cursor: String?, isLast: Bool = false) -> ResumeProgress.CompletedPage {
        let position = ResumeProgress.Position(page: 7, offset: 120, cursor: cursor, pageSize: 20)
        return ResumeProgress.CompletedPage(next: position, isLast: isLast)
    }

    @Test func whatIsSavedIsLoaded() throws {
        try store.save(state, passing: items, for: key, replacing: true)
        #expect(try store.load(key) == restored(state, items))
    }

    @Test func laterStateTakesThePlaceOfTheEarlierProviderByProvider() throws {
        let store = store
        var (state, seen) = (state, items)
        try store.save(state, passing: items, for: key, replacing: true)
        for number in 1...5 {
            state.providers["a"]?.handOut("\(number)")
            seen["a"]?.ids.append("\(number)")
            let changed = ResumeState(providers: state.providers.filter { $0.key == "a" })
            try store.save(changed, passing: ["a": SeenItems(ids: ["\(number)"])], for: key, replacing: false)
            #expect(try self.store.load(key) == restored(state, seen))
        }
        try store.save(ResumeState(providers: ["c": ResumeProgress()]), passing: [:], for: key, replacing: true)
        #expect(try store.load(key) == ResumeState(providers: ["c": ResumeProgress()]))
    }

    @Test func fileIsForTheUserAlone() throws {
        try store.save(state, passing: items, for: key, replacing: true)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func nothingIsLoadedWhereNothingWasSaved() throws {
        #expect(try store.load(key) == nil)
        try store.save(state, passing: items, for: key, replacing: true)
        let other = ResumeKey(.search("blue fox"), providers: ["a", "b"], options: SearchOptions())
        #expect(try store.load(other) == nil)
    }

    @Test(arguments: [
        "UPDATE resume_point SET progress = replace(progress, '120', '121') WHERE provider = 'a'",
        "UPDATE resume_point SET provider = 'd' WHERE provider = 'a'",
        "UPDATE resume_point SET checksum = 0", "UPDATE resume_point SET item_rows = 7",
        "UPDATE resume_items SET items = replace(items, '2', '4') WHERE provider = 'a'", "DELETE FROM resume_items",
        "DELETE FROM resume_point WHERE provider = 'a'", "UPDATE resume_items SET number = 1 WHERE provider = 'b'",
    ])
    func changedRowIsReportedAndTheListingStartsFromTheBeginning(_ change: String) throws {
        let store = store
        try store.save(state, passing: items, for: key, replacing: true)
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: change) }
        let error = #expect(throws: ResumeError.self) { try store.load(key) }
        #expect(error?.code == .damaged)
        #expect(try store.load(key) == nil)
    }

    /// Whatever happens to the file, a listing goes on where it stopped, or from the beginning.
    @Test(arguments: [false, true])
    func damagedFileGivesNoWrongPlace(wasKilled: Bool) throws {
        let keys = (0..<8).map {
            ResumeKey(.search("fox \($0)"), providers: ["a", "b", "c"], options: SearchOptions())
        }
        for key in keys.dropLast(2) { try store.save(state, passing: items, for: key, replacing: true) }
        var running: SQLiteResumeStore? = store
        for key in keys.suffix(2) { try running?.save(state, passing: items, for: key, replacing: true) }
        let whole = restored(state, items)
        let killed = DatabaseFiles(path)
        running = nil
        let files = wasKilled ? killed : DatabaseFiles(path)
        #expect(files.endings == (wasKilled ? ["", "-wal", "-shm"] : [""]))
        var generator = SeededGenerator(seed: 5)
        for round in 0..<Damage.rounds {
            try files.write(damagedBy: &generator)
            let warnings = Mutex<[String]>([])
            let store = SQLiteResumeStore(path: path, warning: { text in warnings.withLock { $0.append(text) } })
            var isReported = false
            for key in keys {
                do {
                    let found = try store.load(key)
                    try #require(found != nil || isReported || !warnings.withLock(\.isEmpty), "round \(round)")
                    // A provider that is gone starts from the beginning, which is said.
                    for (name, progress) in found?.providers ?? [:] {
                        try #require(progress == whole.providers[name], "round \(round): \(name) \(progress)")
                    }
                } catch is ResumeError { isReported = true }
            }
            #expect(warnings.withLock(\.count) <= 1, "round \(round): \(warnings.withLock(\.self))")
        }
    }

    @Test func damagedFileIsPutAsideWithAWarning() throws {
        try store.save(state, passing: items, for: key, replacing: true)
        try Data(repeating: 7, count: 10_000).write(to: URL(fileURLWithPath: path))
        let warnings = Mutex<[String]>([])
        let store = SQLiteResumeStore(path: path, warning: { text in warnings.withLock { $0.append(text) } })
        #expect(try store.load(key) == nil)
        #expect(warnings.withLock { $0.count } == 1)
        try store.save(state, passing: items, for: key, replacing: true)
        #expect(try store.load(key) == restored(state, items))
    }

    @Test func folderThatCannotBeWrittenIsReported() throws {
        try Data().write(to: URL(fileURLWithPath: "\(folder.path)/state"))
        let error = #expect(throws: ResumeError.self) {
            try store.save(state, passing: items, for: key, replacing: true)
        }
        #expect(error?.code == .unavailable)
    }
}
