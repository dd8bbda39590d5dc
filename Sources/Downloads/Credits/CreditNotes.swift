/// What waits to be written into the list of credits.
struct CreditNotes {
    /// The rows of files that are about to get their names, or just got them.
    var announced: [MediaKey: [String?]] = [:]
    /// Where files came to lie.
    var paths: [MediaKey: String] = [:]
    /// What is to be said of files that were there before, and where they are.
    var present: [MediaKey: (credit: Credit, path: String)] = [:]

    var count: Int { announced.count + paths.count + present.count }

    /// Adds what was noted before these notes.
    mutating func add(older notes: CreditNotes) {
        announced.merge(notes.announced) { newer, _ in newer }
        paths.merge(notes.paths) { newer, _ in newer }
        present.merge(notes.present) { newer, _ in newer }
    }

    /// The announced rows, with the places of those files that have theirs.
    var rows: [[String?]] {
        announced.map { key, values in
            var values = values
            values[1] = paths[key]
            return values
        }
    }
}
