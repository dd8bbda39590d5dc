import ProviderModel
import ProviderRuntime
import ProviderTesting
import WorkerProtocol

/// Looks at providers' files as a linter does: what is against the contract, and what is most likely not meant so.
package enum ProviderReview {
    /// What there is to say about a file.
    package static func check(_ file: ProviderFile, _ settings: ConformanceSettings) async -> CheckedProvider {
        var manifest: ProviderManifest?
        var remarks: [ProviderRemark] = []
        let name = "\(file.id).js"
        // A file that cannot be read has no text to outline; loading says why.
        let outline = SourceOutline((try? file.source().text) ?? "", file: name)
        let suite = await ConformanceSubject.withSubject(file, settings, named: "check") { subject, _ in
            manifest = subject.manifest
            let reviewed = ReviewedProvider(
                subject: subject, outline: outline, observation: await ProviderObservation(of: subject))
            remarks = rules.flatMap { $0(reviewed) }
        }
        for problem in suite.cases.flatMap(\.problems) where manifest == nil {
            remarks.append(broken(problem, outline))
        }
        return CheckedProvider(
            path: file.path, manifest: manifest,
            remarks: remarks.sorted {
                ($0.location.line, $0.location.column, $0.rule) < ($1.location.line, $1.location.column, $1.rule)
            })
    }

    private typealias Rule = @Sendable (ReviewedProvider) -> [ProviderRemark]

    private static let rules: [Rule] = [
        { $0.manifestRemarks }, { $0.parameterRemarks }, { $0.pagingRemarks }, { $0.hostRemarks },
        { $0.requestRemarks },
        { $0.recordingRemarks },
        { $0.textRemarks },
    ]

    /// The error that keeps a file from being used, at the member it is about.
    private static func broken(_ problem: TestReport.Problem, _ outline: SourceOutline) -> ProviderRemark {
        let message =
            problem.message.hasPrefix(preamble) ? String(problem.message.dropFirst(preamble.count)) : problem.message
        let path = problem.path ?? ""
        var place = problem.location ?? outline.place(of: path)
        // What was stopped without a place may stand anywhere: at the top level of the file, before all that it exports.
        let hasPlace =
            problem.location.map { $0.line > 0 } == true || !path.isEmpty || !message.hasSuffix(ScriptLimit.wasStopped)
        guard hasPlace else {
            return ProviderRemark(
                "contract", .error, at: SourceLocation(file: place.file), message, fix: problem.hint ?? "")
        }
        if place.line == 0 || !path.isEmpty && place.line <= 1 { place = outline.place(of: path) }
        if place.column == 0 { place.column = outline.firstColumn(of: place.line) }
        let text = path.isEmpty ? message : "\(path): \(message)"
        let fix = problem.hint ?? ContractFix(of: message, at: path, outline).sentence
        return ProviderRemark("contract", .error, at: place, text, fix: fix)
    }

    private static let preamble = "the file cannot be used: "
}

/// A provider with everything that rules look at.
struct ReviewedProvider: Sendable {
    let subject: ConformanceSubject
    let outline: SourceOutline
    let observation: ProviderObservation

    var manifest: ProviderManifest { subject.manifest }

    /// A remark at a member of the provider's object.
    func remark(_ rule: String, _ severity: ProviderRemark.Severity, at path: String, _ message: String, fix: String)
        -> ProviderRemark
    {
        ProviderRemark(rule, severity, at: outline.place(of: path), message, fix: fix)
    }

    /// Where an operation stands; those of a theme stand in the theme.
    func place(of operation: Operation) -> SourceLocation {
        outline.has(operation.rawValue)
            ? outline.place(of: operation.rawValue) : subject.location(of: operation) ?? outline.place(of: "")
    }
}
