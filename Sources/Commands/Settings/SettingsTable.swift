import ArgumentParser
import ImgScript
import ProviderModel

/// Every option that can be a setting: from their declarations follow the names, checks, defaults and help of settings.
struct SettingsTable {
    /// One setting.
    struct Entry: Hashable {
        /// The option's long name, which is the setting's.
        let name: String
        let short: Character?
        let isFlag: Bool
        /// Whether several values may be given.
        let isRepeating: Bool
        let help: String
        let valueName: String
        let defaultValue: String?
        /// The values that there are; empty for any.
        let choices: [String]

        /// The variable that holds the setting.
        var variable: String { "IMGSCRIPT_\(name.uppercased().replacing("-", with: "_"))" }

        /// Whether the setting is an object: values by names that the user chooses.
        var isObject: Bool { SettingsTable.objects.contains(name) }
    }

    /// The names of what is an object in the file and `name=value` on the command line.
    static let objects = ["param", "group"]
    /// The providers without `-p`.
    static let defaultProviders = "default-provider"

    /// The option for what single providers have.
    static let providerOption = "provider-option"
    /// The option that tells commands what the settings gave.
    static let fromSettings = "from-settings"

    /// Options of which one excludes the others.
    static let exclusive = [
        ["limit", "range"], ["size", "width"], ["archive", "no-archive"], ["exec", "exec-shell"], ["zip", "cbz"],
        ["cookies", "cookies-from-browser"],
        ["refresh", "no-cache", "offline", "sample", "dry-run"], ["quiet", "verbose"],
    ]
    /// What an option is only allowed with.
    static let companions = ["raw": "--format=csv", "shard-size": "--output-format=webdataset"]
    /// What holds for tables at a terminal only: everything else is for programs.
    static let onTerminal: Set = ["preview"]
    /// Options whose values on the command line are added to those of the settings.
    static let additive = ["allow-host"]
    /// Options that each provider of a run may have differently.
    static let perProvider: Set = [
        "limit", "page-size", "pages-in-flight", "param", "tag", "exclude-tag", "exclude-tags-from", "min-width",
        "min-height",
        "min-pixels", "license", "since", "until", "aspect", "media-format", "filter", "connect-timeout", "timeout",
        "retries", "proxy", "instance",
    ]
    /// What concerns a single run.
    private static let excluded: Set = [
        "resume", "range", "tags", "dry-run", "shard", "profile", providerOption, fromSettings, "help", "version",
    ]

    let entries: [Entry]
    private let byName: [String: Entry]

    /// The table of all settings.
    init() { self.init(entries: Self.options(of: SettingsOptions.self).filter { !Self.excluded.contains($0.name) }) }

    private init(entries: [Entry]) {
        self.entries = entries.sorted { $0.name < $1.name }
        byName = Dictionary(self.entries.map { ($0.name, $0) }) { first, _ in first }
    }

    /// The setting of a name; for `param.rating` that of `param`.
    subscript(key: String) -> Entry? {
        if let entry = byName[key], !entry.isObject { return entry }
        guard let dot = key.firstIndex(of: "."), let entry = byName[String(key[..<dot])], entry.isObject,
            key.index(after: dot) < key.endIndex
        else { return nil }
        return entry
    }

    /// The names of all settings.
    var names: [String] { entries.map(\.name) }

    /// The options that a command or group of options takes.
    static func options(of type: any ParsableArguments.Type) -> [Entry] {
        // The parser's own description, which is what it parses by.
        let description = JSONValue.found(in: Array(type._dumpHelp().utf8))
        return (description?["command"]?["arguments"]?.elements ?? []).compactMap { Entry($0) }
    }
}

