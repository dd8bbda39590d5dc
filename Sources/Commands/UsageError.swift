import ArgumentParser
import ProviderModel

/// What is wrong with a command line, in the form of all other errors, and the help for it.
struct UsageError: Error {
    /// What was found, and what was expected.
    let message: String
    /// The command that prints the help.
    let hint: String
    /// Whether a word stands where a command is expected.
    let isUnknownCommand: Bool

    /// The error that a root command's parser threw for these arguments.
    init(_ error: any Error, arguments: [String], of root: any ParsableCommand.Type) {
        var subcommands = root.configuration.subcommands
        // `imgscript help serch` asks for a command too.
        var words = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
        var path = [root._commandName]
        while let next = subcommands.first(where: { $0._commandName == words.first }) {
            subcommands = next.configuration.subcommands
            path.append(words.removeFirst())
        }
        let help = "\(path.joined(separator: " ")) --help"
        if !subcommands.isEmpty, let word = words.first, !word.hasPrefix("-"), word != "help" {
            isUnknownCommand = true
            message = "unknown command \"\(word)\"" + word.suggestion(among: subcommands.map { $0._commandName })
            hint = "\(help) lists the commands"
        } else {
            isUnknownCommand = false
            message = Self.message(from: root.message(for: error))
            hint = "\(help) lists the options"
        }
    }

    /// The parser's sentence in the form of the program's own.
    static func message(from sentence: String) -> String {
        if let found = sentence.prefixMatch(of: /Unknown option '([^']+)'(?:\. Did you mean '([^']+)'\?)?/) {
            return "unknown option \"\(found.1)\"" + (found.2.map { "; did you mean \"\($0)\"?" } ?? "")
        }
        if let found = sentence.wholeMatch(of: /Missing (?:expected argument|value for|one of:) '(.+)'/) {
            let isOption = found.1.hasPrefix("-")
            return "missing \(isOption ? "value" : "argument"): \(found.1)"
        }
        if let found = sentence.wholeMatch(
            of: /The value '(.*?)' is invalid for '(\S+)[^']*'(.*)/.dotMatchesNewlines())
        {
            return invalidValue(found.1, of: found.2, found.3)
        }
        if let found = sentence.wholeMatch(of: /The option '(.+)' does not take any value, but '(.*)' was specified\./)
        {
            return "\(found.1): unexpected value: \"\(found.2)\""
        }
        if let found = sentence.wholeMatch(of: /(?:Unexpected argument|\d+ unexpected arguments:) (.+)/) {
            return "unexpected arguments: \(found.1.replacing("'", with: "\""))"
        }
        let trimmed = sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
        return trimmed.isEmpty ? "invalid arguments" : trimmed
    }

    /// `reason` is the option's own sentence, or the parser's list of choices.
    private static func invalidValue(_ value: Substring, of option: Substring, _ reason: Substring) -> String {
        let reason = reason.drop { ": .".contains($0) }
        if reason.hasPrefix("unknown ") || reason.hasPrefix("invalid ") { return String(reason) }
        let found = "\(option): invalid value \"\(value)\""
        guard reason.hasPrefix("Please provide") else { return found + (reason.isEmpty ? "" : " (\(reason))") }
        let choices = reason.matches(of: /'([^']+)'|- (\S+)/).compactMap { ($0.1 ?? $0.2).map(String.init) }
        return found + String(value).suggestion(among: choices, expected: choices.joined(separator: ", "))
    }
}
