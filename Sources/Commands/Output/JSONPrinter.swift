import ProviderModel

/// A JSON array with one item on each line.
struct JSONPrinter: ItemPrinter {
    private let sink: any TextSink
    private let terminal: Terminal
    private var held: [UInt8]?

    /// Items to a sink.
    init(to sink: any TextSink, on terminal: Terminal) {
        self.sink = sink
        self.terminal = terminal
    }

    /// Holds the item until it is known whether a comma follows, so that what is written always ends a line.
    mutating func print(_ item: Item) throws {
        if let held { try sink.write(held + Array(",\n".utf8)) } else { try sink.write("[\n") }
        held = Array("  ".utf8) + item.jsonBytes(on: terminal)
    }

    mutating func finish() throws {
        if let held { try sink.write(held + Array("\n]\n".utf8)) } else { try sink.write("[]\n") }
        held = nil
        try sink.flush()
    }
}

extension Item {
    /// The item as compact JSON, safe to show where a terminal reads it.
    func jsonBytes(on terminal: Terminal) -> [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return terminal.isTerminal ? TerminalText.escapedJSON(writer.bytes) : writer.bytes
    }
}
