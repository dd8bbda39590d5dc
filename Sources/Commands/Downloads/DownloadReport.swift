import ImgScript

/// The lines at the end of downloads: what was done, what failed and why, how to go on.
struct DownloadReport {
    let tally: DownloadTally
    let folder: String
    let elapsed: Duration
    let wasInterrupted: Bool
    /// The command that tries what failed again.
    let retryCommand: String
    /// After how many in a row that were there already it ended; nil where it did not.
    var endedAfterSkips: Int?
    /// What to say when there was nothing to do.
    var emptyNote = "nothing to fetch"

    /// The lines for a terminal or a file.
    func lines(on terminal: Terminal) -> [String] {
        var parts = [TableCell(amount, .bold)]
        if tally.skipped > 0 { parts.append(TableCell("\(tally.skipped.grouped) there already")) }
        if tally.failed > 0 { parts.append(TableCell("\(tally.failed.grouped) failed", .bad)) }
        let separator = terminal.paint(" · ", .dim)
        var lines = [wrapped(parts, separator, on: terminal)].flatMap(\.self)
        for reason in tally.reasons.sorted(by: { $0.count > $1.count }) {
            let more = reason.count > reason.examples.count && !reason.examples.isEmpty ? " …" : ""
            let examples = reason.examples.isEmpty ? "" : ": " + reason.examples.joined(separator: ", ") + more
            let cell = TableCell("\(reason.count.grouped) × \(reason.text)\(examples)")
            lines.append("  " + cell.rendered(cutTo: terminal.isTerminal ? terminal.width - 3 : nil, on: terminal))
        }
        if tally.canRetry, !wasInterrupted { lines.append(hint("\(retryCommand) tries what failed again", terminal)) }
        if let endedAfterSkips {
            lines.append(
                hint(
                    "ended by --abort-after: \(endedAfterSkips.grouped) in a row were there already; "
                        + "without it, the rest is looked at too", terminal))
        }
        if wasInterrupted {
            lines.append(
                hint(
                    "run the same command again to go on: complete files are skipped, begun ones continued", terminal))
        }
        return lines
    }

    private var amount: String {
        guard tally.finished > 0 else {
            return wasInterrupted ? "no file finished yet" : tally.done == 0 ? emptyNote : "nothing fetched"
        }
        let files = tally.finished == 1 ? "1 file" : "\(tally.finished.grouped) files"
        return "\(files) in \(folder), \(tally.bytes.byteCount) in \(elapsed.inShort)"
    }

    private func wrapped(_ parts: [TableCell], _ separator: String, on terminal: Terminal) -> [String] {
        let text = parts.map { $0.rendered(on: terminal) }
        let width = parts.reduce(-3) { $0 + $1.text.displayWidth + 3 }
        return width < terminal.width || !terminal.isTerminal ? [text.joined(separator: separator)] : text
    }

    private func hint(_ text: String, _ terminal: Terminal) -> String {
        let lines = terminal.isTerminal ? TextWrapping(width: terminal.width - 5).lines(of: text) : [text]
        return "  → " + lines.joined(separator: "\n    ")
    }
}

extension Duration {
    /// `0.4 s` below ten seconds, then as elsewhere.
    var inShort: String {
        let tenths = Int((self / .milliseconds(100)).rounded())
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10) s" : inWords
    }
}
