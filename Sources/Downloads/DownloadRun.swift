import Glibc
import HTTPTransport
import LocalDatabase
import ProviderModel
import Synchronization

/// One run of downloads into a folder, whose events are read as they happen.
///
/// ```swift
/// let run = try engine.download(engine.search("red fox"), to: "foxes")
/// for try await event in run { if case .failed(let error) = event { print(error) } }
/// print(run.tally.finished, "files")
/// ```
///
/// The run begins with the first event requested, and releasing the iterator cancels it. A file gets its name when it is
/// complete and verified; another run over the same inputs continues where this one ended.
public final class DownloadRun: AsyncSequence, Sendable {
    /// The element of the sequence.
    public typealias Element = DownloadEvent

    /// What a run needs besides its inputs.
    package struct Environment: Sendable {
        package var resolver: any RequestResolver
        /// The inputs that are wanted.
        package var choice: InputChoice
        /// Makes the transport.
        package var makeTransport: @Sendable () throws -> any Transport
        /// The time of day in seconds since 1970.
        package var now: @Sendable () -> Int
        /// Called with a sentence for the user.
        package var warning: @Sendable (String) -> Void
        /// Is asked before each change on the disk; nil outside tests.
        package var observer: (any ChangeObserver)?

        /// Creates an environment.
        package init(
            resolver: any RequestResolver, choice: InputChoice = InputChoice(), now: @escaping @Sendable () -> Int,
            warning: @escaping @Sendable (String) -> Void,
            makeTransport: @escaping @Sendable () throws -> any Transport
        ) {
            self.resolver = resolver
            self.choice = choice
            self.makeTransport = makeTransport
            self.now = now
            self.warning = warning
        }
    }

    private struct State {
        var queue: DownloadQueue?
        var isStopped = false
        /// The events of a run that nobody reads.
        var unreadEvents: DownloadEvents?
        /// The totals of the events that were read.
        var tally = DownloadTally()
    }

    /// Reads the inputs and adds a request for each.
    private typealias Feed = @Sendable (RequestReader, @escaping DownloadQueue.Add) async throws -> Int

    private let folder: String
    private let options: DownloadOptions
    private let environment: Environment
    private let failures: FailedDownloads
    /// The inputs; nil to retry the files that failed before.
    private let feed: Feed?
    private let state = Mutex(State())

    /// A run over inputs, which come in batches.
    package init<Inputs: AsyncSequence & Sendable>(
        _ inputs: Inputs, to folder: String, options: DownloadOptions, _ environment: Environment
    ) where Inputs.Element == [DownloadInput] {
        self.folder = folder
        self.options = options
        self.environment = environment
        failures = FailedDownloads(folder: folder, environment)
        feed = { try await $0.read(inputs, add: $1) }
    }

    /// A run over the files that failed in the folder, in the runs before.
    package init(retryingIn folder: String, options: DownloadOptions, _ environment: Environment) {
        self.folder = folder
        // Which collection a file is of is not on the list: the next run of that takes the files in.
        var options = options
        options.bundle = nil
        options.deadLinkAge = .zero
        self.options = options
        self.environment = environment
        failures = FailedDownloads(folder: folder, environment)
        feed = nil
    }

    /// The totals of the events that were read so far; with ``finish()``, of all that has happened.
    ///
    /// May be read at any time.
    public var tally: DownloadTally { state.withLock { $0.unreadEvents?.tally ?? $0.tally } }

    /// Starts no more files, gives those that are almost complete a moment, and keeps partial files for a later run.
    public func stop() {
        let queue = state.withLock { state in
            state.isStopped = true
            return state.queue
        }
        queue?.stop()
    }

    /// Runs to the end without events.
    ///
    /// - Returns: the totals.
    /// - Throws: as ``AsyncIterator/next()`` does.
    @discardableResult
    public func finish() async throws -> DownloadTally {
        let events = DownloadEvents(isRead: false)
        state.withLock { $0.unreadEvents = events }
        try await run(events)
        return tally
    }

    /// Starts the run.
    ///
    /// - Returns: the iterator over its events; releasing it cancels the run.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    /// Iterates over the events of a run; releasing it cancels the run.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// Cancels the run when its events are no longer read.
        private final class Owner: Sendable {
            let task: Task<Void, any Error>

            init(_ task: Task<Void, any Error>) { self.task = task }

            deinit { task.cancel() }
        }

        private let events = DownloadEvents(isRead: true)
        private let run: DownloadRun
        private let owner: Owner
        private var waiting: ArraySlice<DownloadEvent> = []

        init(_ run: DownloadRun) {
            let events = events
            self.run = run
            run.state.withLock { ($0.unreadEvents, $0.tally) = (nil, DownloadTally()) }
            owner = Owner(
                Task {
                    defer { events.finish() }
                    try await run.run(events)
                })
        }

