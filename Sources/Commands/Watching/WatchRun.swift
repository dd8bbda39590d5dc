import ArgumentParser
import Glibc
import ImgScript
import ProviderModel
import Synchronization

/// What a watch follows: a search, a feed or a collection, with its options.
struct WatchQuery {
    /// How many images of each provider a run lists at most, where the query does not say.
    static let defaultLimit = 200

    let source: DownloadSource
    let selection: SelectionOptions
    private(set) var engine: EngineOptions
    private let words: [String]

    /// Reads a command line of `search`, `feed` or `show`, with the user's settings in it.
    init(_ words: [String], isQuiet: Bool = false) throws {
        self.words = words
        let listing: ListingOptions
        let followUp: FollowUpOptions
        switch try ImgScriptCommand.parsed(words) {
        case let command as SearchCommand:
            guard command.image == nil else { throw ValidationError("--image: not allowed in a watch") }
            source = .search(text: command.text.joined(separator: " "), providers: command.providers)
            (listing, followUp) = (command.listing, command.followUp)
            engine = command.engine
        case let command as FeedCommand:
            source = .feed(providers: command.providers)
            (listing, followUp) = (command.listing, command.followUp)
            engine = command.engine
        case let command as ShowCommand:
            source = .listed(references: [command.reference], files: [])
            (listing, followUp) = (command.listing, command.followUp)
            engine = command.engine
        default:
            throw ValidationError(
                "\(words.first?.quoted ?? ""): cannot be watched (expected search, feed or show with a collection)")
        }
        selection = listing.selection
        let refused = [
            ("--resume", listing.resume), ("--range", selection.range != nil), ("--tags", listing.tags),
            ("--open", followUp.open),
            ("--select", followUp.select), ("--sample", engine.sample),
            ("--dry-run", engine.dryRun), ("--offline", engine.network.offline),
        ]
        if let (name, _) = refused.first(where: \.1) { throw ValidationError("\(name): not allowed in a watch") }
        if isQuiet { engine.network.quiet = true }
    }

    /// Throws where a provider is unknown, or a reference is none of a collection.
    func check(in context: AppContext) async throws {
        switch source {
        case .search(_, let providers), .feed(let providers):
            let names = context.engine.providerNames(for: providers)
            for name in names { _ = try await context.engine.manifest(of: name) }
            try LicenseChoice.check(selection.licenses, of: names)
            try context.groups.checkProviderOptions(areFor: names)
            try await context.engine.checkInstance(isTakenBy: names)
            try await context.engine.checkCookies(areTakenBy: names)
        case .listed(let references, _, _):
            for reference in references {
                guard try await context.engine.item(for: reference).type == .collection else {
                    throw ValidationError("\(reference.quoted) is an image (expected an album, a gallery or a user)")
                }
            }
        case .items, .failed: break
        }
    }

    /// The arguments of `watch add` with a limit in the query.
    func limiting(_ arguments: [String]) -> [String] {
        guard let given = SettingsArguments(words, of: ImgScriptCommand.self), given.values["limit"] == nil,
            let end = arguments.firstIndex(of: "--"), end + 1 < arguments.count
        else { return arguments }
        var arguments = arguments
        arguments.insert("--limit=\(Self.defaultLimit)", at: end + 2)
        return arguments
    }
}

/// One run of a watch: downloads what is new, and announces it.
struct WatchRun {
    let name: String
    let store: WatchStore
    let status: StatusLine
    let isQuiet: Bool
    /// Whether images are fetched that are older than the known ones.
    var fetchesOlder = false

    /// Runs it to its end; throws its exit code where something failed.
    func run() async throws {
        _ = try store.watch(named: name)
        let lock = try store.lock(name)
        defer { lock.release() }
        var watch = try store.watch(named: name)
        guard chdir(watch.workingFolder) == 0 else {
            status.error(
                "\(name): no folder \(watch.workingFolder): \(String(cString: strerror(errno)))",
                hint: "imgscript watch remove \(name) removes the watch")
            throw ExitStatus.failure
        }
        guard let command = try ImgScriptCommand.parsed(["watch", "add"] + watch.arguments) as? WatchCommand.Add
        else { throw ValidationError("\(name): invalid arguments (expected those of watch add)") }
        let query = try WatchQuery(command.query, isQuiet: isQuiet)
        let interruptedAt = watch.runningSince
        watch.begin(at: WallClock.secondsSince1970)
        try store.save(watch)
        let started = WallClock.secondsSince1970
        let folder = command.files.directory == "." ? name : command.files.directory
        let recorder = NewImageRecorder(
            store: store, name: name, folder: folder.hasPrefix("/") ? folder : "\(watch.workingFolder)/\(folder)",
            interruptedAt: interruptedAt, warn: { status.error($0) })
        let context = try AppContext(query.engine, pagesInFlight: query.selection.pagesInFlight) {
            $0.isStrict = query.selection.strict
        }
        await context.refreshStatuses()
        let rule = WatchReadingRule(
            watch.reading(
                of: query.source.providers.map { context.engine.providerNames(for: $0) } ?? [],
                limit: query.selection.limit, limits: context.settings.providers.compactMapValues(\.limit),
                knownInARow: command.files.abortAfter, readsOlder: fetchesOlder))
        let outcome = try await download(
            command, query, to: folder, reading: rule, in: context, recorder: command.webhook == nil ? nil : recorder)
        let reading = rule.reading
        let wasFirst = !watch.hasBeenComplete
        let isComplete = outcome.isComplete && reading.isComplete
        watch.end(
            .init(
                started: started, new: outcome.tally.finished, failed: outcome.tally.failed, isComplete: isComplete),
            reading, isListed: outcome.isListed)
        try store.save(watch)
        printRest(of: reading, outcome, wasFirst: wasFirst)
        let announced = await announce(command, context, recorder.bundled)
        await context.engine.shutdown()
        guard outcome.status == .success else { throw outcome.status }
        guard announced else { throw ExitStatus.failure }
    }

