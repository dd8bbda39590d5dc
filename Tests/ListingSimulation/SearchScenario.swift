import ProviderModel
import ProviderRuntime
import Search

/// One run of a search, as its user has seen it.
struct SearchRun {
    var filter = ItemFilter()
    var isResuming = false
    var pageSize = 0
    var pagesInFlight = 1
    /// The numbers of requests that the sources had before.
    var requestsBefore: [Int] = []
    /// The most images that the limit allows.
    var mostDelivered: Int?
    /// The images that were printed.
    var delivered: [Item] = []
    var wasKilled = false
    /// Whether it read all there is.
    var isToTheEnd = false
    /// Whether a listing ended because the source had ended its session.
    var endedWithItsSession = false
    var warnsOfEmptyPages = false
}

/// Random runs of a search over random sources: stopped, killed, resumed, with other limits and filters.
struct SearchScenario: CustomStringConvertible {
    private let random: SeededRandom
    private let executor: VirtualExecutor
    private let sources: [VirtualSource]
    private let store = VirtualResumeStore()

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        executor = VirtualExecutor(random)
        let isShared = random.once(in: 4)
        let count = random.once(in: 3) ? random.within(2...3) : 1
        sources = ["a", "b", "c"].prefix(count).map { [random, executor] name in
            // By the seed: whatever else is drawn is the same without sessions.
            Self.source(name, isShared: isShared, hasSessions: seed % 9 == 4, on: executor, random)
        }
    }

    /// Plays it; returns what is wrong, nil if nothing is.
    func fault() -> String? {
        var runs: [SearchRun] = []
        let count = random.once(in: 3) ? 1 : random.within(2...5)
        for number in 0..<count {
            let run = run(isFirst: number == 0, isLast: number == count - 1)
            guard let run else { return "run \(number) never ends" }
            runs.append(run)
            for (source, before) in zip(sources, run.requestsBefore) {
                // Where pages of the wanted size turn out not to be given, those of the former size are numbered otherwise.
                let asked = source.requests[before...]
                let pages = asked.filter { $0.limit == asked.first?.limit }.map(\.page)
                guard pages.first == pages.min() else { return "run \(number) does not ask for its first page first" }
            }
        }
        return ListingModel(sources: sources).fault(in: runs)
    }

    /// The sources with what they were asked, to look into a seed.
    var description: String {
        sources.map { source in
            let requests = source.requests.map { "\($0.page)/\($0.offset)/\($0.limit)" }.joined(separator: " ")
            return "\(source.name): \(source.behaviour), \(source.entries.count) entries, asked \(requests)"
        }.joined(separator: "\n")
    }

    private func run(isFirst: Bool, isLast: Bool) -> SearchRun? {
        var run = SearchRun()
        run.isResuming = !isFirst
        if random.once(in: 3) { run.filter.tags = [random.one(of: ["red", "blue"])] }
        var options = SearchOptions()
        options.filter = run.filter
        options.pagesInFlight = random.one(of: [1, 2, 4, 8])
        options.pageSize = random.once(in: 2) ? random.within(2...15) : nil
        options.limit = isLast ? 100_000 : random.within(1...40)
        options.maximumPages = 100_000
        options.isOpenEnded = random.once(in: 4)
        run.pagesInFlight = options.pagesInFlight
        run.mostDelivered = options.limit * sources.count
        run.pageSize = options.pageSize ?? 25
        for source in sources {
            source.behaviour.refusals = isLast ? 0 : random.one(of: [0, 0, 10])
            source.beginRun(pagesInFlight: options.pagesInFlight)
            run.requestsBefore.append(source.requests.count)
        }
        let killAfter = !isLast && random.once(in: 2) ? executor.steps + random.within(1...150) : Int.max
        let process = VirtualProcess()
        let result = RunResult(run)
        executor.onStep = { [executor] in if executor.steps >= killAfter { process.kill() } }
        let key = ResumeKey(.search("x"), providers: sources.map(\.name), options: options)
        // Loading from memory cannot fail.
        let point = try? ResumePoint(
            key, in: store.of(process), isResuming: run.isResuming,
            onNote: { note in
                // A listing of one page is not kept, and begins again.
                if note == .noResumePoint(provider: nil) { result.run.isResuming = false }
            })
        guard let point else { return nil }
        var search = MergedSearch(
            sources.map(\.provider), listing: .search("x"), options: options,
            for: { [options] _ in options }, resumePoint: point)
        search.environment.executor = executor
        search.environment.sleep = { [executor] in try await executor.sleep(Int($0 / .milliseconds(1))) }
        let isOver = executor.run { [search] in await Self.consume(search, process, into: result) }
        return isOver ? result.run : nil
    }

    /// What the command line does: prints images, those that have come together at once.
    private static func consume(_ search: MergedSearch, _ process: VirtualProcess, into result: RunResult) async {
        await process.run {
            var printed: [Item] = []
            var hasFailed = false
            let events = search.makeAsyncIterator()
            while let event = await events.next() {
                switch event {
                case .image(let item): printed.append(item)
                case .failure(_, let error):
                    hasFailed = true
                    if (error as? ProviderError)?.code == .auth { result.run.endedWithItsSession = true }
                case .finished(let summary): if !summary.emptyPages.isEmpty { result.run.warnsOfEmptyPages = true }
                }
                if !events.hasBufferedImage, process.isAlive {
                    result.run.delivered += printed
                    printed = []
                }
            }
            if process.isAlive { result.run.delivered += printed }
            result.run.isToTheEnd = process.isAlive && !hasFailed
        }
        result.run.wasKilled = !process.isAlive
    }

    private static func source(
        _ name: String, isShared: Bool, hasSessions: Bool, on executor: VirtualExecutor, _ random: SeededRandom
    ) -> VirtualSource {
        var behaviour = VirtualSource.Behaviour()
        behaviour.hasSessions = hasSessions
        behaviour.paging = random.one(of: [.page, .page0, .offset, .cursor])
        if random.once(in: 2) { behaviour.cap = random.within(2...8) }
        behaviour.total = random.one(of: [.none, .right, .right, .tooLarge, .tooSmall])
        behaviour.reportsReceived = !random.once(in: 3)
        behaviour.latency = random.once(in: 5) ? 1...8_000 : 1...100
        if random.once(in: 2) {
            behaviour.changes = random.one(of: [3, 10])
        } else if random.once(in: 3) {
            let first = random.within(1...8)
            behaviour.emptyPages = Set(first..<first + random.within(1...3))
        }
        // A list that changes is not the same on a page that was kept and on the next.
        behaviour.isCached = behaviour.changes == 0 && random.once(in: 3)
        // With an offset alone nobody can tell pages that are small from entries that are left out uncounted.
        let isTold = behaviour.paging != .offset || behaviour.reportsReceived || behaviour.cap == .max
        let hides = isTold && random.once(in: 3)
        var entries: [Entry] = []
        for number in 0..<(random.once(in: 3) ? random.below(8) : random.below(60)) {
            let isLonely = entries.last?.isHidden != true
            entries.append(
                Entry(
                    "\(number)", of: name, rank: entries.count, tags: VirtualSource.tags(random),
                    isHidden: hides && isLonely && random.once(in: 3),
                    page: isShared ? "all-\(number)" : "\(name)-\(number)"))
            // Some come again, but never after a hidden one: two hidden ones may be a page that nobody can tell from the end.
            guard random.once(in: 30) else { continue }
            let again = random.one(of: entries)
            if entries.last?.isHidden != true { entries.append(again.repeated(of: name, rank: entries.count)) }
        }
        return VirtualSource(name, entries, behaviour, on: executor, random)
    }
}

