import ProviderModel

/// The columns of a list as `--format csv` writes it (RFC 4180), of which each record stands for an image.
package struct CSVInput {
    private let columns: [String]

    /// The columns of such a list, named like the fields of a template; a first line of some of them is its header.
    package static let columns = [
        "provider", "id", "title", "page", "author", "license", "created", "width", "height", "url", "tags",
        "aiGenerated",
    ]

    /// Reads a header; nil for a line of another kind.
    init?(header line: String) {
        let columns = Self.cells(of: line)
        guard columns.count > 1, Set(columns).count == columns.count, Set(Self.columns).isSuperset(of: columns),
            columns.contains("url") || columns.contains("provider") && columns.contains("id")
        else { return nil }
        self.columns = columns
    }

    /// Whether a record goes on in the next line: a value in quotes holds the line break.
    static func isOpen(_ record: String) -> Bool { record.utf8.count { $0 == UInt8(ascii: "\"") } % 2 == 1 }

    /// What a record stands for: an image with what its cells say, else the file at its URL.
    func subject(of record: String) -> DownloadInput.Subject {
        let cells = Self.cells(of: record)
        guard cells.count == columns.count else {
            return .unreadable(
                "found \(cells.count.counted("value")) (expected \(columns.count), as in the first line)")
        }
        let values = Dictionary(zip(columns, cells).filter { !$0.1.isEmpty }) { first, _ in first }
        guard let id = values["id"], let name = values["provider"] else {
            return values["url"].map { .reference($0) } ?? .unreadable("found no provider, id or URL")
        }
        guard let provider = ProviderID(name) else { return .unreadable("\(name.quoted) is not a provider's name") }
        return .item(Self.item(provider, id, values))
    }

    private static func item(_ provider: ProviderID, _ id: String, _ values: [String: String]) -> Item {
        var item = Item(provider: provider, id: id)
        item.title = values["title"]
        // What is no URL is left out, as in a result of a source.
        item.page = values["page"].flatMap { try? WebURL($0) }
        item.author = values["author"].map { Author(name: $0) }
        item.license = values["license"].map { License(id: $0) }
        item.created = values["created"]
        item.isAIGenerated = values["aiGenerated"].flatMap { Bool($0) }
        item.tags = values["tags"]?.split(separator: "; ").map(String.init) ?? []
        guard let url = values["url"].flatMap({ try? WebURL($0) }) else { return item }
        var media = Media(role: .original, url: url)
        media.width = values["width"].flatMap { Int($0) }
        media.height = values["height"].flatMap { Int($0) }
        item.media = [media]
        return item
    }

    /// The cells of one record.
    private static func cells(of record: String) -> [String] {
        var (cells, cell) = ([String](), [UInt8]())
        var (isQuoted, wasQuote) = (false, false)
        func finish() {
            cells.append(plain(String(decoding: cell, as: UTF8.self)))
            cell = []
        }
        for byte in record.utf8 {
            let isQuote = byte == UInt8(ascii: "\"")
            // Two quotes inside a quoted value are one.
            if isQuote, wasQuote { cell.append(byte) }
            wasQuote = isQuote && isQuoted
            if isQuote {
                isQuoted.toggle()
            } else if byte == UInt8(ascii: ","), !isQuoted {
                finish()
            } else {
                cell.append(byte)
            }
        }
        finish()
        return cells
    }

    /// A value without the apostrophe that keeps spreadsheets from computing it.
    private static func plain(_ value: String) -> String {
        let scalars = value.unicodeScalars
        guard scalars.first == "'", let second = scalars.dropFirst().first,
            "=+-@\t\r＝＋－＠".unicodeScalars.contains(second)
        else { return value }
        return String(value.dropFirst())
    }
}
