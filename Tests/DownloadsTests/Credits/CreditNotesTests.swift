import Testing

@testable import Downloads

@Suite struct CreditNotesTests {
    private let keys = ["b", "a", "c"].map { MediaKey(stored: $0) }

    private func rows(of notes: CreditNotes) -> [[String?]] { notes.rows.sorted { $0[0] ?? "" < $1[0] ?? "" } }

    @Test func rowsSayWhereTheirFilesLie() {
        var notes = CreditNotes()
        for key in keys { notes.announced[key] = [key.description, nil, "planned"] }
        notes.paths[keys[0]] = "b.jpg"
        #expect(rows(of: notes) == [["a", nil, "planned"], ["b", "b.jpg", "planned"], ["c", nil, "planned"]])
    }

    @Test func newerNotesCountMoreThanOlderOnes() {
        var older = CreditNotes()
        older.announced = [keys[0]: ["b", nil, "older"], keys[1]: ["a", nil, "older"]]
        older.paths = [keys[0]: "older.jpg", keys[2]: "c.jpg"]
        var newer = CreditNotes()
        newer.announced = [keys[0]: ["b", nil, "newer"]]
        newer.paths = [keys[0]: "newer.jpg"]
        newer.add(older: older)
        #expect(rows(of: newer) == [["a", nil, "older"], ["b", "newer.jpg", "newer"]])
        #expect(newer.paths == [keys[0]: "newer.jpg", keys[2]: "c.jpg"])
        #expect(newer.count == 4)
    }
}
