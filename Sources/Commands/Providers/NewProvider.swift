import ArgumentParser
import Glibc
import ImgScript
import ProviderAuthoring

struct NewProvider: EngineCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Begins a provider in ./providers: from a recorded answer, or from nothing.",
        discussion: """
            With --from or --curl it writes the provider, its test and its cassette, with everything filled in that the \
            answer's shape tells. Keys become auth, and are in none of the files.

              imgscript providers new lakes --from 'https://lakes.example/v1?q=swan&page=1'
              imgscript providers new lakes --from answer.json --curl 'https://…'
              imgscript providers new lakes --curl "curl -H 'X-Api-Key: …' 'https://…'"
            """)

    @Argument(help: "Its name: a–z, 0–9 and -.")
    var name: String

    @Option(
        help: ArgumentHelp(
            "A recorded answer: a file, a cassette, a HAR archive, or a URL to ask.", valueName: "answer"))
    var from: String?

    @Option(
        help: ArgumentHelp(
            "The request, as a command line of curl or a URL; it is sent unless --from has the answer.",
            valueName: "command"))
    var curl: String?

    @Option(help: ArgumentHelp("What the request searched for, where its names do not tell.", valueName: "text"))
    var text: String?

    @OptionGroup var engine: EngineOptions

    func validate() throws {
        // A dry run prints the request that would be sent; without one, the files would be written all the same.
        guard let quiet = engine.withoutRequests.first, quiet != "--dry-run" || from == nil && curl == nil else {
            return
        }
        throw ValidationError("a provider begins with what its source answers, and \(quiet) asks nobody; leave it out.")
    }

    func run(in context: AppContext) async throws {
        guard let id = ProviderID(name) else {
            throw ProviderError(
                .unsupported, provider: "",
                message: "\(name.quoted) is no provider name, expected \(ProviderID.naming), such as newsite")
        }
        let files = NewProviderFiles(id: id, folder: "providers")
        guard from != nil || curl != nil else {
            try files.checkAreFree(cassette: nil)
            let path = try files.write(script: ProviderTemplate(id: id).text)
            context.status.note("wrote \(path); try: imgscript providers check \(path)")
            return
        }
        // Before anything is asked of a server.
        try files.checkAreFree(cassette: nil)
        var exchange = try await RecordedSource(from: from, curl: curl, id: id, engine: context.engine).exchange()
        exchange.searched = text ?? askedText(for: exchange)
        let draft = try ProviderDraft(exchange, id: id)
        try files.checkAreFree(cassette: draft.cassette)
        let paths = try files.write(draft)
        try tell(draft, paths: paths, context)
    }

    /// What was searched for, from whoever sits at the terminal; nil where the request tells, or nobody does.
    private func askedText(for exchange: ProviderDraft.Exchange) -> String? {
        guard ProviderDraft.isTextUnknown(in: exchange), isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
            return nil
        }
        let question = Array("What was searched for in this request? (Return for a list without a text) ".utf8)
        _ = write(STDERR_FILENO, question, question.count)
        return readLine().flatMap { $0.isEmpty ? nil : $0 }
    }

    private func tell(_ draft: ProviderDraft, paths: [String], _ context: AppContext) throws {
        var table = KeyValueTable()
        for finding in draft.findings { table.add(finding.subject, TableCell(finding.detail)) }
        try context.print(table.lines(on: context.terminal))
        try context.printLine("")
        for path in paths { try context.printLine(context.terminal.style.paint("wrote ", .dim) + path) }
        try context.output.flush()
        for note in draft.notes { context.status.warning(note) }
        var steps = ["imgscript providers check \(paths[0])", "imgscript test \(paths[0])"]
        if let way = draft.authentication, !way.secretNames.isEmpty { steps.append("imgscript auth set \(draft.id)") }
        context.status.note("next: \(steps.joined(separator: "; "))")
    }
}
