import Testing

@testable import Downloads

@Suite struct CreditNotesTests {
    private let keys = ["b", "a", "c"].map { MediaKey(stored: $0) }

    /// What of a row tells one from another: the key, the place, the planned place.
    private func row(_ key: MediaKey, _ planned: String?, at path: String? = nil) -> [String?] {
        [key.description, path, planned, nil]
    }

    @Test func rowsSayWhereTheirFilesLie() {
        var notes = CreditNotes()
        for key in keys { notes.announce(row(key, "planned"), for: key) }
        notes.place(keys[0], at: "b.jpg")
        // Where it was to lie is of no more use.
        #expect(notes.rows == [row(keys[0], nil, at: "b.jpg"), row(keys[1], "planned"), row(keys[2], "planned")])
        #expect(notes.paths.isEmpty)
        // What is announced again has not its place any more.
        notes.announce(row(keys[0], "again"), for: keys[0])
        #expect(notes.rows.count == 3)
        #expect(notes.rows[0] == row(keys[0], "again"))
    }

    @Test func newerNotesCountMoreThanOlderOnes() {
        var older = CreditNotes()
        older.announce(row(keys[0], "older"), for: keys[0])
        older.announce(row(keys[1], "older"), for: keys[1])
        older.place(keys[0], at: "older.jpg")
        older.place(keys[2], at: "c.jpg")
        var newer = CreditNotes()
        newer.announce(row(keys[0], "newer"), for: keys[0])
        newer.place(keys[0], at: "newer.jpg")
        newer.add(older: older)
        #expect(newer.rows == [row(keys[0], nil, at: "newer.jpg"), row(keys[1], "older")])
        #expect(newer.paths == [keys[2]: "c.jpg"])
        #expect(newer.count == 3)
    }

    @Test func fileThatCameToLieSomewhereWhileItsRowWasWrittenHasItsPlace() {
        var older = CreditNotes()
        older.announce(row(keys[0], "planned"), for: keys[0])
        var newer = CreditNotes()
        newer.place(keys[0], at: "b.jpg")
        newer.add(older: older)
        #expect(newer.rows == [row(keys[0], nil, at: "b.jpg")])
        #expect(newer.paths.isEmpty)
    }
}
