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

    /// Whether anything could not be found out, or is to be looked at.
    var hasDoubt: Bool { checks.contains { $0.finding == .doubtful } }

    /// Adds what was found about a subject, and what to do about it.
    mutating func add(_ finding: Finding, _ subject: String, _ detail: String = "", hint: String? = nil) {
        checks.append(Check(finding: finding, subject: subject, detail: detail, hint: hint))
    }

    /// The list's lines: a mark, the subject, what was found; the hint below.
    func lines(on terminal: Terminal) -> [String] {
        var table = Table(columns: [.init(""), .init("", .wrapped)])
        for check in checks {
            let needsAttention = check.finding == .doubtful || check.finding == .bad
            let subject = TableCell(check.subject, needsAttention ? .bold : .plain)
            table.add([subject.cut(to: 32), TableCell(check.detail)])
        }
        return zip(checks, table.rowLines(on: terminal.narrowed(by: 2))).flatMap { check, lines in
            let mark = terminal.paint(check.finding.mark, check.finding.style)
            return lines.enumerated().map { ($0 == 0 ? mark : " ") + " " + $1 }
                + (check.hint.map { terminal.labelled("hint:", .dim, $0, indent: 2) } ?? [])
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
