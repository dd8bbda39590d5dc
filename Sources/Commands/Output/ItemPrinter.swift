import Downloads
import ProviderModel

/// Prints items one by one, as they come.
///
/// What is written stays in the output's buffer until the caller flushes it.
protocol ItemPrinter {
    /// Prints one more item.
    mutating func print(_ item: Item) throws

    /// Writes what ends the output, and flushes it.
    mutating func finish() throws
}

/// A JSON array with one item on each line.
struct JSONPrinter: ItemPrinter {
    private let output: TextOutput
    private let terminal: Terminal
    private var held: [UInt8]?

    init(to output: TextOutput, on terminal: Terminal) {
        self.output = output
        self.terminal = terminal
    }

    /// Holds the item until it is known whether a comma follows, so that what is written always ends a line.
    mutating func print(_ item: Item) throws {
        if let held { try output.write(held + Array(",\n".utf8)) } else { try output.write("[\n") }
        held = Array("  ".utf8) + item.jsonBytes(on: terminal)
    }

    mutating func finish() throws {
        if let held { try output.write(held + Array("\n]\n".utf8)) } else { try output.write("[]\n") }
        held = nil
        try output.flush()
    }
}

/// One JSON object per line.
struct JSONLinesPrinter: ItemPrinter {
    private let output: TextOutput
    private let terminal: Terminal

    init(to output: TextOutput, on terminal: Terminal) {
        self.output = output
        self.terminal = terminal
    }

    func print(_ item: Item) throws { try output.write(item.jsonBytes(on: terminal) + [UInt8(ascii: "\n")]) }

    func finish() throws { try output.flush() }
}

/// Comma-separated values after RFC 4180, with a header, safe to open in a spreadsheet.
struct CSVPrinter: ItemPrinter {
    /// The columns, which a download reads again.
    static let columns = CSVInput.columns

    private let output: TextOutput
    private var hasHeader: Bool
    private let clean: (String) -> String

    /// Values are cleaned as in a table unless told otherwise, as the file may be printed by `cat`.
    init(
        to output: TextOutput, hasHeader: Bool = false,
        cleaning: @escaping (String) -> String = { TerminalText.line($0) }
    ) {
        self.output = output
        clean = cleaning
        self.hasHeader = hasHeader
    }

    mutating func print(_ item: Item) throws {
        try writeHeader()
        let subject = ItemSubject(item)
        try output.write(Self.record(Self.columns.map { clean(ItemField.named($0).value(of: subject) ?? "") }))
    }

    mutating func finish() throws {
        try writeHeader()
        try output.flush()
    }

    private mutating func writeHeader() throws {
        guard !hasHeader else { return }
        hasHeader = true
        try output.write(Self.record(Self.columns))
    }

    /// One record with its line break.
    static func record(_ values: [String]) -> String {
        values.map(cell).joined(separator: ",") + "\r\n"
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

    /// Whether a spreadsheet would compute the text rather than show it (OWASP, "CSV Injection").
    private static func isFormula(_ value: String) -> Bool {
        value.unicodeScalars.first.map("=+-@\t\r＝＋－＠".unicodeScalars.contains) == true && Double(value) == nil
    }
}

/// The URLs of each item's files of some kinds in their best size, one per line; items without such a file are passed over.
struct URLPrinter: ItemPrinter {
    private let kinds: Set<Media.Kind>
    private let output: TextOutput

    init(of kinds: Set<Media.Kind> = Media.pictures, to output: TextOutput) {
        self.kinds = kinds
        self.output = output
    }

    func print(_ item: Item) throws {
        for media in item.files(of: kinds).compactMap(\.sizes.best) { try output.writeLine(media.url.description) }
    }

    func finish() throws { try output.flush() }
}

/// One line per item after the user's own template.
struct TemplatePrinter: ItemPrinter {
    private let template: ItemTemplate
    private let output: TextOutput
    private var count: Int
    private let clean: (String) -> String

    /// Each item ends with a newline unless the template ends it itself; items are counted on from `after`.
    ///
    /// A program that reads lines, NUL-separated records or columns between tabs finds none inside a value, unless it is
    /// cleaned otherwise.
    init(
        _ template: ItemTemplate, to output: TextOutput, after count: Int = 0,
        cleaning: @escaping (String) -> String = { TerminalText.line($0) }
    ) {
        clean = cleaning
        self.count = count
        self.template = template
        self.output = output
    }

    mutating func print(_ item: Item) throws {
        count += 1
        let text = template.filled(from: item, at: count, cleaning: clean)
        try output.write(template.endsItem ? text : text + "\n")
    }

    func finish() throws { try output.flush() }
}

extension Item {
    /// The item as compact JSON, safe to show where a terminal reads it.
    func jsonBytes(on terminal: Terminal) -> [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return terminal.isTerminal ? TerminalText.escapedJSON(writer.bytes) : writer.bytes
    }

    /// The name commands take: `pixabay:171653`.
    var reference: String { "\(provider):\(id)" }
}

extension Media {
    /// `4000×3000`, where both are known.
    var dimensions: String? {
        guard let width, let height else { return nil }
        return "\(width)×\(height)"
    }
}
