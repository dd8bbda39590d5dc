import ArgumentParser
import Glibc
import ImgScript
import Packs

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
