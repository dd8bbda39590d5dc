import ProviderModel

/// One JSON object per line.
struct JSONLinesPrinter: ItemPrinter {
    private let sink: any TextSink
    private let terminal: Terminal

    /// Items to a sink.
    init(to sink: any TextSink, on terminal: Terminal) {
        self.sink = sink
        self.terminal = terminal
    }

    func print(_ item: Item) throws {
        try sink.write(item.jsonBytes(on: terminal) + [UInt8(ascii: "\n")])
    }

    func finish() throws { try sink.flush() }
}
