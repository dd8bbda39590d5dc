import Testing

@testable import Downloads

@Suite struct CreditNotesTests {
    private let keys = ["b", "a", "c"].map { MediaKey(stored: $0) }

    private func row(_ key: MediaKey, _ planned: String?, at path: String? = nil) -> CreditRow {
        CreditRow(key, KeptFields(), plannedAt: planned, at: path)
    }

    @Test func rowsSayWhereTheirFilesLie() {
        var notes = CreditNotes()
        for key in keys { notes.announce(row(key, "planned")) }
        notes.place(keys[0], at: "b.jpg")
        // Where it was to lie is of no more use.
        #expect(notes.rows == [row(keys[0], nil, at: "b.jpg"), row(keys[1], "planned"), row(keys[2], "planned")])
        #expect(notes.paths.isEmpty)
        // What is announced again has not its place any more.
        notes.announce(row(keys[0], "again"))
        #expect(notes.rows.count == 3)
        #expect(notes.rows[0] == row(keys[0], "again"))
    }

    @Test func newerNotesCountMoreThanOlderOnes() {
        var older = CreditNotes()
        older.announce(row(keys[0], "older"))
        older.announce(row(keys[1], "older"))
        older.place(keys[0], at: "older.jpg")
        older.place(keys[2], at: "c.jpg")
        var newer = CreditNotes()
        newer.announce(row(keys[0], "newer"))
        newer.place(keys[0], at: "newer.jpg")
        newer.add(older: older)
        #expect(newer.rows == [row(keys[0], nil, at: "newer.jpg"), row(keys[1], "older")])
        #expect(newer.paths == [keys[2]: "c.jpg"])
        #expect(newer.count == 3)
    }

    @Test func fileThatCameToLieSomewhereWhileItsRowWasWrittenHasItsPlace() {
        var older = CreditNotes()
        older.announce(row(keys[0], "planned"))
        var newer = CreditNotes()
        newer.place(keys[0], at: "b.jpg")
        newer.add(older: older)
        #expect(newer.rows == [row(keys[0], nil, at: "b.jpg")])
        #expect(newer.paths.isEmpty)
    }
}
