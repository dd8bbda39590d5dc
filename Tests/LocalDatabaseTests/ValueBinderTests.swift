import Foundation
import LocalDatabase
import TestSupport
import Testing

@Suite struct ValueBinderTests {
    private let folder = TemporaryFolder()

    private struct Note: Equatable {
        var name: String
        var bytes: [UInt8]
        var number: Int
    }

    private static let insertion = "INSERT INTO note (name, bytes, number) VALUES (?, ?, ?)"

    private func open() throws -> LocalDatabase {
        let table = "CREATE TABLE note (name TEXT NOT NULL PRIMARY KEY, bytes BLOB NOT NULL, number INTEGER NOT NULL)"
        return try LocalDatabase(path: folder.path + "/notes.sqlite", schema: LocalDatabaseSchema(steps: [table]))
    }

    private func add(_ notes: [Note], to database: LocalDatabase) throws {
        try database.write { database in
            try database.run(Self.insertion, for: notes) { note, row in
                row.bind(note.name)
                row.bind(note.bytes)
                row.bind(note.number)
            }
        }
    }

    private func notes(in database: LocalDatabase) throws -> [Note] {
        try database.read { database in
            try Row.fetchAll(database, sql: "SELECT name, bytes, number FROM note ORDER BY rowid").map { row in
                let bytes: Data = row[1]
                return Note(name: row[0], bytes: Array(bytes), number: row[2])
            }
        }
    }

    @Test func rowsAreStoredAsTheyAreGiven() throws {
        let database = try open()
        let given = [
            Note(name: "one", bytes: [0, 255, 0], number: .max), Note(name: "", bytes: [], number: -1),
            Note(name: "a b “ü”", bytes: Array(repeating: 7, count: 5_000), number: 0),
        ]
        try add(given, to: database)
        #expect(try notes(in: database) == given)
    }

    /// Whatever has been given stays where it is until the row is written, however much of it there is.
    @Test func rowsOfEveryLengthAreStoredAsTheyAreGiven() throws {
        let database = try open()
        let given = (0..<200).map { number in
            let length = [0, 1, 16_383, 16_384, 16_385, 70_000, 3][number % 7]
            return Note(
                name: "\(number) " + String(repeating: "n", count: length),
                bytes: Array(repeating: UInt8(number), count: length), number: number)
        }
        try database.write { database in
            let rows = Array(repeating: "(?, ?, ?)", count: 4).joined(separator: ", ")
            let groups = stride(from: 0, to: given.count, by: 4).map { given[$0..<$0 + 4] }
            try database.run("INSERT INTO note (name, bytes, number) VALUES \(rows)", for: groups) { notes, row in
                for note in notes {
                    row.bind(note.name)
                    row.bind(note.bytes[...])
                    row.bind(note.number)
                }
            }
        }
        #expect(try notes(in: database) == given)
    }

    @Test func valueThatIsMissingIsNoneOfTheRowBefore() throws {
        let database = try open()
        try database.write { database in
            try database.execute(sql: "CREATE TABLE word (text TEXT)")
            try database.run("INSERT INTO word (text) VALUES (?)", for: ["one", nil, ""]) { $1.bind($0) }
        }
        #expect(
            try database.read { try Optional<String>.fetchAll($0, sql: "SELECT text FROM word ORDER BY rowid") }
                == ["one", nil, ""])
    }

    @Test func rowThatIsRefusedUndoesTheOthers() throws {
        let database = try open()
        let twice = Note(name: "one", bytes: [1], number: 1)
        let error = #expect(throws: LocalDatabaseError.self) { try add([twice, twice], to: database) }
        #expect(error?.code == .statement)
        #expect(error?.message.contains("UNIQUE") == true)
        #expect(try notes(in: database).isEmpty)
        try add([twice], to: database)
        #expect(try notes(in: database) == [twice])
    }

    @Test func valueTooManyIsAnError() throws {
        let database = try open()
        let error = #expect(throws: LocalDatabaseError.self) {
            try database.write { database in
                try database.run("INSERT INTO note VALUES (?, x'00', 0)", for: ["one"]) { name, row in
                    row.bind(name)
                    row.bind(1)
                }
            }
        }
        #expect(error?.code == .statement)
    }
}
