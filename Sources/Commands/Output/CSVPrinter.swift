import ProviderModel

/// Comma-separated values after RFC 4180, with a header, safe to open in a spreadsheet.
struct CSVPrinter: ItemPrinter {
    /// The columns, named like the fields of a template.
    static let columns: [ItemField.Name] = [
        .provider, .id, .title, .page, .author, .license, .created, .width, .height, .url, .tags,
    ]

    private let sink: any TextSink
    private let terminal: Terminal
    private var hasHeader = false

    /// Items to a sink.
    init(to sink: any TextSink, on terminal: Terminal) {
        self.sink = sink
        self.terminal = terminal
    }

    mutating func print(_ item: Item) throws {
        try writeHeader()
        let subject = ItemSubject(item)
        try write(Self.columns.map { $0.value(of: subject) ?? "" })
    }

    mutating func finish() throws {
        try writeHeader()
        try sink.flush()
    }

    /// A cell as RFC 4180 §2 has it: in quotes where it holds a comma, a quote or a line break.
    static func cell(_ value: String) -> String {
        let safe = isFormula(value) ? "'" + value : value
        guard safe.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) || safe.first == " " || safe.last == " " else {
            return safe
        }
        var quoted = "\""
        for scalar in safe.unicodeScalars { quoted += scalar == "\"" ? "\"\"" : String(scalar) }
        return quoted + "\""
    }

    private mutating func writeHeader() throws {
        guard !hasHeader else { return }
        hasHeader = true
        try write(Self.columns.map(\.rawValue))
    }

    private func write(_ values: [String]) throws {
        let cells = values.map { Self.cell(terminal.isTerminal ? TerminalText.line($0) : $0) }
        try sink.write(cells.joined(separator: ",") + "\r\n")
    }

    /// Whether a spreadsheet would compute the text rather than show it (OWASP, “CSV Injection”).
    private static func isFormula(_ value: String) -> Bool {
        value.unicodeScalars.first.map("=+-@\t\r＝＋－＠".unicodeScalars.contains) == true && Double(value) == nil
    }
}
