import ProviderModel
import ProviderRuntime
import ProviderTesting
import WorkerProtocol

/// A finding about a provider's file.
package struct ProviderFinding: Hashable, Sendable {
    /// How much it matters, worst first.
    package enum Severity: String, Sendable, CaseIterable {
        /// The file cannot be used, or does something else than it says.
        case error
        /// Something is most likely not meant so.
        case warning
        /// Something could be better.
        case hint
    }

    /// The rule's name: `unused-parameter`.
    package let rule: String
    package let severity: Severity
    /// Where, as far as that is known.
    package let location: SourceLocation
    /// What was found, and what was expected.
    package let message: String
    /// What to do.
    package let fix: Hint

    init(_ rule: String, _ severity: Severity, at location: SourceLocation, _ message: String, fix: Hint) {
        self.rule = rule
        self.severity = severity
        self.location = location
        self.message = message
        self.fix = fix
    }
}

/// The result of checking one provider's file.
package struct CheckedProvider: Sendable {
    /// The file.
    package let path: String
    /// Its manifest; nil for a file that cannot be used.
    package let manifest: ProviderManifest?
    /// In the order of the file.
    package let findings: [ProviderFinding]

    /// Whether the file can be used.
    package var isUsable: Bool { !findings.contains { $0.severity == .error } }
}

/// Checks providers' files as a linter does: violations of the contract, and likely mistakes.
package enum ProviderReview {
    /// The findings about a file.
    package static func check(_ file: ProviderFile, _ settings: TestSettings) async -> CheckedProvider {
        var manifest: ProviderManifest?
        var findings: [ProviderFinding] = []
        let name = "\(file.id).js"
        // A file that cannot be read has no text to outline; loading says why.
        let outline = SourceOutline((try? file.source().text) ?? "", file: name)
        let suite = await ConformanceSubject.withSubject(file, settings, named: "check") { subject, _ in
            manifest = subject.manifest
            let reviewed = ReviewedProvider(
                subject: subject, outline: outline, observation: await ProviderObservation(of: subject))
            findings = rules.flatMap { $0(reviewed) }
        }
        for problem in suite.cases.flatMap(\.problems) where manifest == nil {
            findings.append(broken(problem, outline))
        }
        return CheckedProvider(
            path: file.path, manifest: manifest,
            findings: findings.sorted {
                ($0.location.line, $0.location.column, $0.rule) < ($1.location.line, $1.location.column, $1.rule)
            })
    }

    private typealias Rule = @Sendable (ReviewedProvider) -> [ProviderFinding]

    private static let rules: [Rule] = [
        { $0.manifestFindings }, { $0.authenticationFindings }, { $0.matchFindings }, { $0.parameterFindings },
        { $0.pagingFindings }, { $0.hostFindings }, { $0.requestFindings }, { $0.recordingFindings },
        { $0.mediaFindings }, { $0.textFindings }, { $0.addressFindings }, { $0.fieldFindings },
    ]

    /// The error that keeps a file from being used, at the member it is about.
    private static func broken(_ problem: TestReport.Problem, _ outline: SourceOutline) -> ProviderFinding {
        let message =
            problem.message.hasPrefix(preamble) ? String(problem.message.dropFirst(preamble.count)) : problem.message
        let path = problem.path ?? ""
        var place = problem.location ?? outline.place(of: path)
        // What was stopped without a place may stand anywhere: at the top level of the file, before all that it exports.
        let hasPlace =
            problem.location.map { $0.line > 0 } == true || !path.isEmpty || !message.hasSuffix(ScriptLimit.wasStopped)
        guard hasPlace else {
            return ProviderFinding(
                "contract", .error, at: SourceLocation(file: place.file), message, fix: problem.hint ?? "")
        }
        if place.line == 0 || !path.isEmpty && place.line <= 1 { place = outline.place(of: path) }
        if place.column == 0 { place.column = outline.firstColumn(of: place.line) }
        let text = path.isEmpty ? message : "\(path): \(message)"
        let fix = problem.hint ?? ContractFix(of: message, at: path, outline).hint
        return ProviderFinding("contract", .error, at: place, text, fix: fix)
    }

    private static let preamble = "the file cannot be used: "
}

/// A provider with everything that rules look at.
struct ReviewedProvider: Sendable {
    let subject: ConformanceSubject
    let outline: SourceOutline
    let observation: ProviderObservation

    var manifest: ProviderManifest { subject.manifest }

    /// A finding at a member of the provider's object.
    func finding(_ rule: String, _ severity: ProviderFinding.Severity, at path: String, _ message: String, fix: Hint)
        -> ProviderFinding
    {
        ProviderFinding(rule, severity, at: outline.place(of: path), message, fix: fix)
    }

    /// Where an operation stands; those of a theme stand in the theme.
    func place(of operation: ProviderOperation) -> SourceLocation {
        outline.has(operation.rawValue)
            ? outline.place(of: operation.rawValue) : subject.location(of: operation) ?? outline.place(of: "")
    }
}
