import ArgumentParser
import Glibc
import ImgScript
import ProviderModel

extension AuthCommand {
    struct Login: EngineCommand {
        static let configuration = CommandConfiguration(
            commandName: "login", abstract: "Log in at a source in your browser",
            discussion: """
                A login gives access to your own favourites and private albums. You allow it on a page of the source; \
                its tokens are stored like keys, renewed when they expire, and removed with `auth remove`.

                Register an application at the source first, with the redirect URI \
                http://127.0.0.1:8917/callback. Its client_id, and its client_secret if it has one, are asked for once.
                """)

        @Argument(help: "provider", completion: .providers)
        var provider: String

        @Flag(help: "log in with a code that you enter on another device")
        var device = false

        @Flag(help: "print the URL of the login page instead of opening it")
        var noBrowser = false

        @Option(help: .init("port of the redirect URI; 0 for a free one", valueName: "number"))
        var port: UInt16 = 8917

        @Option(help: .init("maximum seconds to wait for the login", valueName: "seconds"))
        var wait = 300

        @OptionGroup var options: KeyEngineOptions

        var engine: EngineOptions { get throws { try options.engine } }

        func validate() throws {
            guard (1...3_600).contains(wait) else {
                throw ValidationError("--wait \(wait) is out of range (expected 1 to 3600 seconds)")
            }
        }

        func run(in context: AppContext) async throws {
            try await context.engine.checkInstance(isTakenBy: [provider])
            let manifest = try await context.engine.manifest(of: provider)
            let method = try context.engine.loginMethod(of: manifest)
            try storeClient(of: method, manifest, in: context)
            var options = ImageEngine.LoginOptions()
            options.usesDeviceCode = device
            options.port = port
            options.timeout = .seconds(wait)
            // The address may be pasted where the browser is elsewhere, and the page leads back to nothing.
            if SecretPrompt.isAtTerminal { options.input = STDIN_FILENO }
            let opensBrowser = !noBrowser
            let end = try await context.engine.logIn(to: manifest, options) { step in
                show(step, in: context, opensBrowser: opensBrowser)
            }
            let until = end.map { ", valid until \(ExpiryDate($0))" } ?? ""
            context.status.note(
                "logged in at \(context.engine.secretOwner(of: manifest)); "
                    + "stored in \(context.settings.configurationFolder)/credentials.json\(until)")
        }

        /// Asks for the application's secrets where they are missing.
        private func storeClient(
            of method: AuthenticationMethod, _ manifest: ProviderManifest, in context: AppContext
        ) throws {
            let owner = context.engine.secretOwner(of: manifest)
            let known = try context.engine.listSecrets(of: [manifest]).filter { $0.owner == owner }.map(\.name)
            let missing = method.typedSecretNames.filter { !known.contains($0) }
            guard !missing.isEmpty else { return }
            if !device {
                let address = "http://127.0.0.1\(port == 0 ? "" : ":\(port)")/callback"
                context.status.note(
                    "the application's redirect URI (callback URL): \(address)" + (port == 0 ? ", with any port" : ""))
            }
            try SecretPrompt.store(
                missing, optional: method.optionalSecretNames, of: manifest, help: method.help, in: context)
        }

        private func show(_ step: ImageEngine.LoginStep, in context: AppContext, opensBrowser: Bool) {
            let page: WebURL
            switch step {
            case .open(let address, let callback):
                page = address
                let isOpen =
                    opensBrowser
                    && BrowserProgram.open(page, environment: context.settings.environment) == .opened
                context.status.note(isOpen ? "your browser shows the page of the login:" : "open this page:")
                context.status.note("  \(page)")
                context.status.note("waiting at \(callback)" + (SecretPrompt.isAtTerminal ? Self.pasteNote : ""))
            case .enter(let code, let address, let seconds):
                page = address
                context.status.note("open this page on any device:")
                context.status.note("  \(page)")
                context.status.note(
                    "and type the code \(code) within \(Duration.seconds(seconds).inWords)")
                if opensBrowser { _ = BrowserProgram.open(page, environment: context.settings.environment) }
            }
        }

        private static let pasteNote =
            "; if the browser runs on another machine, paste the address that it was led to here"
    }
}
