import ArgumentParser
import FoundationEssentials
import Glibc
import ImgScript
import ProviderAuthoring
import ProviderModel
import ProviderRuntime
import ProviderTesting

struct NewProvider: EngineCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Create a provider in ./providers",
        discussion: """
            Without options it creates a provider from a template. With --from or --curl it derives the provider, its \
            test and its cassette from a response. Keys become auth, and are not stored in the files.

              imgscript providers new lakes --from 'https://lakes.example/v1?q=swan&page=1'
              imgscript providers new lakes --from 'https://lakes.example/swan' --next-page 'https://lakes.example/swan?at=2'
              imgscript providers new lakes --from answer.json --curl 'https://…'
              imgscript providers new lakes --curl "curl -H 'X-Api-Key: …' 'https://…'"
            """)

    @Argument(help: "name: a–z, 0–9 and -", completion: .nothing)
    var name: String

    @Option(
        help: ArgumentHelp(
            "response: a file, a cassette, a HAR archive, or a URL to request", valueName: "response"),
        completion: .file())
    var from: String?

    @Option(
        help: ArgumentHelp(
            "request: a curl command or a URL; sent unless --from has the response",
            valueName: "command"))
    var curl: String?

    @Option(
        help: ArgumentHelp(
            "request of the second page, which shows how pages follow; sent if the first is", valueName: "command"))
    var nextPage: String?

    @Option(help: ArgumentHelp("what the request searched for, if it is not obvious", valueName: "text"))
    var text: String?

    @Option(help: ArgumentHelp("template: json, html or feed (default: json)", valueName: "format"))
    var template: ProviderTemplate.Kind?

    @OptionGroup var engine: EngineOptions

    func validate() throws {
        if template != nil, from != nil || curl != nil {
            throw ValidationError.exclusive(["--template", from != nil ? "--from" : "--curl"])
        }
        if nextPage != nil, from == nil, curl == nil {
            throw ValidationError("--next-page: only allowed with --from or --curl")
        }
        // A dry run prints the request that would be sent; without a request, the files would be written all the same.
        guard let quiet = engine.withoutRequests.first, quiet != "--dry-run" || from == nil && curl == nil else {
            return
        }
        throw ValidationError("\(quiet): not possible here (a new provider needs a response)")
    }

    func run(in context: AppContext) async throws {
        guard let id = ProviderID(name) else {
            throw ProviderError(
                .unsupported, provider: "",
                message: "\(name.quoted) is not a valid provider name (expected \(ProviderID.naming), such as newsite)")
        }
        let files = NewProviderFiles(id: id, folder: "providers")
        guard from != nil || curl != nil else {
            try files.checkAreFree(cassette: nil)
            let path = try files.write(script: ProviderTemplate(id: id, kind: template ?? .json).text)
            _ = try EditorFiles(context.settings).write(into: "providers")
            context.status.note("wrote \(path); try: imgscript providers check \(path)")
            return
        }
        // Before a request is sent.
        try files.checkAreFree(cassette: nil)
        let source = RecordedSource(from: from, curl: curl, id: id, engine: context.engine)
        var exchange = try await source.exchange()
        if let nextPage { try await source.add(nextPage: nextPage, to: &exchange) }
        exchange.searched = try text ?? exchange.searched ?? askedText(for: exchange)
        let draft: ProviderDraft
        do throws(DraftError) { draft = try ProviderDraft(exchange, id: id) } catch {
            try keepRecording(of: exchange, in: files, context)
            throw error
        }
        try files.checkAreFree(cassette: draft.cassette)
        let paths = try files.write(draft) + EditorFiles(context.settings).write(into: "providers")
        try print(draft, paths: paths, context)
    }

    /// What was searched for, asked at a terminal; nil where the request says it, or nothing in it looks like words.
    private func askedText(for exchange: ProviderDraft.Exchange) throws -> String? {
        guard ProviderDraft.isTextUnknown(in: exchange) else { return nil }
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
            let names = ProviderDraft.possibleTexts(in: exchange)
            guard !names.isEmpty else { return nil }
            throw ProviderError(
                .unsupported, provider: "",
                message: "--text is missing: found \(names.map(\.quoted).joined(separator: ", ")) in the request "
                    + "(expected a name that stands for a text, such as q)",
                hint: "pass what was searched for, such as --text coffee, or --text '' for a list without a text")
        }
        let question = Array("What was searched for in this request? (Return for a list without a text) ".utf8)
        _ = write(STDERR_FILENO, question, question.count)
        return readLine()
    }

    /// Keeps the response that nothing could be derived from, beside a template: the author goes on from there.
    private func keepRecording(
        of exchange: ProviderDraft.Exchange, in files: NewProviderFiles, _ context: AppContext
    ) throws {
        guard let recording = ProviderDraft.recording(of: exchange, id: files.id) else { return }
        let start = String(decoding: exchange.content.prefix(400), as: UTF8.self).lowercased()
        let isMarkup = start.drop { $0.isWhitespace || $0 == "\u{feff}" }.hasPrefix("<")
        let isFeed = isMarkup && !start.contains("<html") && !start.contains("<!doctype html")
        let kind: ProviderTemplate.Kind = isFeed ? .feed : isMarkup ? .html : .json
        try files.checkAreFree(cassette: recording)
        let template = ProviderTemplate(id: files.id, kind: kind, url: exchange.command.url)
        let paths =
            try files.write(script: template.text, recording) + EditorFiles(context.settings).write(into: "providers")
        for path in paths { try context.printLine(context.terminal.paint("wrote ", .dim) + path) }
        try context.output.flush()
        context.status.note("the response is recorded; next: imgscript providers dev --sample \(paths[0])")
    }

    private func print(_ draft: ProviderDraft, paths: [String], _ context: AppContext) throws {
        var table = Table()
        for finding in draft.findings { table.add(finding.subject, TableCell(finding.detail)) }
        try context.print(table.lines(on: context.terminal))
        try context.printLine("")
        for path in paths { try context.printLine(context.terminal.paint("wrote ", .dim) + path) }
        try context.output.flush()
        for note in draft.notes { context.status.warning(note) }
        var steps = ["imgscript providers check \(paths[0])", "imgscript test \(paths[0])"]
        if let method = draft.authentication, !method.secretNames.isEmpty {
            steps.append("imgscript auth set \(draft.id)")
        }
        context.status.note("next: \(steps.joined(separator: "; "))")
    }
}

