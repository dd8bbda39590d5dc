import Testing

@testable import Downloads

@Suite struct KeptFieldsTests {
    private func texts(_ bytes: [UInt8], _ count: Int) -> [String?] {
        bytes.withUnsafeBufferPointer { bytes in
            var reader = KeptFields.Reader(bytes)
            return (0..<count).map { _ in reader.next()?.text }
        }
    }

    @Test func textsComeBackAsTheyWere() {
        var fields = KeptFields()
        let kept = ["a", nil, "Füchse, \"rot\"\nund ☂", String(repeating: "x", count: 2_000)]
        for text in kept { fields.add(text) }
        fields.add("")
        // What is empty is not there; behind the last there is nothing.
        #expect(texts(fields.bytes, 6) == kept + [nil, nil])
        #expect(texts([], 1) == [nil])
    }

    @Test func nothingInATextEndsIt() {
        var fields = KeptFields()
        fields.add("a\u{1f}b\u{1e}c\u{1d}d\0e")
        fields.add("e")
        #expect(texts(fields.bytes, 2) == ["a b c\u{1d}d e", "e"])
    }

    @Test func rowsComeBackFromAJournal() {
        var notes = CreditNotes()
        let records = (0..<3).map { number in
            let key = MediaKey(stored: "example:\(number):original")
            notes.announce(key, plannedAt: number == 1 ? nil : "\(number).jpg") { credit in
                credit.add("title \(number)")
                credit.add(nil)
            }
            return Array(notes.lastRecord)
        }
        let rows = Array(notes.rows)
        #expect(CreditRow.rows(ofJournal: Array(records.joined())[...]) == rows)
        // What never reached the disk lies there as zeros.
        let torn = records[0] + [UInt8](repeating: 0, count: records[1].count) + records[2]
        #expect(CreditRow.rows(ofJournal: torn[...]) == [rows[0]])
        #expect(CreditRow.rows(ofJournal: []) == [])
    }
}
