import ArgumentParser
import FoundationEssentials
import Glibc
import HTTPTransport
import ImgScript
import ProviderModel

struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Follow searches, feeds and collections, and download new images",
        discussion: """
            A run lists the query, downloads new images into the watch's folder, and stops at known ones. Made for cron and \
            systemd: the next run continues one that was interrupted, or that reached the query's limit of new images.
              imgscript watch add foxes -- search -p openverse --param sort=newest "red fox"
              imgscript watch add anna -d ~/anna --exec 'notify-send {path}' -- show flickr:user:anna
              imgscript watch run --all --quiet
            """,
        subcommands: [Add.self, Run.self, List.self, Remove.self, History.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Follow a search, a feed or a collection",
            discussion: """
                Download options go before --, the query after it: search, feed, or show with a collection. Files go into \
                a folder with the watch's name unless --directory names another.
                """)

        @Argument(help: "name of the watch", completion: .nothing)
        var name: String

        @Option(
            help: ArgumentHelp("address that new images are posted to as JSON, once per run", valueName: "url"),
            transform: Self.address)
        var webhook: WebURL?

        @OptionGroup(title: "Files") var files: FileOptions
        @OptionGroup(title: "Metadata and shards") var metadata: MetadataOptions
        @OptionGroup(title: "For each file") var afterwards: AfterwardsOptions
        @OptionGroup(title: "Transfers") var transfers: TransferOptions

        @Argument(
            parsing: .postTerminator, help: ArgumentHelp("search, feed or show with its arguments", valueName: "query"),
            completion: .nothing)
        var query: [String] = []

        func validate() throws {
            guard Watch.isName(name) else {
                throw ValidationError(
                    "name: found \(name.quoted) (expected letters, digits, dashes, dots and underscores, 64 at most)")
            }
            guard !query.isEmpty else {
                throw ValidationError("missing query (expected -- search, -- feed or -- show with its arguments)")
            }
            guard metadata.shard == nil else { throw ValidationError("--shard: not allowed in a watch") }
            guard !files.noArchive else {
                throw ValidationError("--no-archive: not allowed in a watch (the archive says what is known)")
            }
        }

        func run() async throws {
            let words = Array(CommandLine.arguments.dropFirst(3))
            let query = try WatchQuery(query)
            let context = try AppContext(query.engine)
            try await context.run {
                try await query.check(in: context)
                let working = FileManager.default.currentDirectoryPath
                let watch = Watch(name: name, arguments: query.limiting(words), workingFolder: working)
                try WatchStore(context.settings).save(watch, isNew: true)
                context.status.note("added \(name); imgscript watch run \(name) fetches its images")
            }
        }

        private static func address(_ text: String) throws -> WebURL {
            // Why it is none is said here.
            guard let url = try? WebURL(text) else { throw ValidationError("expected an absolute URL") }
            return url
        }
    }

    struct Run: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "run", abstract: "Download new images",
            discussion: "A watch that is already running is skipped.")

        @Argument(help: ArgumentHelp("name of a watch", valueName: "name"), completion: .watches)
        var name: String?

        @Flag(help: "run all watches, one after the other")
        var all = false

        @Flag(help: "fetch images that are older than the known ones, too, as many as the query's limit")
        var older = false

        @Flag(name: .shortAndLong, help: "print only errors")
        var quiet = false

        func validate() throws {
            guard (name == nil) == all else {
                throw ValidationError(all ? "--all: unexpected name" : "missing argument: a name, or --all")
            }
        }

        func run() async throws {
            let settings = ImageEngine.Configuration()
            let store = WatchStore(settings)
            let status = StatusLine(environment: settings.environment, verbosity: quiet ? .quiet : .normal)
            let names = name.map { [$0] } ?? store.names
            if names.isEmpty { status.note("no watches", hint: "imgscript watch add NAME -- search … adds one") }
            var statuses: [ExitStatus] = []
            for name in names {
                do {
                    try await WatchRun(
                        name: name, store: store, status: status, isQuiet: quiet, fetchesOlder: older
                    ).run()
                    statuses.append(.success)
                } catch let error as WatchError where error.code == .busy {
                    status.note("\(error)")
                    statuses.append(.success)
                } catch let error as ExitStatus {
                    statuses.append(error)
                    if error == .interrupted { throw error }
                } catch {
                    status.error(error)
                    statuses.append(ExitStatus(error))
                }
            }
            let failed = statuses.filter { $0 != .success }
            guard let first = failed.first else { return }
            throw failed.count == statuses.count ? first : .someFailed
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List all watches")

        func run() async throws {
            var failed: WatchError?
            try WatchOutput.print { output in
                var table = Table(columns: [
                    .init("Name"), .init("Last run"), .init("New", alignment: .right), .init("State"),
                    .init("Query", .below),
                ])
                let names = output.store.names
                for name in names {
                    do throws(WatchError) { table.add(Self.row(of: try output.store.watch(named: name))) } catch {
                        output.status.error(error)
                        failed = error
                    }
                }
                return names.isEmpty ? nil : table
            }
            if let failed { throw ExitStatus(failed) }
        }

        private static func row(of watch: Watch) -> [TableCell] {
            let last = watch.runs.last
            return [
                TableCell(watch.name, .bold), TableCell(last?.started ?? "never"),
                TableCell(last.map { "\($0.new)" } ?? ""),
                TableCell(last == nil ? "new" : watch.isCaughtUp ? "up to date" : "unfinished", .dim),
                TableCell(watch.shownArguments, .dim),
            ]
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove a watch and its history; its files stay")

        @Argument(help: "name of a watch", completion: .watches)
        var name: String

        func run() async throws { try WatchOutput.run { try $0.store.remove(name) } }
    }

    struct History: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "history", abstract: "List the last runs of a watch")

        @Argument(help: "name of a watch", completion: .watches)
        var name: String

        func run() async throws {
            try WatchOutput.print { output in
                var table = Table(columns: [
                    .init("Started"), .init("New", alignment: .right), .init("Failed", alignment: .right),
                    .init("State"),
                ])
                let runs = try output.store.watch(named: name).runs
                for run in runs {
                    table.add([
                        TableCell(run.started), TableCell("\(run.new)"), TableCell("\(run.failed)"),
                        TableCell(run.isComplete ? "complete" : "unfinished", .dim),
                    ])
                }
                return runs.isEmpty ? nil : table
            }
        }
    }
}

