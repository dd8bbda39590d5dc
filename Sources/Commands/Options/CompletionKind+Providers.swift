import ArgumentParser
import ImgScript

extension CompletionKind {
    /// The names of the providers that there are, and "all".
    static let providersOrAll: CompletionKind = .custom { words, _, _ in providerNames(for: words) + ["all"] }

    /// The names of the providers that there are.
    static let providers: CompletionKind = .custom { words, _, _ in providerNames(for: words) }

    /// The names of the providers for a command line, which may name folders of its own.
    ///
    /// No script is run.
    static func providerNames(
        for words: [String], in settings: ImageEngine.Configuration = .init()
    ) -> [String] {
        var settings = settings
        let option = "--providers-folder"
        let folders = zip(words, words.dropFirst() + [""]).compactMap { word, next -> String? in
            if word == option { return next }
            return word.hasPrefix("\(option)=") ? String(word.dropFirst(option.count + 1)) : nil
        }
        settings.providerFolders = folders + settings.providerFolders
        return settings.providerNames
    }
}