extension SettingsTable.Entry {
    /// An option of the parser's description; nil for an argument.
    fileprivate init?(_ json: JSONValue) {
        let names = json["names"]?.elements ?? []
        func name(_ kind: String) -> String? { names.first { $0["kind"]?.textValue == kind }?["name"]?.textValue }
        guard let long = name("long") else { return nil }
        self.name = long
        short = name("short")?.first
        isFlag = json["kind"]?.textValue == "flag"
        isRepeating = json["isRepeating"] == .boolean(true)
        let help = json["abstract"]?.textValue ?? ""
        self.help = help
        valueName = json["valueName"]?.textValue ?? "value"
        // As help has it: what the parser knows may be a value that nobody types.
        let named = help.firstRange(of: "(default: ").map { String(help[$0.upperBound...].prefix { $0 != ")" }) }
        defaultValue = named ?? json["defaultValue"]?.textValue ?? (isFlag ? "false" : nil)
        choices = json["allValueStrings"]?.elements?.compactMap(\.textValue) ?? []
    }
}

/// The options that are settings, in one place.
struct SettingsOptions: ParsableArguments {
    @OptionGroup var listing: ListingOptions
    @OptionGroup var files: FileOptions
    @OptionGroup var metadata: MetadataOptions
    @OptionGroup var afterwards: AfterwardsOptions
    @OptionGroup var transfers: TransferOptions
    @OptionGroup var engine: EngineOptions
}

extension SettingsTable {
    /// The argument that stands for a value of a setting.
    func argument(_ key: String, _ text: String) -> String {
        guard let entry = self[key] else { return "--\(key)=\(text)" }
        if entry.isFlag { return "--\(entry.name)" }
        if entry.isObject { return "--\(entry.name)=\(key.dropFirst(entry.name.count + 1))=\(text)" }
        return "--\(entry.name)=\(text)"
    }

    /// Why a value is none of a setting's; nil where it is one.
    func fault(of key: String, _ texts: [String]) -> String? {
        if let fault = faultOfShape(of: key, texts) { return fault }
        do {
            _ = try SettingsOptions.parse(arguments(for: key, texts))
            return nil
        } catch {
            let message = UsageError.message(from: SettingsOptions.message(for: error))
            let option = "--\(self[key]?.name ?? key): "
            return message.hasPrefix(option) ? String(message.dropFirst(option.count)) : message
        }
    }

    /// Whether all values are of their settings; parsing them at once takes as long as parsing one.
    func accepts(_ values: [String: [String]]) -> Bool {
        // Why not, is said by fault(of:_:).
        (try? SettingsOptions.parse(values.flatMap { arguments(for: $0.key, $0.value) })) != nil
    }

    private func arguments(for key: String, _ texts: [String]) -> [String] {
        guard let entry = self[key], !entry.isFlag || texts == ["true"] else { return [] }
        let values = entry.name == "group" ? [texts.joined(separator: ",")] : texts
        return (Self.companions[entry.name].map { [$0] } ?? []) + values.map { argument(key, $0) }
    }

    /// What is wrong with the kind or the number of values.
    func faultOfShape(of key: String, _ texts: [String]) -> String? {
        guard let entry = self[key] else { return "unknown setting" }
        if entry.isFlag {
            guard texts.count == 1, ["true", "false"].contains(texts[0]) else {
                return "found \(texts.joined(separator: ", ").quoted) (expected true or false)"
            }
            return nil
        }
        guard entry.isRepeating || entry.isObject || texts.count == 1 else {
            return "found \(texts.count) values (expected one \(entry.valueName))"
        }
        return texts.isEmpty ? "found an empty list (expected \(entry.valueName))" : nil
    }

    /// What is wrong with a key, and the nearest name of a setting.
    func unknown(_ key: String, besides others: [String] = []) -> String {
        if let entry = byName[key], entry.isObject { return "\(key): found one value (expected values by their names)" }
        // The option without a default of its own; the section has nearly the same name.
        if key == "provider" { return "unknown setting \"provider\"; did you mean \(Self.defaultProviders.quoted)?" }
        let all = names + others
        let expected = "a setting; imgscript config list --all lists them"
        return "unknown setting \(key.quoted)\(key.suggestion(among: all, expected: expected))"
    }
}
