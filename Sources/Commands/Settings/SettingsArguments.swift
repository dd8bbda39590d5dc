import ArgumentParser
import Glibc
import ImgScript
import ProviderModel

/// The arguments of a command line with the settings among them, in front of the user's own.
struct SettingsArguments {
    /// The arguments as they were given.
    let given: [String]
    private let command: any ParsableCommand.Type
    private let path: [String]
    /// The options that the command takes.
    private let options: [SettingsTable.Entry]
    /// The options of the command line by their keys, such as `limit` and `param.rating`, each with its values.
    private(set) var values: [String: [String]] = [:]
    /// The providers that it names with `-p`, by references, or as a command's argument.
    private var named: [String] = []
    private(set) var profile: String?
    /// The arguments without flags that were switched off: `--quiet=false`.
    private var rest: [String] = []

    /// Looks through the arguments of a root command; nil where they name no command.
    init?(_ arguments: [String], of root: any ParsableCommand.Type) {
        given = arguments
        var (command, path, words) = (root, [String](), arguments[...])
        while let word = words.first, let next = command.configuration.subcommands.first(where: { $0.isNamed(word) }) {
            path.append(words.removeFirst())
            command = next
        }
        // The command that stands for a group is one of it.
        if let standard = command.configuration.defaultSubcommand { command = standard }
        guard !path.isEmpty, command.configuration.subcommands.isEmpty else { return nil }
        (self.command, self.path, options) = (command, path, SettingsTable.options(of: command))
        scan(words)
    }

    /// Whether help is asked for, which needs no settings.
    var asksForHelp: Bool {
        given.prefix { $0 != "--" }.contains { ["-h", "--help", "--help-hidden"].contains($0) }
    }

    /// Whether the command is about the settings themselves.
    var isAboutSettings: Bool { path.first == ConfigCommand.name }

    /// Whether the command shows what is wrong with settings.
    var isDiagnosis: Bool { command is DoctorCommand.Type }

    /// Prints what is wrong with the names of providers and groups in settings, where the command uses them.
    func warnOfNames(in settings: Settings, _ environment: [String: String]) {
        guard options.contains(where: { $0.name == SettingsTable.providerOption }) else { return }
        let isQuiet = (values["quiet"] ?? settings.values()["quiet"]?.texts) == ["true"]
        let status = StatusLine(environment: environment, verbosity: isQuiet ? .quiet : .normal)
        let names = SettingsNames(settings, besides: values["providers-folder"] ?? [], in: environment)
        for fault in names.faults(in: settings) { status.warning(fault) }
    }

    private mutating func scan(_ words: ArraySlice<String>) {
        var words = words
        while let word = words.popFirst() {
            guard word != "--" else {
                rest += [word] + words
                named += words.compactMap(Self.providerOfReference)
                return
            }
            guard word.hasPrefix("-"), word.count > 1 else {
                rest.append(word)
                if path.first == "auth" {
                    named.append(word)
                } else {
                    named += [word].compactMap(Self.providerOfReference)
                }
                continue
            }
            let (name, joined) = Self.parts(of: word)
            guard
                let option = options.first(where: {
                    word.hasPrefix("--") ? $0.name == name : "\($0.short ?? " ")" == name
                })
            else {
                rest.append(word)
                continue
            }
            if option.isFlag, joined == "false" {
                values[option.name] = ["false"]
                continue
            }
            rest.append(word)
            var value = joined
            if !option.isFlag, joined == nil, let next = words.popFirst() {
                rest.append(next)
                value = next
            }
            note(option, option.isFlag ? "true" : value ?? "")
        }
    }

