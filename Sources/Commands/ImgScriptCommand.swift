import ArgumentParser
import Glibc
import ImgScriptKit

/// The command line.
package struct ImgScriptCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "imgscript",
        abstract: "Finds images over any number of sources, each of which is a small script.",
        discussion: """
            Try it without a key or a network:
              imgscript search --provider pixabay --sample coffee

            Exit codes: 0 all well; 1 every provider failed; 2 some providers failed; 4 not found; 5 a key is missing or
            was refused; 64 wrong usage; 130 interrupted.
            """,
        version: "imgscript \(ImgScript.version)",
        subcommands: [
            SearchCommand.self, FeedCommand.self, ShowCommand.self, ProvidersCommand.self, AuthCommand.self,
            DoctorCommand.self,
        ])

    package init() {}

    /// Runs the command line of this process to its end.
    package static func run() async -> Never {
        // A reader that has gone shows as a failed write; Ctrl-C ends the process, and the kernel ends its workers.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGINT) { _ in _exit(ExitStatus.interrupted.rawValue) }
        do {
            var command = try parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            Glibc.exit(ExitStatus.success.rawValue)
        } catch let status as ExitStatus {
            Glibc.exit(status.rawValue)
        } catch is OutputClosed {
            Glibc.exit(ExitStatus.success.rawValue)
        } catch {
            exit(withError: error)
        }
    }
}
