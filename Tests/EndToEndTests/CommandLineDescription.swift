import Foundation

/// What the argument parser says about the command line, for tools.
struct CommandLineDescription: Decodable {
    struct Command: Decodable {
        let commandName: String
        let subcommands: [Command]?
        let arguments: [Argument]?
        let discussion: String?

        /// This command and all below it.
        var all: [Command] { [self] + (subcommands ?? []).flatMap(\.all) }

        /// This command and all below it, with the names that lead there.
        func paths(below parent: [String] = []) -> [[String]] {
            let path = parent + [commandName]
            return [path] + (subcommands ?? []).flatMap { $0.paths(below: path) }
        }

        /// The command of a path below this one.
        subscript(path: String...) -> Command? {
            path.reduce(self) { command, name in command?.subcommands?.first { $0.commandName == name } }
        }

        /// The options of this command and all below it, without their dashes.
        var longOptions: Set<String> {
            let own = (arguments ?? []).flatMap { $0.names ?? [] }.filter { $0.kind == "long" }.map(\.name)
            return (subcommands ?? []).reduce(into: Set(own)) { $0.formUnion($1.longOptions) }
        }
    }

    struct Argument: Decodable {
        let names: [Name]?
        let kind: String
        let shouldDisplay: Bool?

        /// Its name without dashes; nil for a positional argument.
        var longName: String? { names?.first { $0.kind == "long" }?.name }
    }

    struct Name: Decodable {
        let kind: String
        let name: String
    }

    let command: Command

    /// The description of the built executable.
    static func ofImgscript() throws -> CommandLineDescription {
        let dump = try CommandRun(["--experimental-dump-help"])
        return try JSONDecoder().decode(Self.self, from: Data(dump.output.utf8))
    }
}
