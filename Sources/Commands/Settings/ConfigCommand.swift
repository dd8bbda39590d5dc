import ArgumentParser
import FoundationEssentials
import Glibc
import ImgScript
import ProviderModel

struct ConfigCommand: AsyncParsableCommand {
    static let name = "config"

    static let configuration = CommandConfiguration(
        commandName: name, abstract: "Show and change settings",
        discussion: """
            Every option is a setting of the same name, for all providers, for one, and in profiles:
              imgscript config set timeout 30
              imgscript config set providers.danbooru.param.rating safe
              imgscript config set profiles.work.proxy http://proxy.example:3128
              imgscript config set group.museums met artic cleveland
            """,
        subcommands: [List.self, Get.self, Set.self, Unset.self, Edit.self, Path.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List settings, and where each comes from",
            discussion: "Options given with it are shown too: imgscript config list --timeout 5")

        @Flag(help: "list all settings there are, with their defaults and meanings")
        var all = false

        @OptionGroup(visibility: .hidden) var options: SettingsOptions

        func run() async throws {
            try SettingsContext.run(quiet: options.engine.network.quiet) { context in
                let settings = try context.settings(profile: options.engine.network.profile)
                let given = SettingsArguments(Array(CommandLine.arguments.dropFirst()), of: ImgScriptCommand.self)
                var table = Table(columns: [.init("Setting"), .init("Value", .wrapped), .init("Origin")])
                if all {
                    table = Table(columns: [
                        .init("Setting"), .init("Value"), .init("Origin"), .init("Meaning", .below),
                    ])
                }
                let rows = context.rows(settings, given: given?.values ?? [:], all: all)
                for row in rows { table.add(row) }
                if rows.isEmpty {
                    context.status.note("no settings", hint: "imgscript config list --all lists those that there are")
                } else {
                    for line in table.lines(on: context.terminal) { try context.output.writeLine(line) }
                }
            }
        }
    }

    struct Get: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "get", abstract: "Print the value of a setting")

        @Argument(help: .settingKey, completion: .settings)
        var key: String

        @Flag(help: "print where the value comes from, too")
        var showOrigin = false

        @Option(help: .profile, completion: .profiles)
        var profile: String?

        func run() async throws {
            try SettingsContext.run { context in
                let settings = try context.settings(profile: profile)
                let found = try context.value(of: key, settings)
                guard let value = found else {
                    context.status.error("\(key): not set", hint: "imgscript config set \(key) VALUE sets it")
                    throw ExitStatus.notFound
                }
                for text in value.texts {
                    try context.output.writeLine(showOrigin ? "\(text)\t\(value.origin)" : text)
                }
            }
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "set", abstract: "Change a setting")

        @Argument(help: .settingKey, completion: .settings)
        var key: String

        @Argument(parsing: .allUnrecognized, help: "value; several for a list", completion: .nothing)
        var values: [String]

        func run() async throws {
            try SettingsContext.run { context in
                let json = try context.checked(key, values)
                try context.change { $0.set(json, at: SettingsDocument.path(of: key)) }
                for fault in try context.faultsOfNames(in: key, values) { context.status.warning(fault) }
            }
            let context = SettingsContext.current()
            let folders = try context.settings(profile: nil).values()["providers-folder"]?.texts ?? []
            if let fault = await SettingsParameters.fault(of: key, values, in: folders) {
                context.status.warning(fault, hint: "imgscript config unset \(key) removes it")
            }
        }
    }

    struct Unset: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "unset", abstract: "Remove a setting, a provider's settings or a profile from the file")

        @Argument(help: .settingKey, completion: .settings)
        var key: String

        func run() async throws {
            try SettingsContext.run { context in
                let path = SettingsDocument.path(of: key)
                try context.change { document in
                    guard document.value(at: path) != nil else {
                        context.status.error(
                            "\(key): not in \(document.path)", hint: "imgscript config list lists what is")
                        throw ExitStatus.notFound
                    }
                    document.set(nil, at: path)
                }
            }
        }
    }

    struct Edit: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "edit", abstract: "Open the file in the editor of VISUAL or EDITOR, and check it")

        func run() async throws {
            try SettingsContext.run { context in
                if access(context.path, F_OK) != 0 { try context.change { _ in } }
                let environment = context.environment
                let editor = [environment["VISUAL"], environment["EDITOR"]].compactMap(\.self).first { !$0.isEmpty }
                let code = EditorProcess.run(editor ?? "vi", on: context.path)
                guard code == 0 else {
                    context.status.error(
                        "the editor \((editor ?? "vi").quoted) ended with exit code \(code)",
                        hint: "set EDITOR to the command of one")
                    throw ExitStatus.failure
                }
                _ = try context.settings(profile: nil)
                // The user's own providers lie beside the settings.
                let providers = "\(context.folder)/providers"
                guard access(providers, F_OK) == 0 else { return }
                let configuration = ImageEngine.Configuration(environment: environment)
                do { _ = try EditorFiles(configuration).write(into: providers) } catch { context.status.error(error) }
            }
        }
    }

    struct Path: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "path", abstract: "Print the path of the file")

        func run() async throws {
            try SettingsContext.run { try $0.output.writeLine($0.path) }
        }
    }
}

