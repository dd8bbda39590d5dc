import Testing

@testable import Commands

struct OutputFormatTests {
    @Test(arguments: [
        ("table", OutputFormat.table), ("json", .json), ("jsonl", .jsonl), ("csv", .csv), ("urls", .urls),
    ])
    func formatsAreNamed(text: String, expected: OutputFormat) throws {
        #expect(try OutputFormat(text) == expected)
    }

    @Test func textWithABraceIsATemplate() throws {
        #expect(try OutputFormat("{id}\\t{title}") == .template(ItemTemplate("{id}\\t{title}")))
    }

    @Test func unknownFormatNamesTheChoices() {
        let error = #expect(throws: OutputError.self) { try OutputFormat("xml") }
        #expect(error?.code == .unknownFormat)
        #expect(error?.message.hasPrefix("unknown format \"xml\" (expected table, json, jsonl, csv, urls") == true)
        let slip = #expect(throws: OutputError.self) { try OutputFormat("tabel") }
        #expect(slip?.message.hasPrefix("unknown format \"tabel\"; did you mean \"table\"?") == true)
    }

    @Test(arguments: ["table", "json", "jsonl", "csv", "urls", "{provider} {id} {title} {author} {description}"])
    func hostileTextReachesNoTerminalAndNoPipe(format: String) throws {
        var item = InventedItems.hostile
        item.description = "\u{1b}]52;c;ZXZpbA==\u{07}\u{202e}evil"
        item.tags = ["\u{1b}[8mhidden", "\u{9d}0;x\u{9c}"]
        item.license = .init(id: "\u{1b}[2J", name: "\u{9b}31mred")
        // JSON keeps its values whole in a pipe, and escapes what ESC begins.
        let pipes = format.hasPrefix("json") ? [] : [Terminal.pipe]
        for terminal in pipes + [.colorless(60), .colorless(80), .colorless(120), .colorless(200)] {
            let sink = MemorySink()
            var printer = try OutputFormat(format).printer(
                to: sink.output, on: terminal, providers: InventedItems.providers)
            try printer.print(item)
            try printer.finish()
            let hostile = sink.text.unicodeScalars.filter {
                $0.properties.generalCategory == .control && $0 != "\n" && !(format == "csv" && $0 == "\r")
                    || (0x202a...0x202e).contains($0.value) || (0x2066...0x2069).contains($0.value)
            }
            #expect(hostile.isEmpty, "\(terminal.width) columns: \(sink.text.debugDescription)")
        }
    }
}
