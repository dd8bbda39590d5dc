import ArgumentParser
import Glibc
import HTTPTransport
import ImgScript

struct AuthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "auth", abstract: "Keeps the keys of sources that need one.",
        discussion: """
            Keys are read from a prompt or the standard input, never from an argument, and kept in a file that only you \
            can read. IMGSCRIPT_<PROVIDER>_KEY in the environment comes before the file. Software that runs on many \
            servers has a key for each: name the server with --instance.
            """,
        subcommands: [Set.self, List.self, Remove.self])

    struct Set: EngineCommand {
        static let configuration = CommandConfiguration(
            abstract: "Stores a provider's key.",
            discussion: "One line on the standard input for each secret, in the order asked.")

        @Argument(help: "The provider.")
        var provider: String

        @OptionGroup var options: KeyEngineOptions

        var engine: EngineOptions { get throws { try options.engine } }

        func run(in context: AppContext) async throws {
            try await context.engine.checkInstance(isTakenBy: [provider])
            let manifest = try await context.engine.manifest(of: provider)
            guard let way = manifest.authentication.first(where: { !$0.secretNames.isEmpty }) else {
                throw ProviderError(.unsupported, provider: provider, message: "this source takes no key")
            }
            if let help = way.help { context.status.note("get one at \(help)") }
            let owner = context.engine.secretOwner(of: manifest)
            // Half of what is needed is not stored.
            let secrets = try way.secretNames.map { name in
                guard let value = SecretPrompt.read("\(name) of \(owner): "), !value.isEmpty else {
                    throw ProviderError(
                        .unsupported, provider: provider,
                        message: "expected the \(name) on the standard input, found nothing")
                }
                return (name, value)
            }
            for (name, value) in secrets { try context.engine.setSecret(name, of: owner, to: value) }
            context.status.note("stored in \(context.settings.configurationFolder)/credentials.json")
        }
    }

    struct List: EngineCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the keys there are, without their values.")

        @OptionGroup var options: KeyEngineOptions

        var engine: EngineOptions { get throws { try options.engine } }

        func run(in context: AppContext) async throws {
            let manifests = await context.engine.listProviders().compactMap { try? $0.manifest.get() }
            let entries = try context.engine.listSecrets(of: manifests)
            var table = ColumnTable(columns: [.init("Provider"), .init("Secret"), .init("From", cutTo: 20)])
            for entry in entries {
                table.add([
                    TableCell(entry.owner.description, .bold), TableCell(entry.name), TableCell(entry.origin, .dim),
                ])
            }
            if entries.isEmpty { context.status.note("no keys; imgscript auth set PROVIDER stores one") }
            for line in table.lines(on: context.terminal) where !entries.isEmpty { try context.printLine(line) }
        }
    }

    struct Remove: EngineCommand {
        static let configuration = CommandConfiguration(abstract: "Removes a provider's stored keys.")

        @Argument(help: "The provider.")
        var provider: String

        @OptionGroup var options: KeyEngineOptions

        var engine: EngineOptions { get throws { try options.engine } }

        func run(in context: AppContext) async throws {
            try await context.engine.checkInstance(isTakenBy: [provider])
            // A provider that is gone may have left its keys.
            let manifest = try? await context.engine.manifest(of: provider)
            let owner = manifest.map(context.engine.secretOwner) ?? ProviderID(provider).map { SecretOwner($0) }
            guard let owner, try context.engine.removeSecrets(of: owner) else {
                throw ProviderError(.notFound, provider: provider, message: "there is no stored key")
            }
            context.status.note("removed")
        }
    }
}

/// Reads a secret: without echo from a terminal, as a line from anything else.
enum SecretPrompt {
    /// Whether somebody types.
    static var isAtTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    static func read(_ prompt: String) -> String? {
        guard isAtTerminal else { return readLine(strippingNewline: true) }
        var former = termios()
        tcgetattr(STDIN_FILENO, &former)
        var silent = former
        silent.c_lflag &= ~tcflag_t(ECHO)
        // Ctrl-C at the prompt must not leave the terminal mute: the handler of SIGINT ends the process at once.
        silent.c_lflag &= ~tcflag_t(ISIG)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &former)
            _ = write(STDERR_FILENO, "\n", 1)
        }
        let bytes = Array(prompt.utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
        let line = readLine(strippingNewline: true)
        return line?.contains("\u{03}") == true ? nil : line
    }
}