/// An editor that has the terminal until it ends.
enum EditorProcess {
    /// Runs the command of an editor, which may have arguments, on a file; returns its exit code.
    static func run(_ editor: String, on path: String) -> Int32 {
        var child = pid_t()
        let words = ["/bin/sh", "-c", "exec \(editor) \"$1\"", editor, path]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        let failure = posix_spawn(&child, "/bin/sh", nil, nil, &arguments, environ)
        guard failure == 0 else { return failure }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
    }
}

/// What commands about settings work with; none of them starts an engine.
struct SettingsContext {
    let environment: [String: String]
    let folder: String
    let status: StatusLine
    let terminal: Terminal
    let output = TextOutput()

    var path: String { SettingsFile.path(in: folder) }

    /// The context of this process.
    static func current(quiet: Bool = false) -> SettingsContext {
        let environment = ProcessInfo.processInfo.environment
        return SettingsContext(
            environment: environment, folder: ImageEngine.Configuration(environment: environment).configurationFolder,
            status: StatusLine(environment: environment, verbosity: quiet ? .quiet : .normal),
            terminal: Terminal(descriptor: STDOUT_FILENO, environment: environment))
    }

    /// Runs a command's work; an error is printed, and becomes an exit code.
    static func run(quiet: Bool = false, _ work: (SettingsContext) throws -> Void) throws {
        let context = current(quiet: quiet)
        do {
            try work(context)
            try context.output.flush()
        } catch let error as ConfigurationError {
            context.status.error(error)
            throw ExitStatus.usage
        }
    }

    /// The settings of the file and the environment.
    func settings(profile: String?) throws(ConfigurationError) -> Settings {
        try Settings(folder: folder, environment: environment, profile: profile)
    }

    /// The value of a key, its default included; nil where there is neither.
    func value(of key: String, _ settings: Settings) throws -> Settings.Value? {
        if key == "profile" {
            return settings.profile.map {
                Settings.Value(texts: [$0], origin: .file(line: settings.file.line(of: key)))
            }
        }
        let path = SettingsDocument.path(of: key)
        if path.count > 2, path[0] == "profiles" {
            let inner = path.dropFirst(2).joined(separator: ".")
            return try value(of: inner, self.settings(profile: path[1]))
        }
        let provider = path.count > 2 && path[0] == "providers" ? path[1] : nil
        let name = provider == nil ? key : path.dropFirst(2).joined(separator: ".")
        guard let entry = settings.table[name] else {
            throw ConfigurationError(path: "", reason: settings.table.unknown(name))
        }
        if let value = settings.values(for: provider)[name] { return value }
        if name == "proxy", let (variable, text) = proxyOfEnvironment {
            return Settings.Value(texts: [text], origin: .environment(variable))
        }
        return entry.defaultValue.map { Settings.Value(texts: [$0], origin: .default) }
    }

    /// The faults of the names of providers and groups in a setting that was just set: they may be installed later.
    func faultsOfNames(in key: String, _ values: [String]) throws(ConfigurationError) -> [String] {
        let names = SettingsNames(try settings(profile: nil), in: environment)
        var path = SettingsDocument.path(of: key)
        if path.count > 2, path[0] == "profiles" { path.removeFirst(2) }
        if path.count > 2, path[0] == "providers" { return [names.fault(of: path[1])].compactMap(\.self) }
        return [names.fault(ofValuesOf: path.joined(separator: "."), values)].compactMap(\.self)
    }

