import ProviderModel

/// One line per item after the user's own template.
struct TemplatePrinter: ItemPrinter {
    private let template: ItemTemplate
    private let sink: any TextSink
    private let terminal: Terminal
    private var count = 0

    /// Items to a sink; each ends with a newline unless the template ends it itself.
    init(_ template: ItemTemplate, to sink: any TextSink, on terminal: Terminal) {
        self.template = template
        self.sink = sink
        self.terminal = terminal
    }

    mutating func print(_ item: Item) throws {
        count += 1
        let clean = terminal.isTerminal ? TerminalText.line : Self.onOneLine
        let text = template.filled(from: item, at: count, cleaning: clean)
        try sink.write(template.endsItem ? text : text + "\n")
    }

    func finish() throws { try sink.flush() }

    /// A program that reads lines, NUL-separated records or columns between tabs must not find one inside a value.
    private static func onOneLine(_ value: String) -> String {
        func separates(_ character: Character) -> Bool { character.isNewline || character == "\0" || character == "\t" }
        guard value.contains(where: separates) else { return value }
        return value.split(whereSeparator: separates).joined(separator: " ")
    }
}
