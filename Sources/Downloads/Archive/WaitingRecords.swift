/// Records that wait to be written, in the order they came in; of two for one file, the later one counts.
struct WaitingRecords {
    private(set) var list: [ArchiveRecord] = []
    /// Where in the list the record of a file is, as far as somebody has asked.
    private var places: [MediaKey: Int] = [:]
    private var placed = 0

    var isEmpty: Bool { list.isEmpty }

    /// Adds a record.
    mutating func add(_ record: ArchiveRecord) { list.append(record) }

    /// Adds what came in before these.
    mutating func add(older records: [ArchiveRecord]) {
        list = records + list
        (places, placed) = ([:], 0)
    }

    /// Forgets all records, and keeps the room.
    mutating func removeAll() {
        list = []
        places.removeAll(keepingCapacity: true)
        placed = 0
    }

    subscript(key: MediaKey) -> ArchiveRecord? { mutating get { place(of: key).map { list[$0] } } }

    /// Where a file was put.
    mutating func path(of key: MediaKey) -> String? { place(of: key).map { list[$0].path } }

    private mutating func place(of key: MediaKey) -> Int? {
        if placed < list.count {
            places.reserveCapacity(list.count)
            for place in placed..<list.count { places[list[place].key] = place }
            placed = list.count
        }
        return places.isEmpty ? nil : places[key]
    }
}
