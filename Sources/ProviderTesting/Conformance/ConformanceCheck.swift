import ProviderModel

/// A check that holds for every provider.
protocol ConformanceCheck: Sendable {
    /// The check as a phrase that is true when it passes.
    var name: String { get }
    /// Why it matters, in one sentence.
    var reason: String { get }

    /// Runs the check.
    func findings(on subject: ConformanceSubject) async -> CheckFindings
}

extension ConformanceCheck {
    /// Runs the check as a case of a report.
    func result(on subject: ConformanceSubject) async -> TestReport.Case {
        let start = ContinuousClock.now
        let findings = await findings(on: subject)
        let outcome = findings.outcome
        let why = outcome == .failed || outcome == .warning ? reason : nil
        let note = [findings.note, why].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ". ")
        return TestReport.Case(
            name, outcome, note: note.isEmpty ? nil : note, hint: findings.hint, problems: findings.problems,
            duration: ContinuousClock.now - start, memory: findings.memory)
    }
}

/// The findings of a check.
struct CheckFindings: Sendable {
    /// What fails the check.
    private(set) var failures: [TestReport.Problem] = []
    /// What deserves a look.
    private(set) var warnings: [TestReport.Problem] = []
    /// What the failures and the warnings say: a large cassette may give one for each of its entries.
    private var said: (failures: Set<String>, warnings: Set<String>) = ([], [])
    /// Figures, or why the check was skipped.
    var note: String?
    /// What to do where nothing was tried.
    var hint: Hint?
    /// Whether the check could not run.
    var isSkipped = false
    /// What was measured.
    var memory: Int?

    /// Nothing wrong.
    static let none = CheckFindings()

    /// Nothing could be tried, for this reason.
    static func skipped(_ reason: String, hint: Hint? = nil) -> CheckFindings {
        var findings = CheckFindings()
        findings.note = reason
        findings.hint = hint
        findings.isSkipped = true
        return findings
    }

    /// Adds a failure once, however often it occurs.
    mutating func fail(_ problem: TestReport.Problem) {
        if said.failures.insert(problem.message).inserted { failures.append(problem) }
    }

    /// Adds a warning once, however often it occurs.
    mutating func warn(_ problem: TestReport.Problem) {
        if said.warnings.insert(problem.message).inserted { warnings.append(problem) }
    }

    /// Adds a failure once, however often it occurs.
    mutating func fail(
        _ message: String, hint: Hint? = nil, location: SourceLocation? = nil, path: String? = nil,
        diff: String? = nil
    ) {
        fail(TestReport.Problem(message, hint: hint, location: location, path: path, diff: diff))
    }

    /// Adds an error as a failure, with its place.
    mutating func fail(
        _ error: any Error, during what: String, hint: Hint? = nil, at location: SourceLocation? = nil
    ) {
        fail(TestReport.Problem(error, during: what, hint: hint, at: location))
    }

    /// Adds a warning once, however often it occurs.
    mutating func warn(
        _ message: String, hint: Hint? = nil, location: SourceLocation? = nil, path: String? = nil
    ) {
        warn(TestReport.Problem(message, hint: hint, location: location, path: path))
    }

    /// The outcome: what is wrong weighs more than what was not tried.
    var outcome: TestReport.Outcome {
        !failures.isEmpty ? .failed : !warnings.isEmpty ? .warning : isSkipped ? .skipped : .passed
    }

    /// More of one kind says nothing new.
    private static let mostShown = 6

    /// The problems that are shown, and how many more there are.
    var problems: [TestReport.Problem] {
        let all = failures + warnings
        guard all.count > Self.mostShown else { return all }
        return all.prefix(Self.mostShown) + [TestReport.Problem("and \(all.count - Self.mostShown) more")]
    }
}
