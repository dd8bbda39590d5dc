import ArgumentParser
import ProviderModel

/// A word that stands where a command is expected and is none.
struct UnknownCommand: Error, CustomStringConvertible {
    /// The word.
    let word: String
    /// The names of the commands there are.
    let commands: [String]
    /// The commands before it, which have these.
    private let path: [String]

    /// The first such word among the arguments of a command; nil when there is none.
    init?(among arguments: [String], of command: any ParsableCommand.Type) {
        var subcommands = command.configuration.subcommands
        // `imgscript help serch` asks for a command, too.
        var words = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
        var path = ["imgscript"]
        while let next = subcommands.first(where: { $0._commandName == words.first }) {
            subcommands = next.configuration.subcommands
            path.append(words.removeFirst())
        }
        guard !subcommands.isEmpty, let word = words.first, !word.hasPrefix("-"), word != "help" else { return nil }
        self.word = word
        self.path = path
        commands = subcommands.map { $0._commandName }
    }

    /// What was found, and what there is.
    var description: String {
        "there is no command \(word.quoted); there are \(commands.joined(separator: ", "))"
    }

    /// What tells more about these.
    var hint: String { "\(path.joined(separator: " ")) --help shows what each does" }
}
