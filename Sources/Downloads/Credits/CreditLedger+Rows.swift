import LocalDatabase
import ProviderModel

/// The rows of the list, one for each file.
extension CreditLedger {
    /// The credits that the list does not have, or not as they are now.
    ///
    /// Who named an image by its id has nothing to say about whose it is: what the source said when it was fetched stays.
    static func news(in files: [CreditNotes.Present], for database: Database) throws -> [CreditNotes.Present] {
        guard !files.isEmpty else { return files }
        var keys = JSONWriter()
        keys.array(files.map { $0.file.key.description })
        let wanted = keys.text
        var isKnown = files.map { _ in false }
        try database.forEachRow(
            of: """
                SELECT wanted.key, files.path, credit
                FROM json_each(?) AS wanted CROSS JOIN files ON files.key = wanted.value
                """,
            values: { $0.bind(wanted) }
        ) { row in
            let place = row.number(0)
            // Where a killed run's file came to lie may not be known.
            guard row.has(files[place].path, 1) else { return }
            let credit = files[place].credit
            isKnown[place] = credit.isOfNameOnly || row.has(credit.kept.bytes, 2)
        }
        return files.indices.filter { !isKnown[$0] }.map { files[$0] }
    }

    static func write(_ notes: CreditNotes, _ seen: Int, to database: Database) throws {
        try insert(notes.rows, seen: seen, into: database)
        let placing = try database.cachedStatement(sql: "UPDATE OR REPLACE files SET path = ?, seen = ? WHERE key = ?")
        for (key, path) in notes.paths {
            try placing.execute(arguments: [path, seen, key.description])
        }
        // The archive says of some of these where they were put, which is not that they are still there.
        var rows: [CreditRow] = []
        for present in notes.present {
            let credit = present.credit
            if credit.isOfNameOnly {
                try placing.execute(arguments: [present.path, nil, present.file.key.description])
                if database.changesCount > 0 { continue }
            }
            rows.append(CreditRow(present.file.key, credit.kept.bytes[...], at: present.path))
        }
        try insert(rows, seen: nil, into: database)
    }

    static func insert<Rows: RandomAccessCollection<CreditRow>>(
        _ rows: Rows, seen: Int?, into database: Database
    ) throws where Rows.Index == Int {
        try database.insert(
            rows.count, "INSERT OR REPLACE INTO files (key, path, planned, credit, seen)", columns: 5
        ) { place, values in
            let row = rows[rows.startIndex + place]
            values.bind(row.key.description)
            values.bind(row.path)
            values.bind(row.planned)
            values.bind(row.credit)
            values.bind(row.path == nil ? nil : seen)
        }
    }

    /// Whether the list knows of a file where it lies.
    static func isPlaced(_ key: MediaKey, in database: Database) throws -> Bool {
        let sql = "SELECT 1 FROM files WHERE key = ? AND path IS NOT NULL"
        return try Bool.fetchOne(database, sql: sql, arguments: [key.description]) ?? false
    }

    /// Whatever was noted of the files of credits is of an older list.
    static func forgetWritten(in database: Database) throws { try database.execute(sql: "DELETE FROM written") }
}
