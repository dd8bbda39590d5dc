import Testing

@testable import Downloads

@Suite struct CreditNotesTests {
    private let keys = ["b", "a", "c"].map { MediaKey(stored: $0) }

    private func row(_ key: MediaKey, _ planned: String?, at path: String? = nil) -> CreditRow {
        var fields = KeptFields()
        fields.add("the credit of \(key)")
        return CreditRow(key, fields.bytes[...], plannedAt: planned, at: path)
    }

    private func announce(_ key: MediaKey, _ planned: String, to notes: inout CreditNotes) {
        notes.announce(key, plannedAt: planned) { $0.add("the credit of \(key)") }
    }

    @Test func rowsSayWhereTheirFilesLie() {
        var notes = CreditNotes()
        for key in keys { announce(key, "planned", to: &notes) }
        notes.place(keys[0], at: "b.jpg")
        // Where it was to lie is of no more use.
        let rows = [row(keys[0], nil, at: "b.jpg"), row(keys[1], "planned"), row(keys[2], "planned")]
        #expect(Array(notes.rows) == rows)
        #expect(notes.paths.isEmpty)
        // What is announced again has not its place any more: the later row counts.
        announce(keys[0], "again", to: &notes)
        #expect(Array(notes.rows) == rows + [row(keys[0], "again")])
        notes.place(keys[0], at: "a.jpg")
        #expect(Array(notes.rows) == rows + [row(keys[0], nil, at: "a.jpg")])
        notes.takeBackLast()
        #expect(Array(notes.rows) == rows)
        announce(keys[1], "again", to: &notes)
        #expect(Array(notes.rows) == rows + [row(keys[1], "again")])
    }

    @Test func newerNotesCountMoreThanOlderOnes() {
        var older = CreditNotes()
        announce(keys[0], "older", to: &older)
        announce(keys[1], "older", to: &older)
        older.place(keys[0], at: "older.jpg")
        older.place(keys[2], at: "c.jpg")
        var newer = CreditNotes()
        announce(keys[0], "newer than that", to: &newer)
        newer.place(keys[0], at: "newer.jpg")
        newer.add(older: older)
        // The later row of a file counts.
        #expect(
            Array(newer.rows)
                == [row(keys[0], nil, at: "older.jpg"), row(keys[1], "older"), row(keys[0], nil, at: "newer.jpg")])
        #expect(newer.paths == [keys[2]: "c.jpg"])
        #expect(newer.count == 4)
    }

    @Test func fileThatCameToLieSomewhereWhileItsRowWasWrittenHasItsPlace() {
        var older = CreditNotes()
        announce(keys[0], "planned", to: &older)
        var newer = CreditNotes()
        newer.place(keys[0], at: "b.jpg")
        newer.add(older: older)
        #expect(Array(newer.rows) == [row(keys[0], nil, at: "b.jpg")])
        #expect(newer.paths.isEmpty)
    }
}
