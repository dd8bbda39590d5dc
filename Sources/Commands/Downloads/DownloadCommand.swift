import ArgumentParser
import Glibc
import ImgScript

struct DownloadCommand: AsyncParsableCommand, ProviderCommand {
    static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "Download images of a search or a list, or by id or URL",
        discussion: """
            Words are searched for; PROVIDER:ID, page URLs and file URLs are fetched; - reads a list of these, or the \
            output of a search with --format jsonl. Without words, --provider downloads the provider's feed.
              imgscript download --provider unsplash "red fox" --limit 200
              imgscript search -p all fox -f jsonl | imgscript download -d foxes -
              imgscript download pixabay:195893 https://example.com/photo.jpg
            Existing files are not fetched again: run an interrupted command again to resume it.
            """)

    @Argument(
        help: ArgumentHelp("words to search for, or PROVIDER:ID, URLs, - for the standard input", valueName: "what"),
        completion: .nothing)
    var what: [String] = []

    @Option(
        name: [.customShort("i"), .customLong("input")],
        help: ArgumentHelp(
            "file with references, URLs or JSON lines, or - for the standard input; may be repeated",
            valueName: "file"), completion: .file())
    var lists: [String] = []

    @Flag(help: "retry the failed downloads of the folder")
    var retryFailed = false

    @Option(name: .providers, help: .providers, completion: .providersOrAll)
    var providers: [String] = []

    @OptionGroup(title: "Files") var files: FileOptions
    @OptionGroup(title: "Metadata and shards") var metadata: MetadataOptions
    @OptionGroup(title: "For each file") var afterwards: AfterwardsOptions
    @OptionGroup(title: "Transfers") var transfers: TransferOptions
    @OptionGroup(title: "Results of a search") var selection: SelectionOptions
    @OptionGroup(title: "Engine") var engine: EngineOptions

    func validate() throws {
        guard !lists.contains("") else { throw ValidationError("--input: empty value (expected a file)") }
        guard !retryFailed || files.deadLinkAge == nil else {
            throw ValidationError.exclusive(["--retry-failed", "--dead-link-age"])
        }
        guard metadata.outputFormat == .files || files.dedupe == .keep else {
            throw ValidationError.exclusive(["--dedupe", "--output-format webdataset"])
        }
        guard metadata.outputFormat == .files || files.nearDuplicates != .link else {
            throw ValidationError.exclusive(["--near-duplicates link", "--output-format webdataset"])
        }
        guard metadata.outputFormat == .files || afterwards.command == nil && afterwards.script == nil else {
            throw ValidationError.exclusive(
                [afterwards.command == nil ? "--exec-shell" : "--exec", "--output-format webdataset"])
        }
    }

    func run() async throws {
        var engine = engine
        // The dry run of a download is its plan, for which sources are asked.
        engine.dryRun = false
        let context = try AppContext(engine, pagesInFlight: selection.pagesInFlight, tellsOfUpdates: true) {
            $0.isStrict = selection.strict
        }
        try await context.run {
            let source = try DownloadSource(
                what, lists: lists, providers: providers,
                names: providers.isEmpty ? [] : context.engine.providerNames(for: providers), isRetry: retryFailed,
                isInstalled: context.engine.isInstalled)
            try await check(source, context)
            await context.refreshStatuses()
            let session = DownloadSession(
                context: context, source: source, options: try downloadOptions(named: source.name),
                directory: files.directory,
                selection: selection, style: transfers.progress)
            if let reason = self.engine.dryRun ? "dry run" : context.reasonToPlan {
                try await session.plan(because: reason)
            } else {
                try await session.download()
            }
        }
    }

    /// Throws for options that the images cannot have.
    private func check(_ source: DownloadSource, _ context: AppContext) async throws {
        let engine = context.engine
        try LicenseChoice.check(
            selection.licenses,
            of: engine.providerNames(for: source.providers ?? [ImageEngine.Configuration.allProviders]))
        if let providers = source.providers {
            let names = engine.providerNames(for: providers)
            try context.groups.checkProviderOptions(areFor: names)
            try await engine.checkInstance(isTakenBy: names)
            try await engine.checkCookies(areTakenBy: names)
        }
        if let named = source.namedProviders {
            try await engine.checkInstance(isTakenBy: named)
            try await engine.checkCookies(areTakenBy: named)
        }
        guard source.isRetry, let format = afterwards.bundleFormat?.rawValue, !context.groups.isFromSettings(format)
        else {
            return
        }
        throw ValidationError(
            "--\(format): not allowed with --retry-failed (run the first command again: it takes all files in)")
    }

    /// The engine's options that the options of the command say; an archive of the files has a name.
    func downloadOptions(named name: String) throws -> DownloadOptions {
        try DownloadOptions(files, metadata, afterwards, transfers, selection, named: name)
    }
}

extension AppContext {
    /// Why a download is only planned; nil where files can be fetched.
    var reasonToPlan: String? {
        settings.answers == .samples ? "samples" : settings.cacheMode == .offline ? "offline" : nil
    }
}

