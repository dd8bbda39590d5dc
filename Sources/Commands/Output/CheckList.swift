/// Checks with their results, and a hint where something is wrong.
struct CheckList {
    /// The result of a check.
    enum Finding: Hashable, Sendable {
        case good
        /// Neither good nor bad.
        case neutral
        case doubtful
        case bad
    }

    private struct Check {
        let finding: Finding
        let subject: String
        let detail: String
        let hint: String?
    }

    private var checks: [Check] = []

    /// A list without checks.
    init() {}

    /// Whether anything is bad.
    var hasFailure: Bool { checks.contains { $0.finding == .bad } }

    /// Adds what was found about a subject, and what to do about it.
    mutating func add(_ finding: Finding, _ subject: String, _ detail: String = "", hint: String? = nil) {
        checks.append(Check(finding: finding, subject: subject, detail: detail, hint: hint))
    }

    /// The list's lines: a mark, the subject, what was found; the hint below.
    func lines(on terminal: Terminal) -> [String] {
        let width = min(checks.map(\.subject.displayWidth).max() ?? 0, 32)
        return checks.flatMap { check -> [String] in
            let mark = TableCell(check.finding.mark, check.finding.style).rendered(on: terminal)
            let needsAttention = check.finding == .doubtful || check.finding == .bad
            let subject = TableCell(check.subject, needsAttention ? .bold : .plain)
            let room = max(terminal.width - width - 4, 20)
            let details = TextWrapping(width: room, breaksWords: false).lines(of: TerminalText.line(check.detail))
            var row = TableRow()
            row.add(subject, width: width)
            row.add(TableCell(details[0]), width: nil)
            var lines = ["\(mark) \(row.line(on: terminal))"]
            lines += details.dropFirst().map { String(repeating: " ", count: width + 4) + $0 }
            guard let hint = check.hint else { return lines }
            let wrapped = TextWrapping(width: terminal.width - 8, breaksWords: false).lines(of: TerminalText.line(hint))
            let label = terminal.paint("hint: ", .dim)
            return lines + wrapped.enumerated().map { "  " + ($0 == 0 ? label : "      ") + $1 }
        }
    }
}

extension CheckList.Finding {
    fileprivate var mark: String {
        switch self {
        case .good: "✓"
        case .neutral: "·"
        case .doubtful: "!"
        case .bad: "✗"
        }
    }

    fileprivate var style: TextStyle {
        switch self {
        case .good: .good
        case .neutral: .dim
        case .doubtful: .warning
        case .bad: .bad
        }
    }
}
