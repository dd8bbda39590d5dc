import Testing

@testable import Commands

struct CSVPrinterTests {
    @Test(arguments: [
        ("plain", "plain"), ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""), ("two\nlines", "\"two\nlines\""),
        ("a\r\nb", "\"a\r\nb\""), (" a ", "\" a \""), ("", ""), ("=1+1", "'=1+1"), ("@SUM(A1)", "'@SUM(A1)"),
        ("+1 day", "'+1 day"),
        ("-", "'-"), ("-5", "-5"), ("+3.25", "+3.25"), ("\t=1", "'\t=1"), ("=A1,B1", "\"'=A1,B1\""), ("＝1", "'＝1"),
    ])
    func cellsAreQuotedAndNeverComputed(value: String, expected: String) {
        #expect(CSVPrinter.cell(value) == expected)
    }

    @Test func headerStandsAboveNothing() throws {
        let sink = MemorySink()
        var printer = CSVPrinter(to: sink, on: .pipe)
        try printer.finish()
        #expect(sink.text == "provider,id,title,page,author,license,created,width,height,url,tags\r\n")
    }

    @Test func whatIsWrittenIsReadBack() throws {
        let sink = MemorySink()
        var item = InventedItems.latin
        item.title = "A \"quoted\",\r\nbroken\ntitle"
        item.author?.name = "Miller, Jane"
        item.tags = ["one, two", "three"]
        var printer = CSVPrinter(to: sink, on: .pipe)
        try printer.print(item)
        try printer.print(InventedItems.chinese)
        try printer.finish()
        let records = records(of: sink.text)
        #expect(records.count == 3)
        #expect(records[1][2] == item.title)
        #expect(records[1][4] == "Miller, Jane")
        #expect(records[1][7...9] == ["4000", "3000", "https://cdn.example.com/171653.jpg"])
        #expect(records[1][10] == "one, two; three")
        #expect(records[2][2] == InventedItems.chinese.title)
        #expect(records.allSatisfy { $0.count == CSVPrinter.columns.count })
    }

    /// A reader after RFC 4180 §2, independent of the writer.
    private func records(of text: String) -> [[String]] {
        var records: [[String]] = []
        var record: [String] = []
        var field = ""
        var isQuoted = false
        var scalars = text.unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            switch (scalar, isQuoted) {
            case ("\"", true) where scalars.first == "\"":
                field.unicodeScalars.append(scalars.removeFirst())
            case ("\"", _): isQuoted.toggle()
            case (",", false):
                record.append(field)
                field = ""
            case ("\r", false) where scalars.first == "\n":
                scalars.removeFirst()
                records.append(record + [field])
                (record, field) = ([], "")
            default: field.unicodeScalars.append(scalar)
            }
        }
        return records
    }
}
