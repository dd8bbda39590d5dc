import ImgScript

/// Shows where files would go and where they come from: one line each.
struct PlanPrinter {
    let output: StandardOutput
    let terminal: Terminal
    let isJSON: Bool

    /// Shows a file; in a pipe only those that would be fetched, path and address apart by a tab.
    func print(_ file: PlannedFile, _ skip: SkipReason?) throws {
        if isJSON { return try printJSON(file, skip) }
        guard skip == nil else { return }
        guard terminal.isTerminal else {
            return try output.writeLine("\(file.path)\t\(file.url)")
        }
        let path = TableCell(file.path)
        let room = terminal.width - path.text.displayWidth - 3
        let url = TableCell(file.url.description, .dim, link: file.url)
        let fits = url.text.displayWidth <= room || terminal.style.hasLinks && room >= 20
        let separator = fits ? "  " : "\n    "
        let shown =
            fits && terminal.style.hasLinks ? url.rendered(cutTo: room, on: terminal) : url.rendered(on: terminal)
        try output.writeLine(path.rendered(on: terminal) + separator + shown)
        try output.flush()
    }

    private func printJSON(_ file: PlannedFile, _ skip: SkipReason?) throws {
        var json = JSONWriter()
        json.object { json in
            json.member("event", "planned")
            json.planned(file)
            json.member("skipped", skip?.word)
        }
        try output.write(json.bytes + [UInt8(ascii: "\n")])
    }
}
