/// What waits to be written into the list of credits.
struct CreditNotes {
    /// The records of files that are about to get their names, or just got them, as journals have them.
    private var records = KeptFields(room: 0)
    private var announced: [Announced] = []
    /// Where files came to lie whose rows are in the list already.
    private(set) var paths: [MediaKey: String] = [:]
    /// What is to be said of files that were there before, and where they are.
    var present: [Present] = []

    /// A file whose record is among the records.
    struct Announced {
        fileprivate let key: MediaKey
        fileprivate var path: String?
        fileprivate var planned: String?
        fileprivate var record: Range<Int>
        fileprivate var credit: Range<Int>

        /// Says where it came to lie; where it was to lie is of no more use.
        fileprivate mutating func place(at path: String) { (self.path, planned) = (path, nil) }
    }

    /// A file that was there before; what is to be said of it is put together when it is held against the list.
    struct Present {
        let file: WantedFile
        let path: String

        var credit: Credit { Credit(file, from: file.media) }
    }

    var count: Int { announced.count + paths.count + present.count }

    /// The rows of files that are about to get their names, or just got them; of two for one file, the later one counts.
    var rows: LazyMapCollection<[Announced], CreditRow> {
        let bytes = records.bytes
        return announced.lazy.map { CreditRow($0.key, bytes[$0.credit], plannedAt: $0.planned, at: $0.path) }
    }

    /// Takes in a file that is about to get its name, and what is to be said of it.
    mutating func announce(_ key: MediaKey, plannedAt planned: String?, _ credit: (inout KeptFields) -> Void) {
        let start = records.bytes.count
        records.add(key.description)
        records.add(planned)
        let creditStart = records.bytes.count
        credit(&records)
        let end = records.bytes.count
        records.endRecord()
        announced.append(
            Announced(
                key: key, planned: planned, record: start..<records.bytes.count, credit: creditStart..<end))
    }

    /// The record of the file that was announced last.
    var lastRecord: ArraySlice<UInt8> { records.bytes[announced.last?.record ?? 0..<0] }

    /// Takes back what was announced last.
    mutating func takeBackLast() {
        if let last = announced.popLast() { records.cut(to: last.record.lowerBound) }
    }

    /// Takes in where a file came to lie.
    mutating func place(_ key: MediaKey, at path: String) {
        // It was announced a moment ago, so that it is one of the last.
        if let place = place(of: key) { announced[place].place(at: path) } else { paths[key] = path }
    }

    private func place(of key: MediaKey) -> Int? { announced.lastIndex { $0.key == key } }

    /// Adds what was noted before these notes.
    mutating func add(older notes: CreditNotes) {
        var all = notes
        // What is written last is what stays, and paths are written after rows.
        for newer in announced { all.paths[newer.key] = nil }
        for (key, path) in paths {
            if place(of: key) == nil { all.place(key, at: path) } else { all.paths[key] = path }
        }
        all.append(announced, records)
        all.present += present
        self = all
    }

    private mutating func append(_ others: [Announced], _ records: KeptFields) {
        let start = self.records.bytes.count
        self.records.add(records)
        announced += others.map { other in
            var moved = other
            moved.record = other.record.lowerBound + start..<other.record.upperBound + start
            moved.credit = other.credit.lowerBound + start..<other.credit.upperBound + start
            return moved
        }
    }
}