/// The result of a run, filled while it goes on.
///
/// `@unchecked Sendable`: everything is on the executor's thread.
final class RunResult: @unchecked Sendable {
    var run: SearchRun

    init(_ run: SearchRun) { self.run = run }
}

/// A process that may be killed between any two steps: what it prints or stores afterwards never happened.
///
/// `@unchecked Sendable`: everything is on the executor's thread.
final class VirtualProcess: @unchecked Sendable {
    private(set) var isAlive = true
    private var task: UnsafeCurrentTask?

    /// Ends the process.
    func kill() {
        guard isAlive else { return }
        isAlive = false
        task?.cancel()
    }

    /// Runs the process's main task.
    func run(_ body: () async -> Void) async {
        withUnsafeCurrentTask { task = $0 }
        if !isAlive { task?.cancel() }
        await body()
        task = nil
    }
}

/// Resume points on a virtual disk, which processes write to as long as they live.
///
/// `@unchecked Sendable`: everything is on the executor's thread.
final class VirtualResumeStore: @unchecked Sendable {
    private var states: [ResumeKey: [String: ResumeProgress]] = [:]
    private var items: [ResumeKey: [String: SeenItems]] = [:]

    /// The store as one process sees it.
    func of(_ process: VirtualProcess) -> some ResumeStore { View(disk: self, process: process) }

    private struct View: ResumeStore {
        let disk: VirtualResumeStore
        let process: VirtualProcess

        func load(_ key: ResumeKey) throws(ResumeError) -> ResumeState? {
            guard let providers = disk.states[key] else { return nil }
            var state = ResumeState()
            for (name, progress) in providers {
                state.providers[name] = progress.withoutSeen.restoring(disk.items[key]?[name] ?? SeenItems())
            }
            return state
        }

        func save(
            _ state: ResumeState, passing items: [String: SeenItems], for key: ResumeKey, replacing: Bool
        ) throws(ResumeError) {
            guard process.isAlive else { return }
            if replacing { (disk.states[key], disk.items[key]) = (nil, nil) }
            disk.states[key, default: [:]].merge(state.providers) { $1 }
            for (name, more) in items { disk.items[key, default: [:]][name, default: SeenItems()] += more }
        }
    }
}
