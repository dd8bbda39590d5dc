import ArgumentParser
import ImgScript
import ProviderModel

/// Which providers there are by other names, and the options of single ones.
struct ProviderGroupOptions: ParsableArguments {
    @Option(
        name: .customLong("group"),
        help: ArgumentHelp("define a group of providers, for -p @name: museums=met,artic", valueName: "name=providers"),
        transform: { try ProviderGroup($0) })
    var groups: [ProviderGroup] = []

    /// For settings: commands tell the providers that they are given from those that they fall back to.
    @Option(
        name: .customLong("default-provider"),
        help: ArgumentHelp(
            "provider to use without --provider: a name, @group or \"all\" (default: openverse)", valueName: "name",
            visibility: .hidden),
        transform: { try ProviderGroup.checkedName($0) })
    var defaultProviders: [String] = []

    @Option(
        name: .customLong("provider-option"),
        help: ArgumentHelp(
            "option for one provider: danbooru:limit=100; may be repeated", valueName: "provider:option"),
        transform: { try ProviderOption($0) })
    var providerOptions: [ProviderOption] = []

    /// The options that settings gave: what is wrong with them for one command is no slip of the user's.
    @Option(name: .customLong("from-settings"), help: .hidden)
    var settingsNames: [String] = []

    /// Whether an option, such as `limit`, has its value from the settings and not from the command line.
    func isFromSettings(_ name: String) -> Bool { settingsNames.contains(name) }

    /// The options for single providers that the user gave.
    var givenProviderOptions: [ProviderOption] {
        providerOptions.filter { !isFromSettings("\(SettingsTable.providerOption):\($0.provider)") }
    }

    /// Throws where the user gave an option for a provider that is not one of those that are asked.
    func checkProviderOptions(areFor names: [String]) throws {
        for option in givenProviderOptions where !names.contains(option.provider) {
            throw ValidationError(
                "--provider-option \(option.text): \(option.provider) is not asked "
                    + "(expected an option for \(names.prefix(5).joined(separator: ", "))\(names.count > 5 ? ", …" : ""))"
            )
        }
    }

    /// Puts these options into an engine's configuration.
    func apply(to settings: inout ImageEngine.Configuration) throws {
        if !defaultProviders.isEmpty { settings.defaultProviders = defaultProviders }
        settings.providerGroups = Dictionary(groups.map { ($0.name, $0.members) }) { $1 }
        for (provider, options) in Dictionary(grouping: providerOptions, by: \.provider) {
            settings.providers[provider] = try ProviderOption.settings(options)
        }
    }
}

/// A group of providers: `museums=met,artic`.
struct ProviderGroup: Hashable, Sendable {
    let name: String
    let members: [String]

    /// Reads a group; throws what was expected.
    init(_ text: String) throws {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, ProviderID(parts[0]) != nil else {
            throw ValidationError("expected a name of a–z, 0–9 and -, without @, and its members: museums=met,artic")
        }
        name = parts[0]
        members = try parts[1].split(separator: ",", omittingEmptySubsequences: false).map {
            try Self.checkedName($0.trimmingSpaces)
        }
    }

    /// The name of a provider or group; throws for any other text.
    static func checkedName(_ name: String) throws -> String {
        guard ProviderID(name) != nil || name.first == "@" && ProviderID(String(name.dropFirst())) != nil else {
            throw ValidationError("expected names of providers, such as \"met\", @groups or \"all\"")
        }
        return name
    }
}

/// An option for one provider: `danbooru:limit=100`.
struct ProviderOption: Hashable, Sendable {
    let provider: String
    /// The option as it was given.
    let text: String
    /// The name of the option.
    private let name: String
    private let argument: String

    /// Reads an option; throws what was expected.
    init(_ text: String) throws {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, ProviderID(parts[0]) != nil, !parts[1].isEmpty else {
            throw ValidationError("expected PROVIDER:OPTION=VALUE, such as danbooru:limit=100")
        }
        self.text = text
        provider = parts[0]
        name = String(parts[1].prefix { $0 != "=" })
        argument = "--\(parts[1])"
        let known = SettingsTable.perProvider.sorted()
        guard known.contains(name) else {
            throw ValidationError(
                "unknown option \(name.quoted)"
                    + name.suggestion(among: known, expected: "\(known.joined(separator: ", "))"))
        }
        do { _ = try SingleProviderOptions.parse([argument]) } catch {
            throw ValidationError(
                "invalid option for \(provider): \(UsageError.message(from: SingleProviderOptions.message(for: error)))"
            )
        }
    }

    /// What these options of one provider say together.
    static func settings(_ given: [ProviderOption]) throws -> ProviderSettings {
        let options = try SingleProviderOptions.parse(given.map(\.argument))
        let names = Set(given.map(\.name))
        let search = try options.selection.searchOptions
        var settings = ProviderSettings()
        if names.contains("limit") { settings.limit = search.limit }
        if names.contains("pages-in-flight") { settings.pagesInFlight = search.pagesInFlight }
        settings.pageSize = search.pageSize
        settings.parameters = search.parameters
        settings.filter = search.filter
        settings.network.connectTimeout = options.network.connectTimeout.map { .seconds($0) }
        settings.network.idleTimeout = options.network.timeout.map { .seconds($0) }
        settings.network.retries = options.network.retries
        settings.network.proxy = options.network.proxy
        settings.network.instance = options.scripts.instance
        return settings
    }
}

/// The options that a provider can have of its own.
private struct SingleProviderOptions: ParsableArguments {
    @OptionGroup var selection: SelectionOptions
    @OptionGroup var network: NetworkOptions
    @OptionGroup var scripts: ScriptOptions
}
