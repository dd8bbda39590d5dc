import ArgumentParser
import ImgScript
import ProviderAuthoring
import ProviderModel
import ProviderTesting

struct CheckProviders: EngineCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check provider files for errors and likely mistakes",
        discussion: """
            Each finding has a location, a severity and a fix. Scripts run in the sandbox against recorded responses; \
            no request is sent. The exit code is 1 on errors, and with --strict on warnings too.
            """)

    @Argument(
        help: ArgumentHelp("provider files, or folders of them", valueName: "path"),
        completion: .file(extensions: ["js"]))
    var paths: [String]

    @Option(help: ArgumentHelp("output format", valueName: "format"))
    var format = CheckFormat.text

    @Flag(help: "fail on warnings too")
    var strict = false

    @OptionGroup var engine: EngineOptions

    func run(in context: AppContext) async throws {
        let settings = TestSettings(context.settings)
        var checked: [CheckedProvider] = []
        for path in paths {
            let files = ProviderConformance.files(at: path)
            guard !files.isEmpty else {
                let problem = ProviderConformance.nothing(at: path)
                throw ProviderError(.provider, provider: "", message: problem.message, hint: problem.hint)
            }
            try await context.engine.checkInstance(isTakenByFiles: files.map(\.path))
            for file in files {
                let provider = await ProviderReview.check(file, settings)
                checked.append(provider)
                guard format == .text else { continue }
                try context.print(CheckReport(provider).lines(on: context.terminal))
                try context.output.flush()
            }
        }
        if format == .github {
            for provider in checked {
                for line in CheckReport(provider).annotations { try context.printLine(line) }
            }
        }
        if format == .json { try context.printLine(CheckReport.json(checked)) }
        let worst: [ProviderFinding.Severity] = strict ? [.error, .warning] : [.error]
        if checked.contains(where: { $0.findings.contains { worst.contains($0.severity) } }) {
            throw ExitStatus.failure
        }
    }
}

/// The forms that findings are printed in.
enum CheckFormat: String, OptionChoice {
    case text
    case json
    case github
}

/// The findings about one provider's file.
struct CheckReport {
    private let provider: CheckedProvider

    init(_ provider: CheckedProvider) { self.provider = provider }

    /// The file's state, then each finding with its location and its fix.
    func lines(on terminal: Terminal) -> [String] {
        var list = CheckList()
        if let manifest = provider.manifest, provider.isUsable {
            list.add(.good, "\(manifest.id) \(manifest.version)", "follows contract \(ProviderManifest.contract)")
            list.add(.good, "operations", manifest.operations.map(\.operation.rawValue).joined(separator: ", "))
        } else {
            let count = provider.findings.count { $0.severity == .error }
            list.add(.bad, provider.path, "\(count) \(count == 1 ? "error" : "errors")")
        }
        return list.lines(on: terminal) + provider.findings.flatMap { lines(of: $0, on: terminal) }
    }

    private func lines(of finding: ProviderFinding, on terminal: Terminal) -> [String] {
        let style = finding.severity.style
        let head = "\(TerminalText.line(place(of: finding))): \(terminal.paint(finding.severity.rawValue, style)): "
        let rule = terminal.paint(" [\(finding.rule)]", .dim)
        return [head + TerminalText.line(finding.message) + rule]
            + terminal.labelled("fix:", style, finding.fix.commandText, indent: 2)
    }

    private func place(of finding: ProviderFinding) -> String {
        let folder = provider.path.lastIndex(of: "/").map { String(provider.path[...$0]) }
        return folder?.path(to: finding.location.description) ?? finding.location.description
    }

    /// The findings as annotations of a GitHub workflow.
    var annotations: [String] {
        let folder = provider.path.lastIndex(of: "/").map { String(provider.path[..<$0]) } ?? ""
        return provider.findings.map { finding in
            GitHubAnnotation(
                level: finding.severity.level, title: finding.rule,
                message: "\(finding.message)\nfix: \(finding.fix.commandText)", location: finding.location,
                folder: folder
            ).line
        }
    }

    /// The findings of all files as one JSON text.
    static func json(_ checked: [CheckedProvider]) -> String {
        JSONValue.array(
            checked.map { provider in
                .object([
                    .init("file", .text(provider.path)),
                    .init("id", provider.manifest.map { .text($0.id.description) } ?? .null),
                    .init("version", provider.manifest.map { .text($0.version) } ?? .null),
                    .init("usable", .boolean(provider.isUsable)),
                    .init("findings", .array(provider.findings.map(CheckReport(provider).json))),
                ])
            }
        ).pretty
    }

    private func json(_ finding: ProviderFinding) -> JSONValue {
        .object([
            .init("rule", .text(finding.rule)), .init("severity", .text(finding.severity.rawValue)),
            .init("file", .text(finding.location.file)), .init("line", .number("\(finding.location.line)")),
            .init("column", .number("\(finding.location.column)")), .init("message", .text(finding.message)),
            .init("fix", .text(finding.fix.commandText)),
        ])
    }
}

extension ProviderFinding.Severity {
    fileprivate var level: GitHubAnnotation.Level {
        switch self {
        case .error: .error
        case .warning: .warning
        case .hint: .notice
        }
    }

    fileprivate var style: TextStyle {
        switch self {
        case .error: .bad
        case .warning: .warning
        case .hint: .dim
        }
    }
}
