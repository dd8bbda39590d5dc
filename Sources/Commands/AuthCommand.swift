import ArgumentParser
import Glibc
import HTTPTransport
import ImgScript

struct AuthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "auth", abstract: "Manage the API keys of providers",
        discussion: """
            Keys are read from a prompt or the standard input, never from an argument, and stored in a file that only \
            you can read. Cookies of a login come from a file or a browser; `auth login` logs in on a page of the \
            source. IMGSCRIPT_<PROVIDER>_KEY in the environment overrides the file. Software that runs on many \
            servers has a key for each server, selected with --instance.
            """,
        subcommands: [Set.self, Login.self, List.self, Remove.self])

    struct Set: EngineCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Store a provider's key",
            discussion: "Without a terminal, each secret is a line of the standard input.")

        @Argument(help: "provider", completion: .providers)
        var provider: String

        @OptionGroup var cookies: CookieOptions
        @OptionGroup var options: KeyEngineOptions

        var engine: EngineOptions { get throws { try options.engine } }

        func run(in context: AppContext) async throws {
            try await context.engine.checkInstance(isTakenBy: [provider])
            let manifest = try await context.engine.manifest(of: provider)
            let path = "\(context.settings.configurationFolder)/credentials.json"
            guard let origin = cookies.origin else {
                try set(try keyMethod(of: manifest), of: manifest, in: context)
                return context.status.note("stored in \(path)")
            }
            let login = try context.engine.setCookies(from: origin, of: manifest)
            if let method = manifest.authentication.first(where: { $0.neededCookies != nil }) {
                try set(method, of: manifest, in: context)
            }
            let end = login.expires.map { ", valid until \(ExpiryDate($0))" } ?? ""
            context.status.note("\(login.count) cookie\(login.count == 1 ? "" : "s") stored in \(path)\(end)")
        }

        /// The first method whose secrets can be typed.
        private func keyMethod(of manifest: ProviderManifest) throws -> AuthenticationMethod {
            if let method = manifest.keyMethod { return method }
            let methods = manifest.authentication.filter { !$0.secretNames.isEmpty }
            guard !methods.isEmpty else {
                throw ProviderError(.unsupported, provider: provider, message: "takes no key")
            }
            guard !methods.contains(where: \.hasLogin) else {
                throw ProviderError(
                    .unsupported, provider: provider, message: "takes a login, and no key",
                    hint: .logIn(provider: provider, server: nil))
            }
            throw ProviderError(
                .unsupported, provider: provider, message: "takes the cookies of a login, and no key",
                hint: .storeCookies(provider: provider, server: nil))
        }

        private func set(
            _ method: AuthenticationMethod, of manifest: ProviderManifest, in context: AppContext
        ) throws {
            try SecretPrompt.store(method.typedSecretNames, of: manifest, help: method.help, in: context)
        }
    }

    struct List: EngineCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List stored keys without their values")

        @OptionGroup var options: KeyEngineOptions

        var engine: EngineOptions { get throws { try options.engine } }

        func run(in context: AppContext) async throws {
            // A provider that cannot be loaded declares no secrets; those stored for it are listed without it.
            let manifests = await context.listProviders().compactMap { try? $0.manifest.get() }
            let entries = try context.engine.listSecrets(of: manifests)
            var table = Table(columns: [
                .init("Provider"), .init("Secret"), .init("Until"), .init("From", .cut(to: 20)),
            ])
            for entry in entries {
                let end = entry.expires.map(ExpiryDate.init)
                let until = end?.description ?? (entry.isRenewed ? "renewed" : "")
                table.add([
                    TableCell(entry.owner.description, .bold), TableCell(entry.name),
                    TableCell(until, end?.isPast == true ? .warning : .plain),
                    TableCell(entry.origin, .dim),
                ])
            }
            if entries.isEmpty { context.status.note("no keys", hint: "imgscript auth set PROVIDER stores a key") }
            for line in table.lines(on: context.terminal) where !entries.isEmpty { try context.printLine(line) }
        }
    }

    struct Remove: EngineCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove a provider's stored keys")

        @Argument(help: "provider", completion: .providers)
        var provider: String

        @OptionGroup var options: KeyEngineOptions

        var engine: EngineOptions { get throws { try options.engine } }

        func run(in context: AppContext) async throws {
            try await context.engine.checkInstance(isTakenBy: [provider])
            // The keys of a provider that was removed can still be removed.
            let manifest = try? await context.engine.manifest(of: provider)
            let owner = manifest.map(context.engine.secretOwner) ?? ProviderID(provider).map { SecretOwner($0) }
            guard let owner, try context.engine.removeSecrets(of: owner) else {
                throw ProviderError(.notFound, provider: provider, message: "no stored key")
            }
            context.status.note("removed")
        }
    }
}

/// The end of a secret's validity, as a day.
struct ExpiryDate: CustomStringConvertible {
    /// Whether it has passed.
    let isPast: Bool
    private let day: String

    init(_ seconds: Int) {
        isPast = seconds <= WallClock.secondsSince1970
        day = "\(DateTime(secondsSince1970: seconds).day)"
    }

    var description: String { isPast ? "\(day) (expired)" : day }
}

extension SecretPrompt {
    /// Asks for secrets of a provider, and stores them when all are given; those that are `optional` may be left empty.
    static func store(
        _ names: [String], optional: [String] = [], of manifest: ProviderManifest, help: String?,
        in context: AppContext
    ) throws {
        if !names.isEmpty, let help {
            context.status.note(names.contains("password") ? "sign up at \(help)" : "keys are issued at \(help)")
        }
        let owner = context.engine.secretOwner(of: manifest)
        // Half of what is needed is not stored.
        let secrets = try (names + optional).map { name in
            let isOptional = optional.contains(name)
            let title = name.prefix(1).uppercased() + name.dropFirst()
            let value = read("\(title) for \(owner) (hidden\(isOptional ? ", empty for none" : "")): ")
            guard isOptional || value?.isEmpty == false else {
                throw ProviderError(
                    .unsupported, provider: manifest.id.description,
                    message: "no \(name) given (expected a line on the standard input)")
            }
            return (name, value ?? "")
        }
        for (name, value) in secrets where !value.isEmpty {
            try context.engine.setSecret(name, of: owner, to: value)
        }
    }
}

/// Reads a secret: without echo from a terminal, as a line from anything else.
enum SecretPrompt {
    /// Whether the standard input is a terminal.
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