    private func download(
        _ command: WatchCommand.Add, _ query: WatchQuery, to folder: String, reading: WatchReadingRule,
        in context: AppContext, recorder: NewImageRecorder?
    ) async throws -> DownloadOutcome {
        var options = try DownloadOptions(
            command.files, command.metadata, command.afterwards, command.transfers, query.selection, named: name)
        // The reading ends the run, provider by provider.
        options.stopsAfterSkips = nil
        var session = DownloadSession(
            context: context, source: query.source, options: options, directory: folder,
            selection: query.selection, style: isQuiet ? .none : command.transfers.progress,
            onEvent: { recorder?.add($0) })
        session.reading = reading
        let outcome = try await session.run()
        context.notices.printLeftOut()
        try context.output.flush()
        return outcome
    }

    /// Prints what the run has left, and how to get it.
    private func printRest(of reading: WatchReading, _ outcome: DownloadOutcome, wasFirst: Bool) {
        let limited = reading.providers(endedBy: .limit)
        if !limited.isEmpty, fetchesOlder || wasFirst || !reading.isComplete {
            let limit = "the limit of \(reading.limit.counted("new image"))"
            guard wasFirst || fetchesOlder else {
                return status.note("\(name): \(limit) was reached before known images; the next run continues")
            }
            let (count, isExact) = reading.leftByLimit(of: outcome.sizes)
            status.note(
                "\(name): \(isExact ? "" : "at least ")\(count.counted("older image")) not fetched (\(limit))",
                hint: "imgscript watch run --older \(name) fetches the next ones")
        }
        let cut = reading.providers(endedBy: .pages)
        if !cut.isEmpty, !reading.isComplete {
            status.warning(
                "\(name): \(cut.joined(separator: ", ")): new images may follow the pages that were searched through",
                hint: "imgscript watch add with fewer conditions, or with --page-size, reaches them")
        }
    }

    /// Posts what has not been announced; false where that failed, and the next run tries again.
    private func announce(
        _ command: WatchCommand.Add, _ context: AppContext, _ bundled: [String: String]
    ) async -> Bool {
        guard let webhook = command.webhook else { return true }
        var (images, damaged) = store.unannounced(of: name)
        if damaged > 0 {
            status.warning("\(name): new images are not announced: \(damaged) notes of them are damaged")
        }
        guard !images.isEmpty else {
            store.forgetAnnounced(of: name)
            return true
        }
        for index in images.indices { images[index].path = bundled[images[index].path] ?? images[index].path }
        do {
            try await context.engine.post(WatchAnnouncement(watch: name, images: images), to: webhook)
            store.forgetAnnounced(of: name)
            return true
        } catch {
            status.error(error)
            return false
        }
    }
}

/// Notes what is to be announced as it comes, those files included that an interrupted run completed and did not note.
private final class NewImageRecorder: Sendable {
    let store: WatchStore
    let name: String
    let folder: String
    /// When the run began that was interrupted.
    let interruptedAt: Int?
    let warn: @Sendable (any Error) -> Void
    private let noted: Set<String>
    private let moves = Mutex<[String: String]>([:])

    /// Where files are that went into archives, by the paths that they had.
    var bundled: [String: String] { moves.withLock(\.self) }

    init(
        store: WatchStore, name: String, folder: String, interruptedAt: Int?,
        warn: @escaping @Sendable (any Error) -> Void
    ) {
        self.store = store
        self.name = name
        self.folder = folder
        self.interruptedAt = interruptedAt
        self.warn = warn
        noted = Set(store.unannounced(of: name).images.map(\.path))
    }

    func add(_ event: DownloadEvent) {
        do throws(WatchError) {
            switch event {
            case .finished(let file): try store.note(.init(file, in: folder), of: name)
            // A kill may come between the name of a file, its record and this note.
            case .skipped(let key, .archived(let path)), .skipped(let key, .present(let path)):
                let path = path.hasPrefix("/") ? path : "\(folder)/\(path)"
                guard let interruptedAt, !noted.contains(path), isNewer(path, than: interruptedAt) else { return }
                try store.note(.init(key, at: path), of: name)
            case .bundled(let result):
                let paths = result.paths.map { ("\(folder)/\($0)", "\(folder)/\($1)") }
                moves.withLock { $0.merge(paths) { $1 } }
            default: break
            }
        } catch { warn(error) }
    }

    /// Whether a file got its name then or later.
    private func isNewer(_ path: String, than seconds: Int) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_ctim.tv_sec >= seconds
    }
}
