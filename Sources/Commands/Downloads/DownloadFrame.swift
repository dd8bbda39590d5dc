/// What a terminal shows of downloads at one moment: a line for each file under way, and one for all of them.
struct DownloadFrame: Hashable, Sendable {
    /// A file under way.
    struct File: Hashable, Sendable {
        var path: String
        var bytes: Int
        var length: Int?
    }

    var files: [File] = []
    /// Files under way besides those.
    var otherFiles = 0
    var done = 0
    var expected: Int?
    var failed = 0
    var bytes = 0
    /// Bytes a second.
    var speed: Double?
    var timeLeft: Duration?
    var isStopping = false

    /// The lines, none as long as the terminal's: some move on when the last cell is filled.
    func lines(on terminal: Terminal) -> [String] {
        let width = terminal.width - 1
        return files.map { line(for: $0, width, terminal) } + [lineForAll(width, terminal)]
    }

    private func line(for file: File, _ width: Int, _ terminal: Terminal) -> String {
        let barWidth = width >= 100 ? 24 : width >= 70 ? 18 : width >= 36 ? 8 : 0
        let hasSize = width >= 55
        let share = file.length.map { $0 > 0 ? min(Double(file.bytes) / Double($0), 1) : 0 }
        let percent = share.map { "\(Int($0 * 100))%" } ?? ""
        let nameWidth = width - (barWidth > 0 ? barWidth + 2 : 0) - 6 - (hasSize ? 11 : 0)
        let fits = file.path.displayWidth <= nameWidth
        let name = fits ? file.path : String(file.path.split(separator: "/").last ?? "")
        var line = TableCell(name).rendered(width: nameWidth, on: terminal)
        if barWidth > 0 { line += "  " + Self.bar(share ?? 0, barWidth, terminal) }
        line += "  " + percent.padding(to: 4) + percent
        if hasSize {
            let size = file.bytes.byteCount
            line += "  " + size.padding(to: 9) + terminal.paint(size, .dim)
        }
        return line
    }

    private func lineForAll(_ width: Int, _ terminal: Terminal) -> String {
        let parts = partsForAll
        var shown: [TableCell] = []
        var used = 0
        for part in parts where used + part.text.displayWidth + (used > 0 ? 3 : 0) <= width {
            used += part.text.displayWidth + (used > 0 ? 3 : 0)
            shown.append(part)
        }
        let text = shown.map { $0.rendered(on: terminal) }.joined(separator: terminal.paint(" · ", .dim))
        let barWidth = min(width - used - 2, 24)
        guard let share, barWidth >= 6 else { return text }
        return Self.bar(share, barWidth, terminal) + "  " + text
    }

    private var share: Double? {
        guard let expected, expected > 0 else { return nil }
        // One large file moves by its bytes; many small ones by their number.
        let begun = files.reduce(0.0) { sum, file in
            sum + (file.length.map { Double(file.bytes) / Double(max($0, 1)) } ?? 0)
        }
        return min((Double(done) + begun) / Double(expected), 1)
    }

    /// What is said of all, the most important first.
    private var partsForAll: [TableCell] {
        var parts = [TableCell(expected.map { "\(done.grouped) of \($0.grouped)" } ?? "\(done.grouped) done", .bold)]
        if isStopping { parts.append(TableCell("stopping", .warning)) }
        if failed > 0 { parts.append(TableCell("\(failed.grouped) failed", .bad)) }
        if let speed { parts.append(TableCell("\(Int(speed).byteCount)/s")) }
        if let timeLeft, !isStopping { parts.append(TableCell("\(timeLeft.inWords) left")) }
        parts.append(TableCell(bytes.byteCount, .dim))
        if otherFiles > 0 { parts.append(TableCell("\(otherFiles) more under way", .dim)) }
        return parts
    }

    private static func bar(_ share: Double, _ width: Int, _ terminal: Terminal) -> String {
        let filled = min(max(Int(share * Double(width)), 0), width)
        let full = String(repeating: "━", count: filled)
        let rest = String(repeating: terminal.hasColors ? "━" : "·", count: width - filled)
        return terminal.paint(full, share >= 1 ? .good : .accent(0)) + terminal.paint(rest, .dim)
    }
}
