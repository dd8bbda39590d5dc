import ProviderModel

/// How results are printed.
enum OutputFormat: Hashable, Sendable {
    /// Columns, to be read on a terminal.
    case table
    /// One JSON array.
    case json
    /// One JSON object per line.
    case jsonl
    /// Comma-separated values.
    case csv
    /// The URLs of each item's files of the wanted kinds.
    case urls
    /// A line per item after a template.
    case template(ItemTemplate)

    /// The names that can be chosen.
    static let names = ["table", "json", "jsonl", "csv", "urls"]
    /// The choices, for error messages.
    static let choices = "\(names.joined(separator: ", ")) or a template such as '{title|id} {url}'"

    /// Reads what a user typed; a text with a `{` is a template.
    init(_ text: String) throws {
        switch text {
        case "table": self = .table
        case "json": self = .json
        case "jsonl": self = .jsonl
        case "csv": self = .csv
        case "urls": self = .urls
        case let text where text.contains("{"): self = .template(try ItemTemplate(text))
        default:
            throw OutputError(
                .unknownFormat,
                "unknown format \"\(text)\"\(text.suggestion(among: Self.names, expected: Self.choices))")
        }
    }

    /// Whether URLs of files are printed.
    var isOfAddresses: Bool {
        switch self {
        case .urls: true
        case .template(let template): template.namesFiles
        case .table, .json, .jsonl, .csv: false
        }
    }

    /// The printer for this format; providers and limit are known before the first item and shape the table.
    ///
    /// `media` are the kinds of files whose URLs are printed; `after` is how many items an earlier run has printed, which this one
    /// goes on from; `cleaning` is for values in csv and templates.
    func printer(
        to output: TextOutput, on terminal: Terminal, providers: [ProviderID] = [], limit: Int? = nil,
        media: Set<Media.Kind> = Media.pictures, after printed: Int = 0,
        cleaning: @escaping (String) -> String = { TerminalText.line($0) }
    ) -> any ItemPrinter {
        switch self {
        case .table: ItemTable(to: output, on: terminal, providers: providers, limit: limit)
        case .json: JSONPrinter(to: output, on: terminal)
        case .jsonl: JSONLinesPrinter(to: output, on: terminal)
        case .csv: CSVPrinter(to: output, hasHeader: printed > 0, cleaning: cleaning)
        case .urls: URLPrinter(of: media, to: output)
        case .template(let template): TemplatePrinter(template, to: output, after: printed, cleaning: cleaning)
        }
    }
}