    /// `--limit=5` and `-n5` in two.
    private static func parts(of word: String) -> (name: String, value: String?) {
        guard word.hasPrefix("--") else {
            let value = word.dropFirst(2)
            return (String(word.dropFirst().prefix(1)), value.isEmpty ? nil : String(value))
        }
        let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts.first ?? ""), parts.count > 1 ? String(parts[1]) : nil)
    }

    private mutating func note(_ option: SettingsTable.Entry, _ value: String) {
        if option.isObject {
            let name = value.prefix { $0 != "=" }
            values["\(option.name).\(name)"] = [String(value.dropFirst(name.count + 1))]
        } else {
            values[option.name, default: []].append(value)
        }
        if option.name == "provider" { named.append(value) }
        if option.name == "profile" { profile = value }
    }

    /// The provider of `commons:123`.
    private static func providerOfReference(_ word: String) -> String? {
        guard !word.contains("://"), let colon = word.firstIndex(of: ":") else { return nil }
        return ProviderID(String(word[..<colon]))?.description
    }

    /// All arguments, those of the settings first: what the user says goes before it.
    func arguments(with settings: Settings) -> [String] {
        let all = settings.values()
        var asked = Set(named)
        if asked.isEmpty, command is any ProviderCommand.Type {
            asked = Set(all[SettingsTable.defaultProviders]?.texts ?? [])
        }
        let single = asked.count == 1 ? asked.first : nil
        let values = single.map { settings.values(for: $0) } ?? all
        var inserted = arguments(values, of: settings.table)
        guard options.contains(where: { $0.name == SettingsTable.providerOption }) else {
            return path + inserted + rest
        }
        let given = Set(self.values.keys.map(Self.optionName))
        var origins = Set(inserted.map { String($0.dropFirst(2).prefix { $0 != "=" }) }).subtracting(given)
        // A search asks those that it names, and reads the options of no others.
        let isOfNames =
            (command is SearchCommand.Type || command is FeedCommand.Type) && !asked.isEmpty
            && !asked.contains { $0 == "all" || $0.hasPrefix("@") }
        for provider in settings.providers where provider != single && (!isOfNames || asked.contains(provider)) {
            let own = settings.values(for: provider).filter { key, value in
                SettingsTable.perProvider.contains(settings.table[key]?.name ?? "") && all[key]?.texts != value.texts
            }
            for argument in arguments(own, of: settings.table) {
                inserted.append("--\(SettingsTable.providerOption)=\(provider):\(argument.dropFirst(2))")
                origins.insert("\(SettingsTable.providerOption):\(provider)")
            }
        }
        return path + inserted + origins.sorted().map { "--\(SettingsTable.fromSettings)=\($0)" } + rest
    }

    /// The option of a key: `param` of `param.rating`.
    private static func optionName(of key: String) -> String { String(key.prefix { $0 != "." }) }

    private func arguments(_ values: Settings.Values, of table: SettingsTable) -> [String] {
        var arguments: [String] = []
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            guard let entry = table[key], takes(entry), !isOverridden(key, entry),
                isAllowed(entry.name, values)
            else { continue }
            if entry.isFlag {
                if value.texts == ["true"] { arguments.append(table.argument(key, "")) }
            } else if entry.name == "group" {
                arguments.append(table.argument(key, value.texts.joined(separator: ",")))
            } else {
                arguments += value.texts.map { table.argument(key, $0) }
            }
        }
        return arguments
    }

    /// Whether the command has the option, and not another of the same name.
    private func takes(_ entry: SettingsTable.Entry) -> Bool {
        options.contains { $0.name == entry.name && $0.help == entry.help }
    }

    private func isOverridden(_ key: String, _ entry: SettingsTable.Entry) -> Bool {
        if SettingsTable.additive.contains(entry.name) { return false }
        if values[key] != nil { return true }
        return SettingsTable.exclusive.contains { group in group.contains(key) && group.contains { values[$0] != nil } }
    }

    /// Whether what an option is only allowed with is there, too.
    private func isAllowed(_ name: String, _ values: Settings.Values) -> Bool {
        if SettingsTable.onTerminal.contains(name) {
            let format = self.values["format"] ?? values["format"]?.texts ?? ["table"]
            return isatty(STDOUT_FILENO) == 1 && format == ["table"] && self.values["tags"] == nil
        }
        guard let companion = SettingsTable.companions[name] else { return true }
        let option = companion.dropFirst(2).prefix { $0 != "=" }
        return self.values[String(option)] != nil || values[String(option)] != nil
    }
}

/// A command over the providers that settings name when the user names none.
protocol ProviderCommand: ParsableCommand {}

extension ParsableCommand {
    /// Whether a word names the command: its name, or another for it.
    fileprivate static func isNamed(_ word: String) -> Bool {
        word == _commandName || configuration.aliases.contains(word)
    }
}
