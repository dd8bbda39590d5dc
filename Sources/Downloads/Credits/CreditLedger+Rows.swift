import Foundation
import LocalDatabase
import ProviderModel

/// The rows of the list, one for each file.
extension CreditLedger {
    /// The credits that the list does not have, or not as they are now.
    ///
    /// Who named an image by its id has nothing to say about whose it is: what the source said when it was fetched stays.
    static func news(
        in credits: [MediaKey: (credit: Credit, path: String)], for database: Database
    ) throws -> [MediaKey: (credit: Credit, path: String)] {
        guard !credits.isEmpty else { return credits }
        var keys = JSONWriter()
        keys.array(credits.keys) { $0.value($1.description) }
        let statement = try database.cachedStatement(
            sql: """
                SELECT files.key, files.path, credit
                FROM json_each(?) AS wanted CROSS JOIN files ON files.key = wanted.value
                """
        )
        var news = credits
        let rows = try Row.fetchCursor(statement, arguments: [keys.text])
        while let row = try rows.next() {
            let key = MediaKey(stored: row[0])
            // Where a killed run's file came to lie may not be known.
            let (place, kept): (String?, Data) = (row[1], row[2])
            guard let (credit, path) = news[key], place == path else { continue }
            if credit.isOfNameOnly || kept.elementsEqual(credit.kept.bytes) { news[key] = nil }
        }
        return news
    }

    static func write(_ notes: CreditNotes, _ seen: Int, to database: Database) throws {
        try insert(notes.rows, seen: seen, into: database)
        let placing = try database.cachedStatement(sql: "UPDATE OR REPLACE files SET path = ?, seen = ? WHERE key = ?")
        for (key, path) in notes.paths {
            try placing.execute(arguments: [path, seen, key.description])
        }
        // The archive says of some of these where they were put, which is not that they are still there.
        var rows: [CreditRow] = []
        for (key, entry) in notes.present {
            if entry.credit.isOfNameOnly {
                try placing.execute(arguments: [entry.path, nil, key.description])
                if database.changesCount > 0 { continue }
            }
            rows.append(CreditRow(key, entry.credit.kept, at: entry.path))
        }
        try insert(rows, seen: nil, into: database)
    }

    static func insert(_ rows: [CreditRow], seen: Int?, into database: Database) throws {
        let whole = rows.count - rows.count % group
        let groups = stride(from: 0, to: whole, by: group).map { rows[$0..<$0 + group] }
        for (insertion, groups) in [(groupInsertion, groups), (insertion, rows[whole...].map { [$0][...] })] {
            try database.run(insertion, for: groups) { rows, statement in
                for row in rows {
                    statement.bind(row.key.description)
                    statement.bind(row.path)
                    statement.bind(row.planned)
                    statement.bind(row.credit.bytes)
                    statement.bind(row.path == nil ? nil : seen)
                }
            }
        }
    }

    /// Whether the list knows of a file where it lies.
    static func isPlaced(_ key: MediaKey, in database: Database) throws -> Bool {
        let sql = "SELECT 1 FROM files WHERE key = ? AND path IS NOT NULL"
        return try Bool.fetchOne(database, sql: sql, arguments: [key.description]) ?? false
    }

    /// Whatever was noted of the files of credits is of an older list.
    static func forgetWritten(in database: Database) throws { try database.execute(sql: "DELETE FROM written") }

    /// How many rows are inserted at a time: beginning and ending a statement costs a fifth of inserting a row.
    private static let group = 32
    private static let groupInsertion = insertion(of: group)
    private static let insertion = insertion(of: 1)

    private static func insertion(of count: Int) -> String {
        let rows = Array(repeating: "(?, ?, ?, ?, ?)", count: count).joined(separator: ", ")
        return "INSERT OR REPLACE INTO files (key, path, planned, credit, seen) VALUES \(rows)"
    }
}
