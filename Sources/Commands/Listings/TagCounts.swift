import ProviderModel

/// How often each tag is among the results; tags that differ in case only are one.
struct TagCounts {
    /// A tag as it was first written, and how many items have it.
    struct Entry: Hashable, Sendable {
        let tag: String
        var count: Int
        fileprivate let order: Int
    }

    private static let barWidth = 24

    private var entries: [String: Entry] = [:]

    /// No tags.
    init() {}

    /// Counts an item's tags, each once.
    mutating func add(_ item: Item) {
        var seen: Set<String> = []
        for tag in item.tags {
            let trimmed = tag.trimmingSpaces
            let key = trimmed.lowercased()
            guard !key.isEmpty, seen.insert(key).inserted else { continue }
            let first = Entry(tag: trimmed, count: 0, order: entries.count)
            entries[key, default: first].count += 1
        }
    }

    /// Whether no item had any.
    var isEmpty: Bool { entries.isEmpty }

    /// The tags, the most frequent first, then in the order they came.
    var ranked: [Entry] {
        entries.values.sorted { ($1.count, $0.order) < ($0.count, $1.order) }
    }

    /// The table's lines: count, bar, tag; the bar is for terminals only.
    func lines(on terminal: Terminal, limit: Int? = nil) -> [String] {
        let shown = ranked.prefix(limit ?? .max)
        guard let most = shown.first?.count else { return [] }
        let barWidth = min(Self.barWidth, terminal.width / 3)
        var table = Table(columns: [.init("", alignment: .right), .init(""), .init("", .cut(to: 4))])
        for entry in shown {
            let bar = terminal.isTerminal ? Self.bar(entry.count, of: most, width: barWidth) : ""
            table.add([TableCell(String(entry.count)), TableCell(bar, .accent(0)), TableCell(entry.tag, .bold)])
        }
        return table.lines(on: terminal)
    }

    /// All tags as a JSON array of `{"tag": …, "count": …}` on one line.
    func json(on terminal: Terminal) -> [UInt8] {
        var writer = JSONWriter()
        writer.array(ranked) { Self.write($1, to: &$0) }
        return Self.line(writer, on: terminal)
    }

    /// All tags, one JSON object to a line.
    func jsonLines(on terminal: Terminal) -> [UInt8] {
        ranked.flatMap { entry in
            var writer = JSONWriter()
            Self.write(entry, to: &writer)
            return Self.line(writer, on: terminal)
        }
    }

    /// All tags as comma-separated values with a header.
    var csv: String {
        ranked.reduce("tag,count\r\n") { $0 + CSVPrinter.record([TerminalText.line($1.tag), "\($1.count)"]) }
    }

    private static func write(_ entry: Entry, to writer: inout JSONWriter) {
        writer.object { json in
            json.member("tag", entry.tag)
            json.member("count", entry.count)
        }
    }

    private static func line(_ writer: JSONWriter, on terminal: Terminal) -> [UInt8] {
        (terminal.isTerminal ? TerminalText.escapedJSON(writer.bytes) : writer.bytes) + Array("\n".utf8)
    }

    /// A bar in eighths of a cell, never empty.
    private static func bar(_ count: Int, of most: Int, width: Int) -> String {
        let eighths = max(1, count * width * 8 / most)
        let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
        return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
    }
}
