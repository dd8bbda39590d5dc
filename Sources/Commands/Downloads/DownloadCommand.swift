import ArgumentParser
import Glibc
import ImgScript

struct DownloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "Downloads images: of a search, of a list, or by id and address.",
        discussion: """
            Words are searched for; PROVIDER:ID, addresses of pages and of files are fetched; - reads a list of these, or \
            what a search printed with --format jsonl. Without words, --provider downloads what the provider lists of itself.
              imgscript download --provider unsplash "red fox" --limit 200
              imgscript search -p all fox -f jsonl | imgscript download -d foxes -
              imgscript download pixabay:195893 https://example.com/photo.jpg
            What is there already is not fetched again: after Ctrl-C, the same command goes on where it stopped.
            """)

    @Argument(
        help: ArgumentHelp(
            "Words to search for, or PROVIDER:ID, addresses, - for the standard input.", valueName: "what"))
    var what: [String] = []

    @Option(
        name: [.customShort("i"), .customLong("input")],
        help: ArgumentHelp(
            "A file with such references or JSON lines, or - for the standard input; may be given several times.",
            valueName: "file"))
    var lists: [String] = []

    @Flag(help: "Try again what failed in this folder.")
    var retryFailed = false

    @Option(name: .providers, help: .providers)
    var providers: [String] = []

    @OptionGroup(title: "Files") var files: FileOptions
    @OptionGroup(title: "Beside the images") var beside: BesideOptions
    @OptionGroup(title: "Pace") var pace: PaceOptions
    @OptionGroup(title: "Results of a search") var selection: SelectionOptions
    @OptionGroup(title: "Engine") var engine: EngineOptions

    func validate() throws {
        guard !lists.contains("") else { throw ValidationError("--input is empty, expected a file.") }
        guard beside.outputFormat == .files || files.dedupe == .keep else {
            throw ValidationError("--dedupe is for files; shards hold every image.")
        }
    }

    func run() async throws {
        var engine = engine
        // The dry run of a download is its plan, for which sources are asked.
        engine.dryRun = false
        let context = try AppContext(engine, pagesInFlight: selection.pagesInFlight)
        try await context.run {
            // Not before: a misspelt option, whose value then is one of the words, is told of first.
            let wanted = try wanted
            if let providers = wanted.providers {
                try await context.engine.checkInstance(isTakenBy: context.engine.providerNames(for: providers))
            }
            if let named = wanted.namedProviders { try await context.engine.checkInstance(isTakenBy: named) }
            let session = DownloadSession(
                context: context, wanted: wanted, options: try options, directory: files.directory,
                selection: selection, way: pace.progress)
            if let reason = reasonToPlan {
                try await session.plan(because: reason)
            } else {
                try await session.download()
            }
        }
    }

    private var options: DownloadOptions {
        get throws {
            var options = DownloadOptions()
            files.apply(to: &options)
            try beside.apply(to: &options)
            pace.apply(to: &options)
            return options
        }
    }

    /// Why nothing is fetched, so that only the plan is shown; empty where that was asked for, nil to download.
    private var reasonToPlan: String? {
        if engine.dryRun { return "" }
        if engine.sample { return "samples, whose files do not exist" }
        return engine.offline ? "offline" : nil
    }

    /// Whether a word was most likely meant as the name of a file: it has a dot or a slash, and there is such a file.
    private static func isFile(_ word: String) -> Bool {
        var facts = stat()
        return word.contains { "./".contains($0) } && stat(word, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
    }

    private static func checkList(_ path: String) throws {
        var facts = stat()
        if stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR {
            throw DownloadWish.Slip("\(path) is a folder, expected a file with addresses, ids or JSON lines")
        }
        guard access(path, R_OK) == 0 else {
            throw DownloadWish.Slip("\(path) cannot be read: \(String(cString: strerror(errno)))")
        }
    }

    private var wanted: DownloadWish {
        get throws {
            let isList = !lists.isEmpty || what.contains("-")
            if retryFailed {
                guard what.isEmpty, lists.isEmpty, providers.isEmpty else {
                    throw DownloadWish.Slip("--retry-failed takes what failed in the folder, and nothing besides")
                }
                return .failed
            }
            let references = what.filter { $0 == "-" || DownloadInput.isReference($0) }
            guard !isList, !providers.isEmpty || references.isEmpty else {
                guard providers.isEmpty else {
                    throw DownloadWish.Slip(
                        "--provider is for words to search for; a list says itself where images are from")
                }
                if let word = what.first(where: { !references.contains($0) }) {
                    throw DownloadWish.Slip(
                        "“\(word)” is neither PROVIDER:ID nor an address; to search for words, name nothing besides them"
                    )
                }
                // Before anything is made in the folder: it may be another than was meant.
                for list in lists where list != "-" { try Self.checkList(list) }
                return .listed(references: what, files: lists)
            }
            if let file = what.first(where: Self.isFile) {
                throw DownloadWish.Slip(
                    "“\(file)” is a file, expected words to search for; --input \(file) takes what it lists"
                )
            }
            guard what.isEmpty else { return .search(text: what.joined(separator: " "), providers: providers) }
            guard !providers.isEmpty else {
                throw DownloadWish.Slip(
                    "nothing to download: name words to search for, PROVIDER:ID, addresses, or - for a list")
            }
            return .feed(providers: providers)
        }
    }
}

/// What a command line asks to have.
enum DownloadWish {
    /// What matches a text.
    case search(text: String, providers: [String])
    /// What providers list of themselves.
    case feed(providers: [String])
    /// References, among them `-`, and files of such.
    case listed(references: [String], files: [String])
    /// What failed before.
    case failed

    /// Words that ask for nothing that there is.
    struct Slip: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    /// Those that are asked for a list; nil where each image says itself where it is from.
    var providers: [String]? {
        switch self {
        case .search(_, let providers), .feed(let providers): providers
        case .listed, .failed: nil
        }
    }

    /// Those that every image names; nil where a list or the address of a page may be of others.
    var namedProviders: [String]? {
        guard case .listed(let references, let files) = self, files.isEmpty else { return nil }
        var names: [String] = []
        for reference in references {
            guard !reference.contains("://"), let colon = reference.firstIndex(of: ":") else { return nil }
            if !names.contains(String(reference[..<colon])) { names.append(String(reference[..<colon])) }
        }
        return names
    }
}
