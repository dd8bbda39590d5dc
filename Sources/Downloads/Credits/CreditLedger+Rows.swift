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
                SELECT files.key, files.path, line, page, notice
                FROM json_each(?) AS wanted CROSS JOIN files ON files.key = wanted.value
                """
        )
        var news = credits
        let rows = try Row.fetchCursor(statement, arguments: [keys.text])
        while let row = try rows.next() {
            let key = MediaKey(stored: row[0])
            // Where a killed run's file came to lie may not be known.
            let (place, line, page, notice): (String?, String?, String?, String?) = (row[1], row[2], row[3], row[4])
            guard let (credit, path) = news[key], place == path else { continue }
            let isSame = line == credit.line && page == credit.page && notice == credit.notice
            if isSame || credit.isOfNameOnly { news[key] = nil }
        }
        return news
    }

    static func write(_ notes: CreditNotes, to database: Database) throws {
        try insert(notes.rows, into: database)
        let placing = try database.cachedStatement(sql: "UPDATE OR REPLACE files SET path = ? WHERE key = ?")
        for (key, path) in notes.paths {
            try placing.execute(arguments: [path, key.description])
        }
        var rows: [[String?]] = []
        for (key, entry) in notes.present {
            if entry.credit.isOfNameOnly {
                try placing.execute(arguments: [entry.path, key.description])
                if database.changesCount > 0 { continue }
            }
            rows.append(entry.credit.row(key, at: entry.path))
        }
        try insert(rows, into: database)
    }

    static func insert(_ rows: [[String?]], into database: Database) throws {
        let whole = rows.count - rows.count % group
        let groups = stride(from: 0, to: whole, by: group).map { rows[$0..<$0 + group] }
        for (insertion, groups) in [(groupInsertion, groups), (insertion, rows[whole...].map { [$0][...] })] {
            try database.run(insertion, for: groups) { rows, statement in
                for values in rows {
                    for value in values { statement.bind(value) }
                }
            }
        }
    }

    /// A journal's row with all columns; nil for one that broke off.
    ///
    /// Journals from before there were notices have none.
    static func wholeRow(_ values: [String?]) -> [String?]? {
        let count = Credit.columns.count + 4
        return values.count == count - 1 ? values + [nil] : values.count == count ? values : nil
    }

    static let isPlaced = "SELECT 1 FROM files WHERE key = ? AND path IS NOT NULL"

    /// How many rows are inserted at a time: beginning and ending a statement costs a fifth of inserting a row.
    private static let group = 32
    private static let groupInsertion = insertion(of: group)
    private static let insertion = insertion(of: 1)

    private static func insertion(of count: Int) -> String {
        let columns = ["key", "path", "planned", "other"] + Credit.columns
        let row = "(" + columns.map { _ in "?" }.joined(separator: ", ") + ")"
        let rows = Array(repeating: row, count: count).joined(separator: ", ")
        return "INSERT OR REPLACE INTO files (\(columns.joined(separator: ", "))) VALUES \(rows)"
    }
}
