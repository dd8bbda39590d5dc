import ImgScript
import ProviderModel

/// The providers and groups that settings may name, as far as they are known without running a script.
struct SettingsNames {
    private let providers: Set<String>
    private let groups: Set<String>

    /// The names of a configuration's folders and packs; `settings` may name further folders, and have groups.
    init(_ settings: Settings, besides folders: [String] = [], in environment: [String: String]) {
        var configuration = ImageEngine.Configuration(environment: environment)
        let values = settings.values()
        configuration.providerFolders =
            folders + (values["providers-folder"]?.texts ?? []) + configuration.providerFolders
        providers = Set(configuration.providerNames)
        groups = Set(values.keys.filter { $0.hasPrefix("group.") }.map { String($0.dropFirst("group.".count)) })
    }

    /// The fault of the name of a provider or group; nil where there is one, or no provider is known at all.
    func fault(of name: String) -> String? {
        guard !providers.isEmpty, name != ImageEngine.Configuration.allProviders else { return nil }
        if name.hasPrefix("@") {
            guard !groups.contains(String(name.dropFirst())) else { return nil }
            return "unknown group \(name.quoted)\(name.suggestion(among: groups.map { "@\($0)" }.sorted()))"
        }
        return providers.contains(name)
            ? nil : "unknown provider \(name.quoted)\(name.suggestion(among: providers.sorted()))"
    }

    /// The first fault of the names in the value of a setting.
    func fault(ofValuesOf key: String, _ texts: [String]) -> String? {
        guard key == SettingsTable.defaultProviders || key.hasPrefix("group.") else { return nil }
        return texts.lazy.compactMap(fault).first
    }

    /// The faults of the names in settings, each with its place.
    func faults(in settings: Settings) -> [String] {
        var faults: [(line: Int, text: String)] = []
        func add(_ section: SettingsFile.Section?, at path: String) {
            for (key, texts) in section?.all ?? [:] {
                if let fault = fault(ofValuesOf: key, texts) { add(fault, path + key) }
            }
            for provider in section?.providers.keys.map(\.self) ?? [] {
                if let fault = fault(of: provider) { add(fault, "\(path)providers.\(provider)") }
            }
        }
        func add(_ fault: String, _ key: String) {
            let line = settings.file.line(of: key)
            faults.append((line ?? 0, "\(settings.file.path)\(line.map { ", line \($0)" } ?? ""): \(fault)"))
        }
        add(settings.file.main, at: "")
        if let profile = settings.profile { add(settings.file.profiles[profile], at: "profiles.\(profile).") }
        return faults.sorted { $0 < $1 }.map(\.text)
    }
}

/// The parameters of providers in settings, which their manifests describe.
enum SettingsParameters {
    /// The fault of a parameter's name or value; nil where it is right, or the provider cannot be loaded.
    static func fault(of key: String, _ texts: [String], in folders: [String]) async -> String? {
        let path = SettingsDocument.path(of: key)
        guard let place = path.firstIndex(of: "providers"), path.count == place + 4, path[place + 2] == "param",
            let manifest = await manifest(of: path[place + 1], in: folders)
        else { return nil }
        return fault(of: path[place + 3], texts, manifest)
    }

    /// The fault of a parameter of a provider; nil where it is right.
    static func fault(of name: String, _ texts: [String], _ manifest: ProviderManifest) -> String? {
        let known = manifest.operations.flatMap(\.parameters)
        let descriptions = known.filter { $0.name == name }
        guard let text = texts.first, !descriptions.isEmpty else {
            let names = Set(known.map(\.name)).sorted()
            let expected = names.isEmpty ? "none" : names.joined(separator: ", ")
            return
                "\(manifest.id): unknown parameter \(name.quoted)\(name.suggestion(among: names, expected: expected))"
        }
        var fault: String?
        for description in descriptions {
            do throws(InvalidParameter) {
                _ = try description.value(from: text)
                return nil
            } catch { fault = "\(manifest.id): \(error)" }
        }
        return fault
    }

    private static func manifest(of provider: String, in folders: [String]) async -> ProviderManifest? {
        // One that cannot be loaded is reported where it is used.
        guard var options = try? EngineOptions.parse([]) else { return nil }
        options.providerFolders = folders
        guard let context = try? AppContext(options), context.engine.isInstalled(provider) else { return nil }
        let manifest = try? await context.engine.manifest(of: provider)
        await context.engine.shutdown()
        return manifest
    }
}
