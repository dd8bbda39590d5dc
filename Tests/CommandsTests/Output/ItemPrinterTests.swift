import ProviderModel
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
        var printer = CSVPrinter(to: sink.output)
        try printer.finish()
        #expect(sink.text == "provider,id,title,page,author,license,created,width,height,url,tags,aiGenerated\r\n")
    }

    @Test func whatIsWrittenIsReadBack() throws {
        let sink = MemorySink()
        var item = InventedItems.latin
        item.title = "A \"quoted\",\r\nbroken\ntitle"
        item.author?.name = "Miller, Jane"
        item.tags = ["one, two", "three"]
        var printer = CSVPrinter(to: sink.output)
        try printer.print(item)
        try printer.print(InventedItems.chinese)
        try printer.finish()
        let records = records(of: sink.text)
        #expect(records.count == 3)
        #expect(records[1][2] == "A \"quoted\", broken title")
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

struct JSONPrinterTests {
    @Test func arrayHasOneItemOnEachLine() throws {
        let sink = MemorySink()
        var printer = JSONPrinter(to: sink.output, on: .pipe)
        try printer.print(InventedItems.bare)
        try printer.print(InventedItems.bare)
        try printer.finish()
        let item = #"{"provider":"wikimedia-commons","id":"4","type":"image","media":[]}"#
        #expect(sink.text == "[\n  \(item),\n  \(item)\n]\n")
    }

    @Test func emptyArrayIsValid() throws {
        let sink = MemorySink()
        var printer = JSONPrinter(to: sink.output, on: .pipe)
        try printer.finish()
        #expect(sink.text == "[]\n")
    }

    @Test func whatIsWrittenEndsALineAtAnyTime() throws {
        let sink = MemorySink()
        var printer = JSONPrinter(to: sink.output, on: .colored(80))
        for item in InventedItems.all {
            try printer.print(item)
            #expect(sink.text.last == "\n")
        }
    }

    @Test func everyItemIsALineOfItsOwn() throws {
        let sink = MemorySink()
        let printer = JSONLinesPrinter(to: sink.output, on: .pipe)
        for (count, item) in InventedItems.all.enumerated() {
            try printer.print(item)
            #expect(sink.text.lines.count == count + 1)
        }
    }

    @Test func contentIsKeptInAPipeAndEscapedOnATerminal() throws {
        var item = InventedItems.bare
        item.title = "\u{1b}[0m\u{9b}\u{202e}é"
        let pipe = MemorySink()
        try JSONLinesPrinter(to: pipe.output, on: .pipe).print(item)
        #expect(pipe.text.contains("\"title\":\"\\u001b[0m\u{9b}\u{202e}é\""))
        let terminal = MemorySink()
        try JSONLinesPrinter(to: terminal.output, on: .colored(80)).print(item)
        #expect(terminal.text.contains(#""title":"\u001b[0m\u009b\u202eé""#))
    }
}

struct URLPrinterTests {
    @Test func bestFileOfEachItemIsPrinted() throws {
        var item = InventedItems.bare
        item.media = [
            InventedItems.media(.small, "https://a.example/s.jpg"),
            InventedItems.media(.large, "https://a.example/l.jpg"),
        ]
        let sink = MemorySink()
        let printer = URLPrinter(to: sink.output)
        try printer.print(item)
        try printer.print(InventedItems.bare)
        try printer.print(InventedItems.latin)
        try printer.finish()
        #expect(sink.text == "https://a.example/l.jpg\nhttps://cdn.example.com/171653.jpg\n")
    }

    @Test func fileWithoutAMarkIsBetter() {
        var item = InventedItems.bare
        item.media = [
            InventedItems.media(.large, "https://a.example/marked.jpg"),
            InventedItems.media(.large, "https://a.example/clean.jpg"),
        ]
        item.media[0].isWatermarked = true
        #expect(item.bestMedia?.url.path == "/clean.jpg")
    }

    @Test(
        arguments: [
            ("cc-by-sa-4.0", nil, "CC BY-SA 4.0"), ("cc0-1.0", nil, "CC0 1.0"),
            ("CC-BY-2.0", "Attribution", "CC BY 2.0"),
            ("pdm-1.0", nil, "Public domain"), ("unsplash", "Unsplash License", "Unsplash"), ("x", nil, "x"),
            ("cc-by", nil, "CC BY"), ("cc0", nil, "CC0"),
        ] as [(String, String?, String)]
    )
    func licencesHaveShortNames(id: String, name: String?, expected: String) {
        #expect(License(id: id, name: name).shortName == expected)
    }
}

struct TemplatePrinterTests {
    private static let item: Item = {
        var item = InventedItems.latin
        item.tags = ["coffee", "cup"]
        item.media.append(InventedItems.media(.thumbnail, "https://cdn.example.com/t.jpg", (150, 100)))
        item.stats = [Statistic(name: "likes", value: 321)]
        return item
    }()

    @Test(arguments: [
        ("{title}", "Cup of coffee on a wooden table\n"),
        ("{provider}:{id}\\t{author.name}", "pixabay:171653\tJane Miller\n"),
        ("{media.url} {width}×{height}", "https://cdn.example.com/171653.jpg 4000×3000\n"),
        ("{media.1.url}", "https://cdn.example.com/t.jpg\n"),
        ("{media.7.url|media.thumbnail.width}", "150\n"),
        ("{tags}", "coffee; cup\n"),
        ("{index}: {name}@{host}, {role}", "1: 171653@cdn.example.com, original\n"),
        ("{created|description|id}", "171653\n"),
        ("{ title | id }", "Cup of coffee on a wooden table\n"),
        ("{stats.likes}/{stats.views}", "321/\n"),
        ("\\{{id}\\}", "{171653}\n"),
        ("{title:slug:13}.jpg", "cup-of-coffee.jpg\n"), ("{index:03}\\t{author.name:upper}", "001\tJANE MILLER\n"),
        ("{created|id:yyyy-MM}", "\n"), ("{created|'no date'}", "no date\n"),
        ("{id}\\n", "171653\n"),
        ("{id}\\0", "171653\0"),
    ])
    func fieldsAreReplaced(template: String, expected: String) throws {
        let sink = MemorySink()
        var printer = TemplatePrinter(try ItemTemplate(template), to: sink.output)
        try printer.print(Self.item)
        #expect(sink.text == expected)
    }

    @Test(arguments: ["{nonsense}", "{media}", "{media.best.url}", "{media.url.x}", "{}", "{id|nonsense}", "{stats.}"])
    func unknownFieldIsAnErrorThatListsTheFields(template: String) {
        let error = #expect(throws: OutputError.self) { try ItemTemplate(template) }
        #expect(error?.code == .unknownField)
        #expect(error?.message.contains("author.name") == true)
    }

    @Test(arguments: [("{titel}", "titel", "title"), ("{id|autor.name}", "autor.name", "author.name")])
    func unknownFieldIsAnErrorThatNamesTheNearest(template: String, found: String, nearest: String) {
        let error = #expect(throws: OutputError.self) { try ItemTemplate(template) }
        #expect(error?.message.hasSuffix(": unknown field \"\(found)\"; did you mean \"\(nearest)\"?") == true)
    }

    @Test func unknownFilterIsAnErrorThatListsTheFilters() {
        let error = #expect(throws: OutputError.self) { try ItemTemplate("{title:shout}") }
        #expect(error?.code == .unknownField)
        #expect(error?.message.contains("\"{title:shout}\": unknown filter \"shout\" (expected slug, lower") == true)
    }

    @Test func openBraceIsAnError() {
        #expect(throws: OutputError.self) { try ItemTemplate("{title") }
    }

    @Test func valuesStayOnOneLine() throws {
        let sink = MemorySink()
        var item = Self.item
        item.title = "one\r\ntwo\tthree\u{0}four"
        var printer = TemplatePrinter(try ItemTemplate("{title}\\t{id}"), to: sink.output)
        try printer.print(item)
        #expect(sink.text == "one two threefour\t\(item.id)\n")
    }

    @Test(arguments: [("{title}", "\u{1b}[31mone\r\n\u{9b}two\n"), ("csv", "\"\u{1b}[31mone\r\n\u{9b}two\"")])
    func rawValuesAreNotCleaned(format: String, expected: String) throws {
        var item = Self.item
        item.title = "\u{1b}[31mone\r\n\u{9b}two"
        for isRaw in [true, false] {
            let options = try ListingOptions.parse(["-f", format] + (isRaw ? ["--raw"] : []))
            let sink = MemorySink()
            var printer = options.format.printer(to: sink.output, on: .pipe, cleaning: options.cleaning)
            try printer.print(item)
            try printer.finish()
            #expect(sink.text.contains(expected) == isRaw, "\(sink.text.debugDescription)")
        }
    }

    @Test(arguments: ["table", "json", "jsonl", "urls"])
    func rawIsRefusedWhereNothingIsCleaned(format: String) {
        #expect(throws: (any Error).self) { try ListingOptions.parse(["-f", format, "--raw"]) }
    }

    @Test func everyNamedFieldCanBeAsked() throws {
        for name in ItemField.names { #expect(ItemField(name) == .named(name)) }
    }
}
