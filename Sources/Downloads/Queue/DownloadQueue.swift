import HTTPTransport
import LocalDatabase
import ProviderModel
import Synchronization

/// Downloads requests in stages: planned, fetched many at a time, finished; in memory that does not grow with their number.
package final class DownloadQueue: Sendable {
    /// Takes the next requests, waits until there is use for more, and says whether more are wanted.
    package typealias Add = @Sendable (_ requests: [DownloadRequest]) async throws -> Bool

    /// Where files go, and what goes along with them.
    package struct Target: Sendable {
        package var store: any DownloadStore
        package var archive: DownloadArchive?
        package var credits: CreditLedger?
        package var sidecars: SidecarWriter?
        package var pictures: PictureStage?
        package var metadata: MetadataWriter?
        package var command: CommandStage?
        package var bundles: BundleStage?
        /// What is run at the end of a run that brought files.
        var ending: (@Sendable () async -> FileCommandResult)?
        /// The folder's own database, where something uses it.
        var own: LocalDatabase?

        /// A store without anything besides.
        package init(_ store: any DownloadStore) { self.store = store }

        /// Whether something writes the SHA-256 of each file down.
        fileprivate var needsSHA256: Bool { store.needsSHA256 || sidecars?.isForAllFiles == true || metadata != nil }
    }

    private struct State {
        var isStopped = false
        /// Whether so many files in a row were there already that nothing more is asked for.
        var hasEnough = false
        var failure: (any Error)?
        var feeding: Task<Void, Never>?
    }

    private let options: DownloadOptions
    private let events: DownloadEvents
    private let active = ActiveDownloads()
    private let schedule: DownloadSchedule
    private let planner: RequestPlanner
    private let fetching: FetchStage
    private let finishing: FinishStage
    private let commands: CommandStage?
    private let bundles: BundleStage?
    private let ending: (@Sendable () async -> FileCommandResult)?
    private let failures: FailedDownloads?
    private let hosts: HostFailures
    private let state = Mutex(State())
    private let stopped = AsyncSignal()

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - target: the folder or shards, with archive and credits.
    ///   - options: of which names, limits and checks hold.
    ///   - transport: fetches the files.
    ///   - resolver: gives the final URL of a file just before it is fetched.
    ///   - events: receives what happens.
    ///   - now: returns the time in seconds since 1970.
    /// - Throws: ``DownloadError`` with the code `template`.
    package convenience init(
        _ target: Target, options: DownloadOptions, transport: any Transport, resolver: (any MediaResolver)? = nil,
        events: DownloadEvents, now: @escaping @Sendable () -> Int
    ) throws(DownloadError) {
        try self.init(
            target, options: options, transport: transport, resolver: resolver, events: events, now: now, failures: nil,
            warning: { _ in })
    }

    /// A queue that records the files that fail, and warns of hosts that do.
    init(
        _ target: Target, options: DownloadOptions, transport: any Transport, resolver: (any MediaResolver)?,
        events: DownloadEvents, now: @escaping @Sendable () -> Int, failures: FailedDownloads?,
        warning: @escaping @Sendable (String) -> Void
    ) throws(DownloadError) {
        hosts = HostFailures(now: now, warning: warning)
        var options = options
        if target.needsSHA256 || options.comparesContent { options.computesSHA256 = true }
        self.options = options
        self.events = events
        self.failures = failures
        schedule = DownloadSchedule(jobs: options.jobs, perHost: options.jobsPerHost)
        let template = try NameTemplate(options.name)
        planner = RequestPlanner(
            template: template, conversion: options.conversion, store: target.store,
            archive: target.archive,
            credits: target.credits, sidecars: target.sidecars, bundles: target.bundles,
            failures: failures, deadLinkAge: options.deadLinkAge, active: active, now: now)
        fetching = FetchStage(
            transport: transport, store: target.store, hasArchive: target.archive != nil, template: template,
            resolver: resolver,
            pictures: target.pictures, metadata: target.metadata, options: options,
            limiter: options.maximumRate.map { RateLimiter(bytesPerSecond: $0) }, now: now)
        finishing = FinishStage(
            store: target.store, archive: target.archive, credits: target.credits, sidecars: target.sidecars,
            duplicates: options.duplicates, nearDuplicates: options.nearDuplicates, now: now)
        commands = target.command
        bundles = target.bundles
        ending = target.ending
    }

    /// Downloads all requests that the closure adds.
    ///
    /// - Throws: the error that makes all further files impossible; what the closure throws, after the files that it added
    ///   before; or `CancellationError`.
    package func run(_ feed: @escaping @Sendable (_ add: @escaping Add) async throws -> Void) async throws {
        let task = Task { await runStages(feed) }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            stopAtOnce()
        }
        var (isStopped, failure) = state.withLock { ($0.isStopped || $0.hasEnough, $0.failure) }
        do { try finishing.end(isComplete: failure == nil && !isStopped && !Task.isCancelled) } catch {
            failure = failure ?? error
        }
        isStopped = isStopped || failure != nil
        events.change { $0.wasStopped = isStopped }
        if let failure { throw failure }
        try Task.checkCancellation()
    }

    /// Starts no more files, gives those that are almost complete a moment, and keeps partial files for a later run.
    package func stop() {
        close()
        active.cancel(ifLongerThan: options.grace)
        stopped.send()
    }

    private func stopAtOnce() {
        close()
        active.cancelAll()
    }

    private func close() {
        let feeding = state.withLock { state in
            state.isStopped = true
            return state.feeding
        }
        feeding?.cancel()
        for file in schedule.close() { active.release(file) }
    }

    private var isStopped: Bool { state.withLock { $0.isStopped } }
    private var hasEnough: Bool { state.withLock { $0.hasEnough } }

    /// Asks for no more files; those that are planned are fetched, for what is new comes before what is known.
    private func endInput() {
        let feeding = state.withLock { state in
            state.hasEnough = true
            return state.feeding
        }
        feeding?.cancel()
    }

    /// An error of the inputs, such as that of one of several providers, is thrown when the files found before are complete.
    private func endInput(by error: any Error) {
        guard !(error is DownloadError), !(error is LocalDatabaseError) else { return fail(error) }
        state.withLock { $0.failure = $0.failure ?? error }
    }

    /// Whether so many fetched files wait that no more should be fetched.
    private var isBackedUp: Bool { finishing.isFull || commands?.isFull == true }

    private func fail(_ error: any Error) {
        let isNews = state.withLock { state in
            defer { state.failure = state.failure ?? error }
            return state.failure == nil
        }
        if isNews { stopAtOnce() }
    }

    // MARK: Stages

    private func runStages(_ feed: @escaping @Sendable (_ add: @escaping Add) async throws -> Void) async {
        await withTaskGroup(of: Void.self) { helpers in
            if let limiter = fetching.limiter { helpers.addTask { await limiter.run() } }
            helpers.addTask { await self.endGrace() }
            let feeding = Task {
                do { try await feed { try await self.plan($0) } } catch {
                    if !self.isStopped, !self.hasEnough { self.endInput(by: error) }
                }
                self.schedule.endInput()
            }
            state.withLock { $0.feeding = feeding }
            let finishing = Task {
                await self.finishing.run(isBusy: { self.schedule.isActive }, tell: { self.tell($0) })
            }
            let commanding = Task {
                await self.commands?.run { result in
                    self.events.add(.commandEnded(result))
                    self.schedule.changed.send()
                }
            }
            if isStopped { close() }
            while !schedule.isOver {
                while !isBackedUp, let file = schedule.next() { begin(file) }
                guard await schedule.changed.wait() else { break }
            }
            await feeding.value
            self.finishing.close()
            await finishing.value
            if !isStopped, !hasEnough { giveUpIfTooManyFailed(isAtEnd: true) }
            commands?.close()
            await commanding.value
            // What was interrupted lies in the folder until the next run.
            if !isStopped, state.withLock({ $0.failure == nil }) {
                await bundles?.run(isStopped: { self.isStopped }) { self.events.add(.bundled($0)) }
                if let ending, events.tally.finished > 0 { events.add(.commandEnded(await ending())) }
            }
            helpers.cancelAll()
        }
    }

    /// Plans requests; those that are there already are skipped.
    private func plan(_ requests: [DownloadRequest]) async throws -> Bool {
        var planned: [PlannedFile] = []
        var reported: [DownloadEvent] = []
        for decision in try planner.decide(requests) {
            switch decision {
            case .fetch(let file):
                if options.reading?.admits(file.key, isNew: true) == false {
                    active.release(file)
                } else {
                    planned.append(file)
                }
            case .skip(let request, let reason):
                guard options.reading?.admits(request.key, isNew: false) != false else { continue }
                if reason.isThere { failures?.resolve(request) }
                reported.append(.skipped(request.key, reason))
            case .fail(let request, let error):
                failures?.note(request, error)
                reported.append(.failed(error))
            }
            if skipsAreEnough(with: reported) { break }
        }
        events.add(reported)
        // Inputs that lead to no file are reported as they are read.
        giveUpIfTooManyFailed()
        let isEnough = skipsAreEnough(with: [])
        guard !isStopped, !hasEnough else {
            for file in planned { active.release(file) }
            return false
        }
        await events.waitForRoom()
        let isOpen = await schedule.add(planned)
        if isEnough { endInput() }
        return isOpen && !isEnough
    }

    /// Whether so many files in a row were there already that the run is to end.
    private func skipsAreEnough(with reported: [DownloadEvent]) -> Bool {
        if options.reading?.isOver == true { return true }
        guard let limit = options.stopsAfterSkips else { return false }
        var tally = events.tally
        for event in reported { tally.add(event) }
        return tally.skipsInARow >= limit
    }

    private func begin(_ file: PlannedFile) {
        begin(file) { meter in Task { await self.fetch(file, meter) } }
    }

    @discardableResult
    private func begin(_ file: PlannedFile, in task: (DownloadMeter) -> Task<Void, Never>) -> DownloadMeter {
        let meter = DownloadMeter { [schedule] in schedule.share(host: file.host) }
        events.add(.started(file, meter))
        active.begin(file, meter) { task(meter) }
        if isStopped { active.cancel(ifLongerThan: options.grace) }
        return meter
    }

    /// Fetches a file, and then in the same task those that take its place: a task for each would cost two switches.
    private func fetch(_ file: PlannedFile, _ meter: DownloadMeter) async {
        var (file, meter) = (file, meter)
        while true {
            let outcome = await fetch(file, measuredBy: meter)
            let task = active.end(file)
            end(file, outcome)
            guard let next = schedule.end(file, meter, takesNext: !isBackedUp) else { return }
            guard let task else { return begin(next) }
            meter = begin(next) { _ in task }
            file = next
        }
    }

    private func fetch(_ file: PlannedFile, measuredBy meter: DownloadMeter) async -> FetchStage.Outcome {
        if let error = hosts.resting(file.host) { return .failed(error) }
        let outcome = await fetching.fetch(file, meter)
        hosts.note(outcome, of: file.host)
        return outcome
    }

    // MARK: Outcomes

    private func end(_ file: PlannedFile, _ outcome: FetchStage.Outcome) {
        switch outcome {
        case .fetched(let fetched): finishing.add(fetched)
        case .skipped(let reason):
            if case .present(let path) = reason {
                do { try planner.noteFound(file, at: path) } catch { fail(error) }
            }
            skip(file, reason)
        case .failed(let error): fail(file, error)
        case .cancelled: active.release(file)
        }
    }

    private func skip(_ file: PlannedFile, _ reason: SkipReason) {
        active.release(file)
        if reason.isThere { failures?.resolve(file.request) }
        events.add(.skipped(file.key, reason))
        if skipsAreEnough(with: []) { endInput() }
    }

    private func fail(_ file: PlannedFile, _ error: DownloadError) {
        active.release(file)
        // What ends the run is thrown, once; the next run begins with this file.
        guard !error.stopsEverything else { return fail(error) }
        failures?.note(file.request, error)
        events.add(.failed(error))
        giveUpIfTooManyFailed()
    }

    private func giveUpIfTooManyFailed(isAtEnd: Bool = false) {
        guard let limit = options.maximumFailures, case let tally = events.tally,
            limit.isExceeded(by: tally, isAtEnd: isAtEnd)
        else { return }
        fail(limit.failure(tally))
    }

    private func tell(_ outcomes: [(file: FetchedDownload, outcome: FinishStage.Outcome)]) {
        for (fetched, outcome) in outcomes {
            switch outcome {
            case .finished(let file):
                active.release(file.planned)
                failures?.resolve(file.planned.request)
                events.add(.finished(file))
                commands?.add(file)
                bundles?.add(file.planned.request, at: file.path)
            case .skipped(let reason): skip(fetched.planned, reason)
            case .failed(let error): fail(fetched.planned, error)
            }
        }
        // The director may wait for room in the finishing stage.
        schedule.changed.send()
    }

    /// Cancels the files that are not complete after the grace period of a stop.
    private func endGrace() async {
        guard await stopped.wait() else { return }
        // Cancelled when all files have come before.
        try? await Task.sleep(for: options.grace)
        if !Task.isCancelled { active.cancelAll() }
    }
}
