import Glibc
import ImgScript
import ProviderAuthoring
import ProviderModel
import ProviderRuntime
import ProviderTesting

/// The tools that make a provider: drafted from a request, checked and tested in the sandbox, in a folder that the user named.
struct AuthoringTools: Sendable {
    let engine: ImageEngine
    let folder: String
    let settings: TestSettings

    var tools: [MCPTool] { [draft, check, test] }

    private var draft: MCPTool {
        MCPTool(name: "draft_provider") { arguments, _ in
            let id = try await ownID(arguments)
            let files = NewProviderFiles(id: id, folder: folder)
            try files.checkAreFree(cassette: nil)
            let request = arguments.text("request") ?? ""
            let command =
                request.isWebAddress ? CurlCommand(url: try WebURL(request)) : try CurlCommand(parsing: request)
            var exchange =
                if let response = arguments.text("response") {
                    try ProviderDraft.Exchange(recorded: Array(response.utf8), request: command, id: id)
                } else {
                    try await ProviderDraft.Exchange(sending: command, for: id, through: LiveService(engine))
                }
            exchange.searched = arguments.values["text"]?.textValue ?? exchange.searched
            let draft = try ProviderDraft(exchange, id: id)
            try files.checkAreFree(cassette: draft.cassette)
            return MCPResult(structured: [
                "files": .texts(try files.write(draft)), "script": .text(draft.script),
                "findings": .texts(draft.findings.map { "\($0.subject): \($0.detail)" }),
                "notes": .texts(draft.notes),
            ])
        }
    }

    private var check: MCPTool {
        MCPTool(name: "check_provider") { arguments, _ in
            let checked = await ProviderReview.check(try await file(arguments), settings)
            let findings = checked.findings.map { finding in
                Self.finding(
                    finding.location.description, finding.severity.rawValue, finding.message, finding.fix)
            }
            return MCPResult(structured: ["usable": .boolean(checked.isUsable), "findings": .array(findings)])
        }
    }

    private var test: MCPTool {
        MCPTool(name: "test_provider") { arguments, _ in
            let file = try await file(arguments)
            var suites = [await ProviderConformance.suite(of: file, settings)]
            if ProviderExpectations.hasTests(file) {
                suites.append(await ProviderExpectations.suite(of: file, settings))
            }
            let cases = suites.flatMap(\.cases)
            let findings = cases.filter { [.failed, .warning].contains($0.outcome) }.flatMap { test in
                test.problems.map { problem in
                    let name = (test.groups + [test.name]).joined(separator: " › ")
                    return Self.finding(name, test.outcome.rawValue, problem.message, problem.hint)
                }
            }
            return MCPResult(
                structured: .members([
                    ("passed", .integer(cases.count { $0.outcome == .passed })),
                    ("failed", .integer(cases.count { $0.outcome == .failed })), ("findings", .array(findings)),
                ]))
        }
    }

    private static func finding(_ place: String, _ severity: String, _ message: String, _ fix: Hint?) -> JSONValue {
        .members([
            ("place", .string(place)), ("severity", .string(severity)), ("message", .string(message)),
            ("fix", .string(fix?.commandText)),
        ])
    }

    /// The id that a call names; throws where it is that of a provider elsewhere, in whose place the file would be used.
    private func ownID(_ arguments: MCPArguments) async throws -> ProviderID {
        let name = arguments.text("name") ?? ""
        guard let id = ProviderID(name) else {
            throw MCPTool.Failure("name: found \(name.quoted) (expected \(ProviderID.naming))")
        }
        // One that is not installed has no listing.
        let known = try? await engine.listing(of: name)
        guard (known.map { [$0.path] + $0.shadowed } ?? []).allSatisfy({ $0 == "\(folder)/\(id).js" }) else {
            throw MCPTool.Failure("name: there is a provider \(id) already (expected a new name)")
        }
        return id
    }

    /// The file that a call names, with the script that it brings.
    private func file(_ arguments: MCPArguments) async throws -> ProviderFile {
        let id = try await ownID(arguments)
        let path = "\(folder)/\(id).js"
        if let script = arguments.text("script") {
            try NewProviderFiles(id: id, folder: folder).replace(script: script)
        }
        guard access(path, F_OK) == 0 else {
            throw MCPTool.Failure(
                message: "name: there is no \(path)", hint: "draft_provider makes one, or pass its script")
        }
        // The engine has the text that was there before; what is wrong with this one is what the check says.
        _ = try? await engine.reloadedProvider(at: path)
        return ProviderFile(id: id, folder: folder)
    }
}
