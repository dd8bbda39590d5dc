import Testing

@testable import Commands

struct JSONPrinterTests {
    @Test func arrayHasOneItemOnEachLine() throws {
        let sink = MemorySink()
        var printer = JSONPrinter(to: sink, on: .pipe)
        try printer.print(InventedItems.bare)
        try printer.print(InventedItems.bare)
        try printer.finish()
        let item = #"{"provider":"wikimedia-commons","id":"4","type":"image","media":[]}"#
        #expect(sink.text == "[\n  \(item),\n  \(item)\n]\n")
    }

    @Test func emptyArrayIsValid() throws {
        let sink = MemorySink()
        var printer = JSONPrinter(to: sink, on: .pipe)
        try printer.finish()
        #expect(sink.text == "[]\n")
    }

    @Test func whatIsWrittenEndsALineAtAnyTime() throws {
        let sink = MemorySink()
        var printer = JSONPrinter(to: sink, on: .colored(80))
        for item in InventedItems.all {
            try printer.print(item)
            #expect(sink.text.last == "\n")
        }
    }

    @Test func everyItemIsALineOfItsOwn() throws {
        let sink = MemorySink()
        let printer = JSONLinesPrinter(to: sink, on: .pipe)
        for (count, item) in InventedItems.all.enumerated() {
            try printer.print(item)
            #expect(sink.text.lines.count == count + 1)
        }
    }

    @Test func contentIsKeptInAPipeAndEscapedOnATerminal() throws {
        var item = InventedItems.bare
        item.title = "\u{1b}[0m\u{9b}\u{202e}é"
        let pipe = MemorySink()
        try JSONLinesPrinter(to: pipe, on: .pipe).print(item)
        #expect(pipe.text.contains("\"title\":\"\\u001b[0m\u{9b}\u{202e}é\""))
        let terminal = MemorySink()
        try JSONLinesPrinter(to: terminal, on: .colored(80)).print(item)
        #expect(terminal.text.contains(#""title":"\u001b[0m\u009b\u202eé""#))
    }
}
