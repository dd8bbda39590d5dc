import HTTPTransport
import ProviderModel
import Synchronization

/// Downloads what a stream of requests asks for: many at a time, in memory that does not grow with their number.
package final class DownloadQueue: Sendable {
    let planner: DownloadPlanner
    let job: DownloadJob
    let settings: QueueSettings
    let active = ActiveDownloads()
    private let clock = ContinuousClock()
    let observer: @Sendable (DownloadEvent) -> Void
    let isStopped = Atomic(false)
    let feed = RequestFeed()
    let schedule: DownloadSchedule
    let steps = StepBox<Step>()
    /// Begins more at a host whose answers share a connection, before the first of them has come.
    private let widen: @Sendable (_ host: String) -> Void

    /// A queue; `now` is the time of day in seconds since 1970.
    ///
    /// `observer` is called from several threads and must be quick. Downloads run on the `executors`, such as the
    /// transport's own threads; without any, where tasks usually run.
    package init(
        planner: DownloadPlanner,
        transport: any Transport,
        store: any DownloadStore,
        archive: DownloadArchive? = nil,
        resolver: (any MediaResolver)? = nil,
        companions: [any DownloadPostprocessor] = [],
        settings: QueueSettings = QueueSettings(),
        executors: [any TaskExecutor] = [],
        now: @escaping @Sendable () -> Int,
        observer: @escaping @Sendable (DownloadEvent) -> Void = { _ in }
    ) {
        self.planner = planner
        self.settings = settings
        self.observer = observer
        let schedule = DownloadSchedule(jobs: settings.jobs, perHost: settings.jobsPerHost, executors: executors)
        self.schedule = schedule
        widen = { [steps] host in if schedule.share(host: host) { steps.put(.widened) } }
        job = DownloadJob(
            transport: transport, store: store, archive: archive, resolver: resolver, companions: companions,
            settings: settings, now: now
        )
    }

    /// Begins nothing more, lets files that are nearly there go on for a moment, and keeps what is begun of the others.
    package func stop() {
        isStopped.store(true, ordering: .releasing)
        feed.close()
        active.cancel { active in active.timeLeft > settings.grace }
    }

    /// Downloads everything; throws the error that stops all, or whatever the stream of requests throws.
    package func run<Requests: AsyncSequence>(_ requests: Requests) async throws -> DownloadSummary
    where Requests: Sendable, Requests.Element == DownloadRequest {
        try await withThrowingTaskGroup(of: Void.self) { helpers in
            if let limiter = job.limiter { helpers.addTask { await limiter.run() } }
            if let interval = settings.progressInterval { helpers.addTask { await self.tellProgress(every: interval) } }
            helpers.addTask { await self.endGrace() }
            helpers.addTask { await self.feed.fill(from: requests) }
            defer {
                feed.close()
                helpers.cancelAll()
            }
            return try await downloadAll()
        }
    }

    /// What the one that directs hears of.
    enum Step: Sendable {
        case planned(isLast: Bool)
        /// A host turned out to take more.
        case widened
        case ended(fatal: DownloadError?, following: [DownloadSchedule.Turn])
        case inputFailed(any Error)
    }

    private func downloadAll() async throws -> DownloadSummary {
        let tally = DownloadTally()
        let fatal = await withTaskCancellationHandler {
            await direct(tally)
        } onCancel: {
            stopAtOnce()
        }
        return try finish(tally, fatal)
    }

    /// Has files planned and downloaded as long as there is something to do; returns the error that ended it.
    private func direct(_ tally: DownloadTally) async -> (any Error)? {
        var fatal: (any Error)?
        var turns: [DownloadSchedule.Turn] = []
        var tasks = 0
        while true {
            if isStopped.load(ordering: .acquiring) {
                for planned in schedule.removeWaiting() { active.forget(planned) }
            } else if schedule.asksForInput() {
                tasks += 1
                Task { await tellPlans(tally) }
            }
            while !isStopped.load(ordering: .acquiring), let turn = schedule.next() { turns.append(turn) }
            for turn in turns { begin(turn, tally) }
            tasks += turns.count
            turns = []
            guard tasks > 0 else { return fatal }
            for step in await steps.next() {
                switch step {
                case .widened: break
                case .planned: tasks -= 1
                case .inputFailed(let error):
                    tasks -= 1
                    fatal = fatal ?? error
                    stop()
                case .ended(let error, let following):
                    tasks -= 1
                    if let error {
                        fatal = fatal ?? error
                        stopAtOnce()
                    }
                    turns += following
                    if tally.skipsInARow >= settings.stopsAfterSkips ?? .max { stop() }
                }
            }
        }
    }

    private func finish(_ tally: DownloadTally, _ error: (any Error)?) throws -> DownloadSummary {
        var fatal = error
        // What is not in the archive is found by its name the next time.
        do { try job.archive?.flush() } catch { fatal = fatal ?? error }
        let isComplete = fatal == nil && !isStopped.load(ordering: .acquiring) && !Task.isCancelled
        for companion in job.companions {
            do { try companion.finish(isComplete: isComplete) } catch { fatal = fatal ?? error }
        }
        if let fatal { throw fatal }
        try Task.checkCancellation()
        return tally.summary(wasStopped: isStopped.load(ordering: .acquiring))
    }

    private let start = ContinuousClock.now

    private var elapsed: Duration { clock.now - start }

    private func stopAtOnce() {
        isStopped.store(true, ordering: .releasing)
        feed.close()
        active.cancel { _ in true }
    }

    private func begin(_ turn: DownloadSchedule.Turn, _ tally: DownloadTally) {
        DownloadWorker().begin(on: turn.executor) { worker in
            self.steps.put(await self.work(from: turn, tally, worker))
        }
    }

    /// Downloads one file after another, for as long as nobody has to be asked what is next.
    private nonisolated(nonsending) func work(
        from first: DownloadSchedule.Turn, _ tally: DownloadTally, _ worker: DownloadWorker
    ) async -> Step {
        var turn = first
        while true {
            let counter = begin(turn.planned, worker)
            let outcome = await job.run(turn.planned, counter)
            let following = end(turn, of: worker, counter, outcome, tally)
            guard following.count == 1, following[0].place == turn.place else {
                return .ended(fatal: outcome.fatalError, following: following)
            }
            turn = following[0]
        }
    }

    private func begin(_ planned: PlannedDownload, _ worker: DownloadWorker) -> DownloadCounter {
        let counter = DownloadCounter(of: planned.host, whenShared: widen)
        observer(.started(planned, counter))
        active.begin(ActiveDownloads.Work(planned: planned, counter: counter, begun: clock.now, worker: worker))
        if isStopped.load(ordering: .acquiring) { worker.cancel() }
        return counter
    }

    /// Tells what came of a download; returns what may begin instead.
    private func end(
        _ turn: DownloadSchedule.Turn, of worker: DownloadWorker, _ counter: DownloadCounter,
        _ outcome: DownloadJob.Outcome, _ tally: DownloadTally
    ) -> [DownloadSchedule.Turn] {
        active.end(turn.planned, of: worker, bytes: counter.bytes)
        tell(outcome, of: turn.planned, tally)
        var mayFollow = false
        if case .finished = outcome { mayFollow = !isStopped.load(ordering: .acquiring) }
        return schedule.ended(turn, counter, at: elapsed, mayFollow: mayFollow)
    }

    private func tell(_ outcome: DownloadJob.Outcome, of planned: PlannedDownload, _ tally: DownloadTally) {
        switch outcome {
        case .finished(let file):
            tally.add(file)
            observer(.finished(file))
        case .skipped(let reason):
            tally.addSkip()
            observer(.skipped(planned.key, reason))
        case .failed(let error):
            tally.addFailure()
            observer(.failed(planned.request, error))
        case .cancelled: break
        }
    }

    private func tellProgress(every interval: Duration) async {
        while !Task.isCancelled {
            // Only cancellation ends this sleep early.
            try? await clock.sleep(for: interval)
            guard !Task.isCancelled else { return }
            observer(.progress(active.progress))
        }
    }

    /// After a stop, what is not there within the grace is broken off.
    private func endGrace() async {
        var stoppedAt: ContinuousClock.Instant?
        while !Task.isCancelled {
            try? await clock.sleep(for: .milliseconds(100))
            guard isStopped.load(ordering: .acquiring) else { continue }
            let since = stoppedAt ?? clock.now
            stoppedAt = since
            if clock.now - since >= settings.grace { active.cancel { _ in true } }
        }
    }
}