/// The response that a new provider is derived from: a file, a URL or a copied request.
struct RecordedSource {
    let from: String?
    let curl: String?
    let id: ProviderID
    let engine: ImageEngine

    /// The request with its response; it is sent where no file holds the response.
    func exchange() async throws -> ProviderDraft.Exchange {
        let command: CurlCommand?
        do { command = try curl.map { line throws(DraftError) in try CurlCommand(parsing: line) } } catch {
            throw Self.usage(error.description)
        }
        guard let from else {
            guard let command else { throw Self.usage("expected --from or --curl") }
            return try await send(command)
        }
        if from.isWebAddress {
            guard command == nil else {
                throw Self.usage("--from and --curl are both requests (expected one of them)")
            }
            let url: WebURL
            do throws(InvalidURL) { url = try WebURL(from) } catch {
                throw Self.usage("--from: invalid URL: \(error) (expected one without user name and password)")
            }
            return try await send(CurlCommand(url: url))
        }
        if let scheme = from.foreignScheme {
            throw Self.usage(
                "--from: unsupported scheme \(scheme) (expected https or http, or a file with the response)")
        }
        let content: Data
        do { content = try Data(contentsOf: URL(filePath: from)) } catch {
            throw Self.usage(
                "--from: could not read \(from): \(error.systemReason) (expected a file or a URL)")
        }
        return try ProviderDraft.Exchange(recorded: Array(content), request: command, id: id)
    }

    /// Adds the request of the second page, and its answer where the first was sent, too.
    func add(nextPage line: String, to exchange: inout ProviderDraft.Exchange) async throws {
        let command: CurlCommand
        do throws(DraftError) { command = try CurlCommand(parsing: line) } catch {
            throw Self.usage("--next-page: \(error.description)")
        }
        exchange.secondPage = command
        guard exchange.recorded != nil, from?.isWebAddress ?? true else { return }
        exchange.secondAnswer = ProviderDraft.SecondAnswer(try await send(command))
    }

    /// An error of the command line.
    private static func usage(_ message: String) -> ProviderError {
        ProviderError(.unsupported, provider: "", message: message)
    }

    private func send(_ command: CurlCommand) async throws -> ProviderDraft.Exchange {
        try await ProviderDraft.Exchange(sending: command, for: id, through: LiveService(engine))
    }
}
