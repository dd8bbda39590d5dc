import Foundation
import LocalDatabase
import TestSupport
import Testing

@testable import Downloads

/// A ledger that is let go of without an end is what a killed process leaves.
@Suite struct CreditJournalTests {
    private let folder = TemporaryFolder()

    private func ledger() throws -> CreditLedger {
        try CreditLedger(folder: DownloadFolder(path: folder.path), formats: [.json])
    }

    /// Says that a file is about to get its name, and where `isThere`, gives it to it.
    private func announce(_ id: String, to ledger: CreditLedger, isThere: Bool = true) throws {
        let planned = try DownloadPlanner().plan(ItemSource("https://a.example").requests([id])[0])
        try ledger.announce(planned, from: planned.media, at: ["\(id).jpg"])
        guard isThere else { return }
        try Data(ImageBytes.jpeg()).write(to: URL(fileURLWithPath: "\(folder.path)/\(id).jpg"))
    }

    private func database() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        return try DatabaseQueue(path: folder.path + "/.imgscript/credits.sqlite", configuration: configuration)
    }

    private var journals: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder.path + "/.imgscript")
                .filter { $0.contains("journal-") }
        }
    }

    /// Whether credits.json names an image.
    private func isCredited(_ id: String) throws -> Bool {
        try String(contentsOfFile: folder.path + "/credits.json", encoding: .utf8).contains("\"\(id).jpg\"")
    }

    @Test func whatIsAnnouncedWhileNotesAreWrittenOutlivesAKill() async throws {
        var last = 1
        do {
            let killed = try ledger()
            try announce("1", to: killed)
            let other = try database()
            try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
            async let writing: Void = Task.detached { try killed.write() }.value
            // As soon as the writer has its notes, what is announced goes elsewhere.
            while try journals.count == 1, last < 20_000 {
                last += 1
                try announce("\(last)", to: killed, isThere: false)
            }
            last += 1
            try announce("\(last)", to: killed)
            try await other.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
            try await writing
        }
        try ledger().finish(isComplete: true)
        #expect(try isCredited("1"))
        #expect(try isCredited("\(last)"))
        #expect(try journals.isEmpty)
    }

    /// Another file had the name, so that this one came to lie beside it.
    @Test func fileBesideAnotherThatAKilledRunAnnouncedIsCredited() throws {
        let key = try DownloadPlanner().plan(ItemSource("https://a.example").requests(["1"])[0]).key
        let name = PlannedName(stem: "1").distinct(for: key).fileName(ending: "jpg")
        do {
            try announce("1", to: try ledger(), isThere: false)
            try Data(ImageBytes.jpeg()).write(to: URL(fileURLWithPath: "\(folder.path)/\(name)"))
        }
        try ledger().finish(isComplete: true)
        #expect(name != "1.jpg")
        #expect(try String(contentsOfFile: folder.path + "/credits.json", encoding: .utf8).contains("\"\(name)\""))
    }

    @Test func notesThatCouldNotBeWrittenWaitForTheNextTime() throws {
        let ledger = try ledger()
        try announce("1", to: ledger)
        let other = try database()
        try other.write {
            try $0.execute(
                sql: "CREATE TRIGGER refusal BEFORE INSERT ON files BEGIN SELECT RAISE(ABORT, 'not now'); END")
        }
        #expect(throws: DownloadError.self) { try ledger.write() }
        try announce("2", to: ledger)
        try other.write { try $0.execute(sql: "DROP TRIGGER refusal") }
        try ledger.finish(isComplete: true)
        #expect(try isCredited("1"))
        #expect(try isCredited("2"))
        #expect(try journals.isEmpty)
    }

    /// Some file systems cannot have a file lie in memory.
    @Test(arguments: [true, false]) func journalThatIsLetGoOfKeepsItsRows(isMapped: Bool) throws {
        let folder = try DownloadFolder(path: folder.path)
        func taken() throws -> [CreditRow] {
            var taken: [CreditRow] = []
            try CreditJournal.takeOver(folder) { taken += $0 }
            return taken
        }
        // Longer than what is made room for at a time.
        var notes = CreditNotes()
        let records = (1...800).map { number in
            notes.announce(MediaKey(stored: "\(number)"), plannedAt: "\(number).jpg") { credit in
                credit.add(String(repeating: "x", count: number))
            }
            return notes.lastRecord
        }
        let rows = Array(notes.rows)
        do {
            let journal = try CreditJournal(in: folder.folder([".imgscript"]), isMapped: isMapped)
            for record in records { try journal.add(record) }
            #expect(try taken().isEmpty, "it is somebody's as long as there is somebody")
            #expect(try journals.count == 1)
        }
        #expect(try taken() == rows)
        do {
            let journal = try CreditJournal(in: folder.folder([".imgscript"]), isMapped: isMapped)
            for record in records { try journal.add(record) }
            try journal.clear()
            try journal.add(records[0])
        }
        #expect(try taken() == [rows[0]])
        do { try CreditJournal(in: folder.folder([".imgscript"]), isMapped: isMapped).clear() }
        #expect(try journals.isEmpty, "one that holds nothing is of no use")
    }
}
