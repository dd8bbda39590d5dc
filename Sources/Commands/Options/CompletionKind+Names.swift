import ArgumentParser
import Glibc
import ImgScript
import Packs
import ProviderModel

extension CompletionKind {
    /// Nothing, for what only the user knows.
    ///
    /// Beside an argument without any completion zsh offers no options.
    static let nothing: CompletionKind = .list([])

    /// The names of the providers that there are, "all", and the groups in the user's settings.
    static let providersOrAll: CompletionKind = .custom { words, _, _ in
        providerNames(for: words) + ["all"] + groupNames()
    }

    /// The names of the providers that there are.
    static let providers: CompletionKind = .custom { words, _, _ in providerNames(for: words) }

    /// The names of the providers for a command line, which may name folders of its own.
    ///
    /// No script is run.
    static func providerNames(
        for words: [String], in settings: ImageEngine.Configuration = .init()
    ) -> [String] {
        var settings = settings
        settings.providerFolders = folders(named: words) + settings.providerFolders
        return settings.providerNames
    }

    private static func folders(named words: [String]) -> [String] {
        let option = "--providers-folder"
        return zip(words, words.dropFirst() + [""]).compactMap { word, next -> String? in
            if word == option { return next }
            return word.hasPrefix("\(option)=") ? String(word.dropFirst(option.count + 1)) : nil
        }
    }

    /// The providers that a reference begins with: `met:`.
    static let references: CompletionKind = .custom { words, _, typed in
        guard !typed.contains(":") else { return [] }
        // In zsh a colon ends the word, and a description follows.
        let colon = CompletionShell.requesting == .zsh ? "\\:" : ":"
        return providerNames(for: words).map { $0 + colon }
    }

    /// The parameters of the providers that a command line names, each choice with its values: `orientation=vertical`.
    static let parameters: CompletionKind = .custom { words, _, _ in await parameterValues(for: words) }

    /// The parameters for a command line; their manifests are read in the sandbox.
    private static func parameterValues(for words: [String]) async -> [String] {
        let named = zip(words, words.dropFirst()).flatMap { option, value in
            ["-p", "--provider"].contains(option) ? value.split(separator: ",").map(String.init) : []
        }
        let files = words.filter { $0.hasSuffix(".js") && !$0.hasSuffix(".test.js") }
        var configuration = ImageEngine.Configuration()
        configuration.providerFolders = folders(named: words) + configuration.providerFolders
        // What cannot be read is reported by the command.
        guard let engine = try? ImageEngine(configuration) else { return [] }
        var manifests: [ProviderManifest] = []
        for name in named { manifests += [try? await engine.manifest(of: name)].compactMap(\.self) }
        for path in files { manifests += [try? await engine.check(file: path)].compactMap(\.self) }
        await engine.shutdown()
        let parameters = manifests.flatMap { $0.operations.flatMap(\.parameters) }
        let offers = parameters.flatMap { parameter in
            parameter.kind == .choice ? parameter.values.map { "\(parameter.name)=\($0)" } : ["\(parameter.name)="]
        }
        return Set(offers).sorted()
    }

    private static func groupNames() -> [String] {
        // A file that cannot be read is reported by the command.
        let folder = ImageEngine.Configuration().configurationFolder
        let settings = try? Settings(folder: folder, environment: [:], profile: nil)
        let keys = settings?.values().keys.sorted() ?? []
        return keys.filter { $0.hasPrefix("group.") }.map { "@\($0.dropFirst(6))" }
    }

    /// The names of the installed packs.
    static let packs: CompletionKind = .custom { _, _, _ in packNames() }

    /// The names of the installed packs, and the archives that begin as what is typed.
    static let packsAndArchives: CompletionKind = .custom { _, _, typed in packNames() + archives(typed) }

    private static func packNames() -> [String] {
        let settings = ImageEngine.Configuration()
        let store = PackStore(folder: settings.packFolder)
        // A lockfile that cannot be read is reported by the command.
        return settings.lockfiles.flatMap { (try? store.lockfile(at: $0).packs.keys.sorted()) ?? [] }
    }

    private static func archives(_ typed: String) -> [String] {
        var found = glob_t()
        defer { globfree(&found) }
        guard glob("\(typed)*.tgz", 0, nil, &found) == 0 else { return [] }
        return (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0].map { String(cString: $0) } }
    }
}