/// What commands that only look at watches work with.
private struct WatchOutput {
    let store: WatchStore
    let status: StatusLine

    static func run(_ work: (WatchOutput) throws -> Void) throws {
        let settings = ImageEngine.Configuration()
        let context = WatchOutput(store: WatchStore(settings), status: StatusLine(environment: settings.environment))
        do { try work(context) } catch let error as WatchError {
            context.status.error(error)
            throw ExitStatus(error)
        }
    }

    /// Prints a table; a note for nil.
    static func print(_ table: (WatchOutput) throws -> Table?) throws {
        try run { context in
            guard let found = try table(context) else { return context.status.note("nothing to list") }
            let output = TextOutput()
            let terminal = Terminal(descriptor: STDOUT_FILENO, environment: ProcessInfo.processInfo.environment)
            for line in found.lines(on: terminal) { try output.writeLine(line) }
            try output.flush()
        }
    }
}

extension Watch {
    /// The arguments on a line, without the address of a webhook and the values of headers, which may be secrets.
    fileprivate var shownArguments: String {
        var words = arguments
        for option in ["--webhook", "--header"] {
            for index in words.indices {
                if words[index].hasPrefix("\(option)=") { words[index] = "\(option)=…" }
                if index > 0, words[index - 1] == option { words[index] = "…" }
            }
        }
        return words.joined(separator: " ")
    }
}

extension CompletionKind {
    /// The names of the watches.
    static let watches: CompletionKind = .custom { _, _, _ in WatchStore(ImageEngine.Configuration()).names }
}
