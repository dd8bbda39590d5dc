import ProviderModel

/// The shapes results come in.
enum OutputFormat: Hashable, Sendable {
    /// Columns for people.
    case table
    /// One JSON array.
    case json
    /// One JSON object per line.
    case jsonl
    /// Comma-separated values.
    case csv
    /// The URL of each item's best file.
    case urls
    /// A line of the user's own.
    case template(ItemTemplate)

    /// The names that can be chosen.
    static let names = ["table", "json", "jsonl", "csv", "urls"]
    /// What can be chosen, for help and error texts.
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
        default: throw OutputError(.unknownFormat, "there is no format \(text.quoted), expected \(Self.choices)")
        }
    }

    /// Whether what is printed is there to be followed: addresses of files.
    var isOfAddresses: Bool {
        switch self {
        case .urls: true
        case .template(let template): template.namesFiles
        case .table, .json, .jsonl, .csv: false
        }
    }

    /// The printer for this format; providers and limit are known before the first item and shape the table.
    func printer(
        to sink: any TextSink,
        on terminal: Terminal,
        providers: [ProviderID] = [],
        limit: Int? = nil
    ) -> any ItemPrinter {
        switch self {
        case .table: TablePrinter(to: sink, on: terminal, providers: providers, limit: limit)
        case .json: JSONPrinter(to: sink, on: terminal)
        case .jsonl: JSONLinesPrinter(to: sink, on: terminal)
        case .csv: CSVPrinter(to: sink, on: terminal)
        case .urls: URLPrinter(to: sink)
        case .template(let template): TemplatePrinter(template, to: sink, on: terminal)
        }
    }
}
