/// Coverage for people at a terminal: a line for each file, with the lines that nothing reached.
package struct CoverageTable: Sendable {
    private let paint: ReportPaint
    private let width: Int

    /// A table with these colours, as wide as a terminal.
    package init(width: Int = 100, paint: @escaping ReportPaint = { text, _ in text }) {
        self.width = width
        self.paint = paint
    }

    /// The table.
    package func text(of report: CoverageReport) -> String {
        guard !report.files.isEmpty else { return "coverage: no file was read\n" }
        let paths = report.files.map { $0.path.onOneLine }
        let column = min(max(12, (paths + ["all files"]).map(\.count).max() ?? 0), max(12, width - 50))
        let heads = "  lines  functions  branches  not reached"
        var lines = [paint("Coverage".padded(to: column) + heads, .heading)]
        for (file, path) in zip(report.files, paths) {
            let name = path.count > column ? "…" + path.suffix(column - 1) : path
            if let trouble = file.counts.trouble {
                lines.append(name.padded(to: column) + paint("  cannot be counted: \(trouble.onOneLine)", .warning))
                continue
            }
            lines.append(
                name.padded(to: column) + shares(file.lines, file.functions, file.branches)
                    + paint(missing(file.missingLines, width: max(16, width - column - 32)), .failed))
        }
        if report.files.count > 1 {
            let total = { (part: (CoverageReport.File) -> CoverageReport.Share) in
                report.files.map(part).reduce(CoverageReport.Share(), +)
            }
            lines.append("all files".padded(to: column) + shares(total(\.lines), total(\.functions), total(\.branches)))
        }
        return lines.map { $0.trimmingEnd }.joined(separator: "\n") + "\n"
    }

    private func shares(_ parts: CoverageReport.Share...) -> String {
        zip(parts, [7, 11, 10]).map { share, width in
            guard let percent = share.percent else { return paint("–".padded(before: width), .dim) }
            let whole = Int(percent)
            let text = "\(whole).\(Int((percent * 10).rounded()) - whole * 10)%"
            return paint(text.padded(before: width), percent >= 80 ? .passed : percent >= 50 ? .warning : .failed)
        }.joined() + "  "
    }

    /// As many runs as fit, and how many more there are.
    private func missing(_ runs: [String], width: Int) -> String {
        var text = ""
        for (index, run) in runs.enumerated() {
            let next = text.isEmpty ? run : "\(text), \(run)"
            guard next.count <= width - 10 || index == 0 else { return "\(text), \(runs.count - index) more" }
            text = next
        }
        return text
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    fileprivate func padded(before width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }

    fileprivate var trimmingEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
