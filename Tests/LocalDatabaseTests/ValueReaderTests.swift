import LocalDatabase
import TestSupport
import Testing

@Suite struct ValueReaderTests {
    private let folder = TemporaryFolder()

    private static let table = "CREATE TABLE note (name TEXT, bytes BLOB, number INTEGER)"

    private func open() throws -> LocalDatabase {
        try LocalDatabase(path: folder.path + "/notes.sqlite", schema: LocalDatabaseSchema(steps: [Self.table]))
    }

    private func add(_ rows: [(String?, [UInt8]?, Int)], to database: LocalDatabase) throws {
        try database.write { database in
            try database.run("INSERT INTO note (name, bytes, number) VALUES (?, ?, ?)", for: rows) { values, row in
                row.bind(values.0)
                row.bind(values.1)
                row.bind(values.2)
            }
        }
    }

    @Test func valuesAreReadAsTheyWereGiven() throws {
        let database = try open()
        let long = Array(repeating: 7 as UInt8, count: 5_000)
        try add([("a b “ü”", [0, 255, 0], .max), ("", [], -1), (nil, nil, 0), ("\0x", long, 1)], to: database)
        var (texts, blobs, numbers): ([String], [[UInt8]], [Int]) = ([], [], [])
        try database.read { database in
            try database.forEachRow(of: "SELECT name, bytes, number FROM note ORDER BY rowid") { row in
                texts.append(row.text(0))
                blobs.append(row.bytes(1))
                numbers.append(row.number(2))
            }
        }
        #expect(texts == ["a b “ü”", "", "", "\0x"])
        #expect(blobs == [[0, 255, 0], [], [], long])
        #expect(numbers == [.max, -1, 0, 1])
    }

    @Test(arguments: [("fox", "fox", true), ("fox", "foxes", false), ("fox", "Fox", false), ("", "", true)])
    func textIsComparedWhereItLies(kept: String, asked: String, isSame: Bool) throws {
        let database = try open()
        try add([(kept, nil, 0), (nil, nil, 1)], to: database)
        var found: [Bool] = []
        try database.read { database in
            try database.forEachRow(of: "SELECT name FROM note ORDER BY number") { row in
                found += [row.has(asked, 0), row.has(nil, 0)]
            }
        }
        #expect(found == [isSame, false, false, true])
    }

    @Test func blobIsComparedWhereItLies() throws {
        let database = try open()
        try add([(nil, [0, 1, 255], 0), (nil, nil, 1)], to: database)
        var found: [Bool] = []
        try database.read { database in
            try database.forEachRow(of: "SELECT bytes FROM note ORDER BY number") { row in
                found += [row.has([0, 1, 255], 0), row.has([0, 1], 0), row.has([0, 1, 254], 0), row.has([], 0)]
            }
        }
        #expect(found == [true, false, false, false, false, false, false, true])
    }

    @Test func rowsAreThoseOfTheValues() throws {
        let database = try open()
        try add((1...5).map { ("\($0)", nil, $0) }, to: database)
        // The statement is kept, and is to forget what it was asked before.
        for least in [4, 2, 6] {
            var found: [Int] = []
            try database.readOnce { database in
                try database.forEachRow(
                    of: "SELECT number FROM note WHERE number >= ? ORDER BY number", values: { $0.bind(least) }
                ) { found.append($0.number(0)) }
            }
            #expect(found == Array(least..<max(6, least)))
        }
    }

    @Test func whatEndsTheReadingLeavesTheStatementReady() throws {
        struct Enough: Error {}
        let database = try open()
        try add((1...3).map { (nil, nil, $0) }, to: database)
        for _ in 0..<2 {
            var found: [Int] = []
            #expect(throws: Enough.self) {
                try database.readOnce { database in
                    try database.forEachRow(of: "SELECT number FROM note ORDER BY number") { row in
                        found.append(row.number(0))
                        if found.count == 2 { throw Enough() }
                    }
                }
            }
            #expect(found == [1, 2])
        }
    }

    @Test(arguments: ["SELECT nothing FROM note", "SELECT abs(-9223372036854775808)", "SELECT ?"])
    func whatCannotBeReadIsAnError(sql: String) throws {
        let database = try open()
        let error = #expect(throws: LocalDatabaseError.self) {
            try database.readOnce { database in
                try database.forEachRow(
                    of: sql,
                    values: { values in
                        values.bind(1)
                        values.bind(2)
                    }
                ) { _ in }
            }
        }
        #expect(error?.code == .statement)
    }
}