        /// Waits for the next event.
        ///
        /// - Returns: the event; nil at the end.
        /// - Throws: ``DownloadError`` when no further file can be written (`diskFull`, `readOnly`, `folderGone`) or the run cannot
        ///   start, an error of the inputs, or `CancellationError`. Complete files stay.
        public mutating func next() async throws -> DownloadEvent? {
            if waiting.isEmpty { waiting = await events.next()[...] }
            if let event = waiting.popFirst() {
                run.state.withLock { $0.tally.add(event) }
                return event
            }
            // What is no event is known at the end.
            run.state.withLock { $0.tally = events.tally }
            try Task.checkCancellation()
            try await owner.task.value
            return nil
        }
    }

    // MARK: Running

    private func run(_ events: DownloadEvents) async throws {
        try DownloadFolder.check(folder, mustExist: feed == nil)
        if options.isDryRun { return try await plan(events) }
        let transport = try environment.makeTransport()
        let folder = try DownloadFolder(path: folder, observer: environment.observer)
        let lock = try options.keepsState ? RunLock(folder) : nil
        let target = try DownloadQueue.Target(folder, options, environment)
        try failures.open(target.own)
        if let feed = feed ?? retry() {
            defer { failures.finish() }
            try await download(events, feed, to: target, over: transport)
        }
        lock?.end()
    }

    private func download(
        _ events: DownloadEvents, _ feed: @escaping Feed, to target: DownloadQueue.Target,
        over transport: any Transport
    ) async throws {
        let (resolver, failures) = (environment.resolver, failures)
        let queue = try DownloadQueue(
            target, options: options, transport: transport, resolver: resolver, events: events, now: environment.now,
            failures: failures, warning: environment.warning)
        let isStopped = state.withLock { state in
            state.queue = queue
            return state.isStopped
        }
        guard !isStopped else { return events.change { $0.wasStopped = true } }
        let reader = reader(target.archive, events)
        try await queue.run { add in events.add(.inputEnded(count: try await feed(reader, add))) }
    }

    private func plan(_ events: DownloadEvents) async throws {
        var database: LocalDatabase?
        if let path = options.archivePath(in: folder), access(path, F_OK) == 0 {
            database = try options.openArchive(path, environment)
        }
        let archive = database.map { DownloadArchive($0) }
        try failures.openForReading(options.archive == .inFolder ? database : nil)
        guard let feed = feed ?? retry() else { return }
        let dryRun = Mutex(try DryRun(folder: folder, options, archive: archive, failures: failures))
        let count = try await feed(reader(archive, events)) { requests in
            events.add(try dryRun.withLock { try $0.plan(requests) })
            await events.waitForRoom()
            return self.state.withLock { !$0.isStopped }
        }
        events.add(.inputEnded(count: count))
    }

    /// What failed before; nil for nothing.
    private func retry() -> Feed? {
        guard let inputs = failures.inputs else { return nil }
        return { try await $0.read(inputs, add: $1) }
    }

    private func reader(_ archive: DownloadArchive?, _ events: DownloadEvents) -> RequestReader {
        RequestReader(
            resolver: environment.resolver, selection: options.selection, archive: archive, part: options.part,
            choice: environment.choice, failures: failures, deadLinkAge: options.deadLinkAge, tell: { events.add($0) })
    }
}

// MARK: - Options of a folder

extension DownloadQueue.Target {
    /// What the options ask for in a folder.
    init(
        _ folder: DownloadFolder, _ options: DownloadOptions, _ environment: DownloadRun.Environment
    ) throws(DownloadError) {
        switch options.output {
        case .files: self.init(FolderStore(folder))
        case .shards(let size):
            self.init(
                try ShardStore(folder: folder, limit: size, now: environment.now, warning: environment.warning))
        }
        pictures = try PictureStage(options)
        if options.writesMetadata { metadata = try MetadataWriter() }
        if options.output == .files {
            var formats: Set<SidecarFormat> = []
            if options.writesSidecars || options.bundle != nil { formats.insert(.json) }
            if options.writesTagSidecars { formats.insert(.tags) }
            if options.writesXMPSidecars { formats.insert(.xmp) }
            sidecars = SidecarWriter(folder: folder, formats: formats, now: environment.now)
            command = options.command.map { CommandStage($0, folder: folder.absolutePath) }
        }
        if let command = options.finalCommand {
            let path = folder.absolutePath
            ending = { await command.run(in: path) }
        }
        // Credits are the folder's own, wherever its archive is.
        var own: LocalDatabase?
        if options.archive == .inFolder || !options.credits.isEmpty {
            _ = try folder.folder([DownloadFolder.ownName])
            own = try DownloadArchive.open(
                DownloadOptions.ownArchive(in: folder.path), warning: environment.warning, environment.observer)
        }
        self.own = own
        switch options.archive {
        case .inFolder: archive = own.map { DownloadArchive($0) }
        case .file(let path): archive = DownloadArchive(try options.openArchive(path, environment))
        case .none: break
        }
        if let own, !options.credits.isEmpty {
            let formats = CreditFormat.allCases.filter(options.credits.contains)
            credits = try CreditLedger(folder: folder, formats: formats, in: own)
        }
        guard options.output == .files else { return }
        bundles = try options.bundle.map { (bundle) throws(DownloadError) in
            try BundleStage(bundle, folder: folder, archive: archive, credits: credits, now: environment.now)
        }
    }
}

extension DownloadOptions {
    /// The database that a folder of downloads has.
    package static func ownArchive(in folder: String) -> String { "\(folder)/\(DownloadFolder.ownName)/archive.sqlite" }

    /// Whether a run leaves something in the folder besides files and what failed.
    fileprivate var keepsState: Bool { archive != .none || !credits.isEmpty || output != .files || bundle != nil }

    /// The archive's file for the downloads of a folder; nil for none.
    func archivePath(in folder: String) -> String? {
        switch archive {
        case .inFolder: Self.ownArchive(in: folder)
        case .file(let path): path
        case .none: nil
        }
    }

    func openArchive(
        _ path: String, _ environment: DownloadRun.Environment
    ) throws(DownloadError) -> LocalDatabase {
        try DownloadArchive.open(
            path, owner: archive == .inFolder ? .program : .user, warning: environment.warning, environment.observer)
    }
}
