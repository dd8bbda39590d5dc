import ArgumentParser
import FoundationEssentials
import Glibc
import ImgScript

/// The command line.
package struct ImgScriptCommand: AsyncParsableCommand {
    /// The program's name.
    static let name = "imgscript"

    package static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Search and download images from any number of sources",
        discussion: """
            Try it without a key or a network:
              imgscript search --provider pixabay --sample coffee

            Exit codes: 0 success; 1 failure; 2 some providers failed; 4 not found;
            5 missing or rejected key; 64 usage error; 130 interrupted.
            """,
        version: ProgramVersion.text,
        subcommands: [
            SearchCommand.self, FeedCommand.self, ShowCommand.self, DownloadCommand.self, BrowseCommand.self,
            GalleryCommand.self,
            ServeCommand.self, MCPCommand.self, ProvidersCommand.self, AuthCommand.self, TestCommand.self,
            PackCommand.self, CacheCommand.self, WatchCommand.self, ConfigCommand.self, ImportCommand.self,
            DoctorCommand.self,
        ])

    package init() {}

    /// Opens the standard streams that are closed: else the first file, socket or database gets the number of one, and
    /// messages are written into it.
    ///
    /// Reading from these and writing to them fails as it does on what is closed. Called before anything else.
    package static func fillStandardStreams() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // A new descriptor has the lowest number that is free.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Ends the process where it cannot run: there are the arguments, and the place of the program's own files.
    ///
    /// Called before the first task: Dispatch, which looks there after its threads, traps.
    package static func requireProc() {
        guard access("/proc/self/cmdline", R_OK) != 0 else { return }
        status.error(
            "could not read /proc/self/cmdline (expected /proc to be mounted)", hint: "mount -t proc proc /proc")
        end(.failure)
    }

    /// Runs the command line of this process to its end.
    package static func run() async -> Never {
        // A reader that has gone shows as a failed write; Ctrl-C ends the process, and the kernel ends its workers.
        signal(SIGPIPE, SIG_IGN)
        // A file that may not grow further is a failed write, too.
        signal(SIGXFSZ, SIG_IGN)
        signal(SIGINT) { _ in _exit(ExitStatus.interrupted.rawValue) }
        do {
            var command = try parseWithSettings(Array(CommandLine.arguments.dropFirst()))
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            end(.success)
        } catch let status as ExitStatus {
            end(status)
        } catch is OutputClosed {
            end(.success)
        } catch let error as ConfigurationError {
            status.error(error)
            end(.usage)
        } catch {
            let usage = UsageError(error, arguments: Array(CommandLine.arguments.dropFirst()), of: self)
            // The parser answers `help serch` with the help of all commands.
            let code: ExitCode = usage.isUnknownCommand ? .validationFailure : exitCode(for: error)
            if code == .success { await answer(fullMessage(for: error)) }
            if code == .validationFailure { status.error(usage.message, hint: usage.hint) } else { status.error(error) }
            end(code == .validationFailure ? .usage : ExitStatus(error))
        }
    }

    /// Parses a command line with the user's settings in it.
    private static func parseWithSettings(_ arguments: [String]) throws -> any ParsableCommand {
        let environment = ProcessInfo.processInfo.environment
        guard Settings.exist(in: environment) || arguments.contains(where: { $0.hasPrefix("--profile") }),
            let given = SettingsArguments(arguments, of: self), !given.asksForHelp, !given.isAboutSettings
        else { return try parseAsRoot(arguments) }
        let settings: Settings
        do throws(ConfigurationError) { settings = try Settings(in: environment, profile: given.profile) } catch {
            guard given.isDiagnosis else { throw error }
            return try parseAsRoot(arguments)
        }
        if !given.isDiagnosis { given.warnOfNames(in: settings, environment) }
        do { return try parseAsRoot(given.arguments(with: settings)) } catch {
            // What is wrong without settings is the user's slip; the rest is between the two.
            _ = try parseAsRoot(arguments)
            throw ConfigurationError(
                path: settings.file.path,
                reason: "its settings do not go with these options: \(UsageError.message(from: message(for: error)))")
        }
    }

    /// Parses a command line that is stored; throws `ValidationError` for one that is none.
    static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
        do { return try parseWithSettings(arguments) } catch let error as ConfigurationError { throw error } catch {
            throw ValidationError(UsageError.message(from: message(for: error)))
        }
    }

    /// Ends the process without taking it apart first: what was printed is out, and the kernel ends its workers.
    private static func end(_ status: ExitStatus) -> Never {
        fflush(nil)
        _exit(status.rawValue)
    }

    private static var status: StatusLine { StatusLine(environment: ProcessInfo.processInfo.environment) }

    /// The provider named beside `--help`, if one is.
    private static var providerToExplain: String? {
        let arguments = CommandLine.arguments
        guard arguments.contains("--help") || arguments.contains("-h"),
            let index = arguments.firstIndex(where: { $0 == "--provider" || $0 == "-p" }), index + 1 < arguments.count
        else { return nil }
        return arguments[index + 1]
    }

    /// Prints help, the version or completions.
    private static func answer(_ text: String) async -> Never {
        do {
            let output = TextOutput()
            try output.writeLine(text)
            if text == ProgramVersion.text {
                for line in ProgramVersion.libraryLines(worker: ImageEngine.Configuration().worker) {
                    try output.writeLine(line)
                }
            }
            // `search --provider pixabay --help`: the provider's own parameters belong to the help.
            if let provider = providerToExplain {
                for line in await explanation(of: provider) { try output.writeLine(line) }
            }
            try output.flush()
            end(.success)
        } catch is OutputClosed {
            end(.success)
        } catch {
            status.error(error)
            end(.failure)
        }
    }

    private static func explanation(of provider: String) async -> [String] {
        // Help is best effort: a provider that cannot be loaded is an error when it is used.
        guard let context = try? AppContext(EngineOptions.parse([])),
            let manifest = try? await context.engine.manifest(of: provider)
        else { return [] }
        let lines = ManifestDescription(manifest).parameterLines(on: context.terminal)
        await context.engine.shutdown()
        return lines
    }
}
