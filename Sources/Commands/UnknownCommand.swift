import ArgumentParser
import ProviderModel

/// A word that stands where a command is expected and is none.
struct UnknownCommand: Error, CustomStringConvertible {
    /// The word.
    let word: String
    /// The names of the commands there are.
    let commands: [String]

    /// The first such word among the arguments of a command; nil when there is none.
    init?(among arguments: [String], of command: any ParsableCommand.Type) {
        var subcommands = command.configuration.subcommands
        var words = arguments[...]
        while let next = subcommands.first(where: { $0._commandName == words.first }) {
            subcommands = next.configuration.subcommands
            words.removeFirst()
        }
        guard !subcommands.isEmpty, let word = words.first, !word.hasPrefix("-"), word != "help" else { return nil }
        self.word = word
        commands = subcommands.map { $0._commandName }
    }

    /// What was found, and what there is.
    var description: String {
        "there is no command \(word.quoted); there are \(commands.joined(separator: ", "))"
    }
}
