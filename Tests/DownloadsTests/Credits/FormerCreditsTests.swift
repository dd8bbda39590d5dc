import Foundation
import LocalDatabase
import TestSupport
import Testing

@testable import Downloads

/// Lists and journals of credits as former versions kept them.
@Suite struct FormerCreditsTests {
    private let folder = TemporaryFolder()

    private func place(_ name: String) throws {
        try Data(ImageBytes.jpeg()).write(to: URL(fileURLWithPath: "\(folder.path)/\(name)"))
    }

    private func credits() throws -> String {
        try CreditLedger(folder: DownloadFolder(path: folder.path), formats: [.json]).finish(isComplete: true)
        return try String(contentsOfFile: folder.path + "/credits.json", encoding: .utf8)
    }

    @Test func listInColumnsIsGoneOnWith() throws {
        for name in ["1.jpg", "2.jpg", "3.jpg"] { try place(name) }
        let former = LocalDatabaseSchema(steps: Array(CreditLedger.schema.steps[..<3]))
        let database = try LocalDatabase(path: folder.path + "/.imgscript/credits.sqlite", schema: former)
        try database.write { database in
            try database.execute(
                sql: """
                    INSERT INTO files VALUES ('a:1:original', '1.jpg', NULL, NULL, 'a', '1', 'One' || char(31) || '!',
                        'Ann', 'https://a.example/ann', 'A', 'https://a.example/1', 'cc-by-4.0', 'CC BY 4.0',
                        'https://creativecommons.org/licenses/by/4.0/', 'Photo by Ann', 'Thanks to A');
                    INSERT INTO files (key, path, source, page, line)
                        VALUES ('url:https://b.example/2.jpg', '2.jpg', 'b.example', 'https://b.example/2.jpg', 'via b');
                    INSERT INTO files (key, planned, source, page, line)
                        VALUES ('url:https://b.example/3.jpg', '3.jpg', 'b.example', 'https://b.example/3.jpg', 'via b');
                    INSERT INTO written VALUES ('credits.json', 'as it was');
                    """
            )
        }
        database.close()
        #expect(
            try credits() == """
                {"generator":"imgscript","credits":[
                {"path":"1.jpg","provider":"a","id":"1","title":"One !",\
                "author":{"name":"Ann","url":"https://a.example/ann"},\
                "source":{"name":"A","url":"https://a.example/1"},\
                "license":{"id":"cc-by-4.0","name":"CC BY 4.0","url":"https://creativecommons.org/licenses/by/4.0/"},\
                "attribution":"Photo by Ann"},
                {"path":"2.jpg","source":{"name":"b.example","url":"https://b.example/2.jpg"},"attribution":"via b"},
                {"path":"3.jpg","source":{"name":"b.example","url":"https://b.example/3.jpg"},"attribution":"via b"}
                ],
                "notices":["Thanks to A"]}

                """)
    }

    @Test func journalOfLinesOutlivesAKill() throws {
        try place("1.jpg")
        try FileManager.default.createDirectory(atPath: folder.path + "/.imgscript", withIntermediateDirectories: true)
        let lines = """
            ["a:1:original",null,"1.jpg",null,"a","1","One",null,null,"A","https://a.example/1",null,null,null,"via A",null]
            ["a:2:original",null,"2.jpg",null,"a","2","Tw
            """
        try Data(lines.utf8).write(to: URL(fileURLWithPath: folder.path + "/.imgscript/credits.journal-1"))
        #expect(
            try credits().contains(
                """
                {"path":"1.jpg","provider":"a","id":"1","title":"One","source":{"name":"A","url":"https://a.example/1"},\
                "attribution":"via A"}
                """))
    }

    /// A new file is made at once as one that was brought up step by step.
    @Test(arguments: [CreditLedger.schema, DownloadArchive.schema])
    func newFileIsAsOneThatWentThroughAllSteps(_ schema: LocalDatabaseSchema) throws {
        let whole = try shape(of: LocalDatabase(path: folder.path + "/whole.sqlite", schema: schema))
        let steps = LocalDatabaseSchema(steps: schema.steps)
        #expect(try shape(of: LocalDatabase(path: folder.path + "/steps.sqlite", schema: steps)) == whole)
        #expect(schema.whole != nil && !whole.isEmpty)
    }

    /// What tables have which columns and indexes.
    private func shape(of database: LocalDatabase) throws -> [String] {
        try database.read { database in
            let columns = """
                SELECT m.name || ' ' || c.name || ' ' || c.type || ' ' || c."notnull" || ' ' || c.pk
                FROM sqlite_master AS m JOIN pragma_table_xinfo(m.name) AS c WHERE m.type = 'table' ORDER BY 1
                """
            let rest = """
                SELECT type || ' ' || name || ' ' || CASE type WHEN 'table' THEN '' ELSE coalesce(sql, '') END
                FROM sqlite_master ORDER BY 1
                """
            return try String.fetchAll(database, sql: columns) + String.fetchAll(database, sql: rest)
        }
    }
}