/// What a command line downloads.
enum DownloadSource {
    /// The results of a search.
    case search(text: String, providers: [String])
    /// The feeds of providers.
    case feed(providers: [String])
    /// References, among them `-`, and files of such.
    ///
    /// `providers` are those that references may be of; empty for all.
    case listed(references: [String], files: [String], providers: [String] = [])
    /// Results that were chosen.
    case items([Item])
    /// What failed before.
    case failed

    /// Reads the arguments of a command line.
    ///
    /// `names` are those of the providers that are given, with the members of groups in their place.
    init(
        _ words: [String], lists: [String], providers: [String], names: [String], isRetry: Bool,
        isInstalled: (String) -> Bool
    ) throws {
        if isRetry {
            guard words.isEmpty, lists.isEmpty, providers.isEmpty else {
                throw ValidationError("--retry-failed: unexpected arguments (expected only a folder)")
            }
            self = .failed
            return
        }
        let isList = !lists.isEmpty || words.contains("-")
        guard !isList || providers.isEmpty else {
            throw ValidationError("--provider: not allowed with lists, whose lines name their providers")
        }
        let references = words.filter {
            providers.isEmpty
                ? DownloadInput.isReference($0) : DownloadInput.isReference($0, isInstalled: isInstalled)
        }
        if isList || !references.isEmpty {
            try Self.check(words.filter { $0 != "-" }, references, of: names)
            // Before anything is created in the folder: it may not be the one that was meant.
            for list in lists where list != "-" { try Self.checkList(list) }
            self = .listed(references: words, files: lists, providers: names)
        } else if let file = words.first(where: Self.isFile) {
            throw ValidationError("\"\(file)\" is a file (expected words to search for, or --input \(file))")
        } else if !words.isEmpty {
            self = .search(text: words.joined(separator: " "), providers: providers)
        } else if !providers.isEmpty {
            self = .feed(providers: providers)
        } else {
            throw ValidationError(
                "nothing to download (expected words to search for, PROVIDER:ID, URLs, or - for a list)")
        }
    }

    /// Throws where words to search for stand beside references, or a reference is of another provider.
    private static func check(_ words: [String], _ references: [String], of providers: [String]) throws {
        if let word = words.first(where: { !references.contains($0) }) {
            throw ValidationError(
                "\(word.quoted) is neither PROVIDER:ID nor a URL (words to search for cannot be mixed with them; "
                    + "one in quotation marks, such as '\"https://…\"', is a word)")
        }
        for reference in references where !providers.isEmpty && !reference.contains("://") {
            let provider = String(reference.prefix { $0 != ":" })
            guard !providers.contains(provider) else { continue }
            throw ValidationError(
                "\(reference.quoted) is of \(provider) (expected an image of \(providers.joined(separator: ", ")); "
                    + "in quotation marks, '\"\(reference)\"', it is searched for)")
        }
    }

    /// Whether it is what failed before, which goes into no archive.
    var isRetry: Bool { if case .failed = self { true } else { false } }

    /// The name of its archive: the words of a search, the providers of a feed.
    var name: String {
        switch self {
        case .search(let text, _): text
        case .feed(let providers): providers.joined(separator: " ")
        case .listed, .items, .failed: "images"
        }
    }

    /// The providers of a search or feed; nil where each image names its own.
    var providers: [String]? {
        switch self {
        case .search(_, let providers), .feed(let providers): providers
        case .listed, .items, .failed: nil
        }
    }

    /// The providers of the references; nil where lists or page URLs may have others.
    var namedProviders: [String]? {
        guard case .listed(let references, let files, let providers) = self, files.isEmpty else { return nil }
        if !providers.isEmpty { return providers }
        var names: [String] = []
        for reference in references {
            guard !reference.contains("://"), let colon = reference.firstIndex(of: ":") else { return nil }
            if !names.contains(String(reference[..<colon])) { names.append(String(reference[..<colon])) }
        }
        return names
    }

    /// Whether a word was most likely meant as the name of a file: it has a dot or a slash, and there is such a file.
    private static func isFile(_ word: String) -> Bool {
        var facts = stat()
        return word.contains { "./".contains($0) } && stat(word, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
    }

    private static func checkList(_ path: String) throws {
        var facts = stat()
        if stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR {
            throw ValidationError("\(path) is a folder (expected a file with URLs, ids or JSON lines)")
        }
        guard access(path, R_OK) == 0 else {
            throw ValidationError("could not read \(path): \(String(cString: strerror(errno)))")
        }
    }
}

extension DownloadInput {
    /// Whether a word among those to search for stands for an image: `rating:safe` does not, as no provider has the name.
    static func isReference(_ word: String, isInstalled: (String) -> Bool) -> Bool {
        if word.isWebAddress || word.foreignScheme != nil { return true }
        return isReference(word) && isInstalled(String(word.prefix { $0 != ":" }))
    }
}