    private var proxyOfEnvironment: (String, String)? {
        for name in ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
            if let value = environment[name], !value.isEmpty { return (name, value) }
        }
        return nil
    }

    /// The rows of a list: settings for all, then those of single providers.
    func rows(_ settings: Settings, given: [String: [String]], all: Bool) -> [[TableCell]] {
        var values = settings.values()
        for (key, texts) in given where settings.table[key] != nil {
            values[key] = .init(texts: texts, origin: .option)
        }
        if values["proxy"] == nil, let (variable, text) = proxyOfEnvironment {
            values["proxy"] = .init(texts: [text], origin: .environment(variable))
        }
        var rows: [[TableCell]] = []
        func add(_ key: String, _ value: Settings.Value, _ entry: SettingsTable.Entry?) {
            let text = value.texts.map { text in
                switch entry?.name {
                case "proxy": text.maskingPassword
                case "header": text.maskingHeader
                default: text
                }
            }.joined(separator: ", ")
            let cells = [TableCell(key, .bold), TableCell(text), TableCell("\(value.origin)", .dim)]
            rows.append(all ? cells + [TableCell(entry?.help ?? "", .dim)] : cells)
        }
        if let profile = settings.profile { add("profile", .init(texts: [profile], origin: .option), nil) }
        var keys = values.keys.map(\.self)
        if all { keys += settings.table.entries.filter { values[$0.name] == nil }.map(\.name) }
        for key in keys.sorted() {
            let entry = settings.table[key] ?? settings.table.entries.first { $0.name == key }
            add(key, values[key] ?? .init(texts: entry?.defaultValue.map { [$0] } ?? [], origin: .default), entry)
        }
        for provider in settings.providers {
            let own = settings.values(for: provider).filter { values[$0.key] != $0.value }
            for (key, value) in own.sorted(by: { $0.key < $1.key }) where given[key] == nil {
                add("providers.\(provider).\(key)", value, settings.table[key])
            }
        }
        return rows
    }

    /// A value for the file; throws what is wrong with the key or the value.
    func checked(_ key: String, _ values: [String]) throws -> JSONValue {
        let table = SettingsTable()
        var path = SettingsDocument.path(of: key)
        if path == ["profile"], values.count == 1 { return .text(values[0]) }
        if path.count > 2, path[0] == "profiles" { path.removeFirst(2) }
        if path.count > 2, path[0] == "providers" {
            guard ProviderID(path[1]) != nil else {
                throw ConfigurationError(
                    path: key, reason: "invalid provider name \(path[1].quoted) (expected letters, digits and dashes)")
            }
            path.removeFirst(2)
        }
        let name = path.joined(separator: ".")
        guard let entry = table[name] else { throw ConfigurationError(path: "", reason: table.unknown(name)) }
        if let fault = table.fault(of: name, values) { throw ConfigurationError(path: key, reason: fault) }
        if entry.isFlag { return .boolean(values == ["true"]) }
        if entry.isRepeating && !entry.isObject || entry.name == "group" || values.count > 1 {
            return .array(values.map { .text($0) })
        }
        // What reads as a number is written as one.
        return Int(values[0]).map { "\($0)" } == values[0] ? .number(values[0]) : .text(values[0])
    }

    /// Changes the file; two at once are one after the other.
    func change(_ change: (inout SettingsDocument) throws -> Void) throws {
        guard SettingsFolder.make(folder) else { throw ConfigurationError.system(folder, errno, "create") }
        let lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(lock) }
        guard lock >= 0, flock(lock, LOCK_EX) == 0 else { throw ConfigurationError.system(folder, errno, "lock") }
        var document = try SettingsDocument(path: path)
        try change(&document)
        try document.write()
    }
}

/// The folder of the settings.
enum SettingsFolder {
    /// Creates it with those above where it is missing; false leaves the reason in `errno`.
    static func make(_ folder: String) -> Bool {
        if mkdir(folder, 0o700) == 0 || errno == EEXIST { return true }
        guard errno == ENOENT, let slash = folder.lastIndex(of: "/"), slash > folder.startIndex else { return false }
        return make(String(folder[..<slash])) && (mkdir(folder, 0o700) == 0 || errno == EEXIST)
    }
}

extension String {
    /// A header line without its value, which may be a secret.
    var maskingHeader: String { firstIndex(of: ":").map { "\(self[...$0]) ***" } ?? self }

    /// A proxy's address without its password.
    fileprivate var maskingPassword: String {
        guard let at = lastIndex(of: "@") else { return self }
        let start = firstRange(of: "://")?.upperBound ?? startIndex
        guard start < at, let colon = self[start..<at].firstIndex(of: ":") else { return self }
        return "\(self[...colon])***\(self[at...])"
    }
}

extension ArgumentHelp {
    fileprivate static let settingKey = ArgumentHelp(
        "name of an option, such as limit, providers.NAME.limit or profiles.NAME.limit", valueName: "key")
    static let profile = ArgumentHelp("profile of the settings to use", valueName: "name")
}

extension CompletionKind {
    /// The names of all settings.
    static let settings: CompletionKind = .custom { _, _, _ in SettingsTable().names }

    /// The names of the profiles in the file.
    static let profiles: CompletionKind = .custom { _, _, _ in
        let folder = ImageEngine.Configuration().configurationFolder
        // A file that cannot be read is reported by commands.
        return (try? SettingsFile(folder: folder, table: SettingsTable()).profiles.keys.sorted()) ?? []
    }
}
