/// What waits to be written into the list of credits.
struct CreditNotes {
    /// The rows of files that are about to get their names, or just got them.
    private(set) var rows: [CreditRow] = []
    private var announced: [MediaKey: Int] = [:]
    /// Where files came to lie whose rows are in the list already.
    private(set) var paths: [MediaKey: String] = [:]
    /// What is to be said of files that were there before, and where they are.
    var present: [Present] = []

    /// A file that was there before; what is to be said of it is put together when it is held against the list.
    struct Present {
        let file: WantedFile
        let path: String

        var credit: Credit { Credit(file, from: file.media) }
    }

    var count: Int { rows.count + paths.count + present.count }

    /// Takes in the row of a file that is about to get its name.
    mutating func announce(_ row: CreditRow) {
        if let place = announced.updateValue(rows.count, forKey: row.key) {
            announced[row.key] = place
            rows[place] = row
        } else {
            rows.append(row)
        }
    }

    /// Takes in where a file came to lie.
    mutating func place(_ key: MediaKey, at path: String) {
        if let place = announced[key] { rows[place].place(at: path) } else { paths[key] = path }
    }

    /// Adds what was noted before these notes.
    mutating func add(older notes: CreditNotes) {
        for (key, place) in notes.announced where announced[key] == nil {
            var row = notes.rows[place]
            if let path = paths.removeValue(forKey: key) { row.place(at: path) }
            announce(row)
        }
        for (key, path) in notes.paths where announced[key] == nil { paths[key] = paths[key] ?? path }
        // What is written last is what stays.
        present = notes.present + present
    }
}
