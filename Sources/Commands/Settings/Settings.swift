import FoundationEssentials
import Glibc
import ImgScript
import ProviderModel

/// The settings that hold for a run, each with where it comes from.
struct Settings {
    /// Where a value comes from.
    enum Origin: Hashable, CustomStringConvertible {
        case file(line: Int?)
        case profile(String, line: Int?)
        case environment(String)
        case option
        case `default`

        var description: String {
            switch self {
            case .file(let line): "file\(line.map { ", line \($0)" } ?? "")"
            case .profile(let name, let line): "profile \(name)\(line.map { ", line \($0)" } ?? "")"
            case .environment(let variable): "environment \(variable)"
            case .option: "option"
            case .default: "default"
            }
        }
    }

    /// A value and its origin.
    struct Value: Hashable {
        var texts: [String]
        var origin: Origin
    }

    typealias Values = [String: Value]

    let table: SettingsTable
    let file: SettingsFile
    /// The profile in use.
    let profile: String?
    private let environment: [String: [String]]

    /// Whether there can be settings: asked first, since a search takes as long as looking through all options.
    static func exist(in environment: [String: String]) -> Bool {
        let folder = ImageEngine.Configuration(environment: environment).configurationFolder
        let isSet = environment.keys.contains { $0.hasPrefix("IMGSCRIPT_") && $0 != "IMGSCRIPT_WORKER" }
        return isSet || access(SettingsFile.path(in: folder), F_OK) == 0
    }

    /// Reads the settings; `profile` is the one that an option names.
    init(in environment: [String: String], profile: String?) throws(ConfigurationError) {
        let folder = ImageEngine.Configuration(environment: environment).configurationFolder
        try self.init(folder: folder, environment: environment, profile: profile)
    }

    /// Reads the settings of a folder.
    init(folder: String, environment: [String: String], profile option: String?) throws(ConfigurationError) {
        table = SettingsTable()
        file = try SettingsFile(folder: folder, table: table)
        profile = option ?? environment["IMGSCRIPT_PROFILE"].flatMap { $0.isEmpty ? nil : $0 } ?? file.profile
        if let profile, file.profiles[profile] == nil {
            let known = file.profiles.keys.sorted()
            let hint =
                known.isEmpty
                ? ": it has no profiles" : profile.suggestion(among: known, expected: known.joined(separator: ", "))
            throw ConfigurationError(path: file.path, reason: "unknown profile \(profile.quoted)\(hint)")
        }
        var values: [String: [String]] = [:]
        for entry in table.entries where !entry.isObject {
            guard let text = environment[entry.variable], !text.isEmpty else { continue }
            let texts = entry.isRepeating ? text.split(separator: ",").map { $0.trimmingSpaces } : [text]
            if let fault = table.fault(of: entry.name, texts) {
                throw ConfigurationError(path: entry.variable, reason: fault)
            }
            values[entry.name] = texts
        }
        self.environment = values
    }

    /// The values for all providers, or for one: later ones replace earlier ones of the same option.
    func values(for provider: String? = nil) -> Values {
        var values: Values = [:]
        func add(_ section: SettingsFile.Section?, at path: String, _ origin: (Int?) -> Origin) {
            for (key, texts) in section?.all ?? [:] {
                put(key, Value(texts: texts, origin: origin(file.line(of: path + key))), into: &values)
            }
            for (key, texts) in provider.flatMap({ section?.providers[$0] }) ?? [:] {
                let line = file.line(of: "\(path)providers.\(provider ?? "").\(key)")
                put(key, Value(texts: texts, origin: origin(line)), into: &values)
            }
        }
        add(file.main, at: "") { .file(line: $0) }
        if let profile { add(file.profiles[profile], at: "profiles.\(profile).") { .profile(profile, line: $0) } }
        for (key, texts) in environment {
            let variable = table[key]?.variable ?? ""
            put(key, Value(texts: texts, origin: .environment(variable)), into: &values)
        }
        return values
    }

    /// The providers that have settings of their own.
    var providers: [String] {
        let profiled = profile.flatMap { file.profiles[$0] }?.providers.keys.map(\.self) ?? []
        return Set(file.main.providers.keys).union(profiled).sorted()
    }

    /// Sets a value, and takes away what it excludes.
    private func put(_ key: String, _ value: Value, into values: inout Values) {
        for group in SettingsTable.exclusive where group.contains(key) && value.texts != ["false"] {
            for other in group where other != key { values[other] = nil }
        }
        values[key] = value
    }
}
