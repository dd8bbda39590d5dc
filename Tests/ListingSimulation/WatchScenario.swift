import ImgScript
import ProviderModel
import ProviderRuntime
import Search

/// Random runs of a watch over a source whose list grows in front: limited, killed, with listings and files that fail.
///
/// What has to be fetched: the newest images when the first run that was complete began, as many as the limit allows, and every
/// image that came after, once the runs say that they are up to date. Images that cannot be had are left out.
struct WatchScenario: CustomStringConvertible {
    private let random: SeededRandom
    private let executor: VirtualExecutor
    private let source: VirtualSource
    private let limit: Int
    /// The images whose files are gone for good, and those that fail for the moment.
    private let disk = WatchDisk()

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        executor = VirtualExecutor(random)
        var behaviour = VirtualSource.Behaviour()
        behaviour.hasSessions = seed % 9 == 4
        behaviour.paging = random.one(of: [.page, .offset, .cursor])
        behaviour.total = random.one(of: [.none, .right, .right])
        if random.once(in: 3) { behaviour.cap = random.within(3...15) }
        limit = random.one(of: [8, 25, 60])
        let count = random.once(in: 3) ? random.below(8) : random.below(60)
        let entries = (0..<count).map { Entry("\($0)", of: "a", rank: $0, tags: [], page: "a-\($0)") }
        source = VirtualSource("a", entries, behaviour, on: executor, random)
    }

    var description: String {
        let requests = source.requests.map { "\($0.page)/\($0.offset)/\($0.limit)" }.joined(separator: " ")
        return "\(source.behaviour), \(source.entries.count) entries, limit \(limit), asked \(requests)\n\(disk.log)"
    }

    /// Plays it; returns what is wrong, nil if nothing is.
    func fault() -> String? {
        for _ in 0..<random.within(1...6) {
            source.insert(random.one(of: [0, 0, 1, 4, 12, 40]))
            guard run(isDisturbed: true) else { return "a run never ends" }
        }
        // Without disturbance, a few runs fetch all there is.
        var runs = 0
        while !disk.watch.isCaughtUp {
            guard run(isDisturbed: false) else { return "a run never ends" }
            runs += 1
            if runs > 3 + source.entries.count / limit { return "the watch is never up to date" }
        }
        let missing = required.subtracting(disk.files)
        if !missing.isEmpty { return "\(missing.count) images never come: \(missing.sorted().prefix(5))" }
        return idleRunFault()
    }

    /// The images that have to be there.
    private var required: Set<String> {
        let known = source.known.values.filter { !disk.gone.contains($0.id) && !source.removed.contains($0.id) }
        guard let first = disk.newestAtFirst else { return [] }
        let isNew = { (entry: Entry) in entry.rank < first }
        return Set(known.filter(isNew).map(\.id))
    }

    /// A run that finds nothing new asks for no more pages than it takes to see that.
    private func idleRunFault() -> String? {
        let before = source.requests.count
        let pageSize = min(25, limit, source.behaviour.cap)
        guard run(isDisturbed: false) else { return "a run never ends" }
        let asked = source.requests.count - before
        // Those that are resolved ahead, pages that were to be read next, and the end of a list that has fewer.
        let needed = (WatchReading.defaultKnownInARow + 9 + pageSize - 1) / pageSize
        let most = needed + 5
        if asked > most { return "\(asked) requests to find nothing new (expected \(most) at most)" }
        let pages = source.requests[before...].map(\.page)
        return pages.first == 1 ? nil : "page \(pages.first ?? 0) is asked for first"
    }

    /// One run of the watch; false when it never ends.
    private func run(isDisturbed: Bool) -> Bool {
        source.behaviour.refusals = isDisturbed ? random.one(of: [0, 0, 0, 6]) : 0
        let failures = isDisturbed ? random.one(of: [0, 0, 0, 15]) : 0
        let killAfter = isDisturbed && random.once(in: 3) ? executor.steps + random.within(1...120) : Int.max
        let process = VirtualProcess()
        executor.onStep = { [executor] in if executor.steps >= killAfter { process.kill() } }
        disk.watch.begin(at: 0)
        if !disk.watch.hasBeenComplete, disk.newestAtFirst == nil { disk.rankAtStart = source.entries.first?.rank }
        let reading = disk.watch.reading(of: [source.name], limit: limit)
        var options = SearchOptions()
        options.limit = 1_000_000
        options.pageSize = limit
        options.isOpenEnded = true
        options.pagesInFlight = random.one(of: [1, 4])
        source.beginRun(pagesInFlight: options.pagesInFlight)
        var search = MergedSearch(
            [source.provider], listing: .search("x"), options: options, for: { [options] _ in options })
        search.environment.executor = executor
        search.environment.sleep = { [executor] in try await executor.sleep(Int($0 / .milliseconds(1))) }
        return executor.run { [disk, random, search] in
            await process.run {
                await Self.download(search, reading, to: disk, process, failures: failures, random)
            }
        }
    }

    /// What a download run does: reads the listing as far as the watch wants it, and fetches files that are not there.
    private static func download(
        _ search: MergedSearch, _ reading: WatchReading, to disk: WatchDisk, _ process: VirtualProcess, failures: Int,
        _ random: SeededRandom
    ) async {
        var reading = reading
        var (new, failed, isListed) = (0, 0, true)
        // Images are resolved some steps after they are listed.
        let ahead = random.below(9)
        var coming: [Item] = []
        func take(_ item: Item) {
            let isNew = !disk.files.contains(item.id)
            guard reading.admits(item.id, of: "a", isNew: isNew), isNew, process.isAlive else { return }
            if failures > 0, random.once(in: failures) {
                failed += 1
            } else if !disk.gone.contains(item.id) {
                disk.files.insert(item.id)
                new += 1
            }
        }
        let events = search.makeAsyncIterator()
        while !reading.isOver, let event = await events.next() {
            switch event {
            case .image(let item):
                coming.append(item)
                if coming.count > ahead { take(coming.removeFirst()) }
            case .failure: isListed = false
            case .finished(let summary): reading.finish("a", summary.isCutShort ? .pages : .listing)
            }
        }
        for item in coming { take(item) }
        guard process.isAlive else { return disk.log += "killed\n" }
        let isComplete = isListed && failed == 0 && reading.isComplete
        disk.end(
            Watch.Run(started: 0, new: new, failed: failed, isComplete: isComplete), reading, isListed: isListed)
    }
}

/// What stays between runs: the watch, and the images that were fetched.
///
/// `@unchecked Sendable`: everything is on the executor's thread.
final class WatchDisk: @unchecked Sendable {
    var watch = Watch(name: "foxes", arguments: [], workingFolder: "/")
    var files: Set<String> = []
    /// The images whose files are gone for good.
    var gone: Set<String> = []
    /// The rank of the newest image when the first complete run began; nil before.
    private(set) var newestAtFirst: Int?
    var rankAtStart: Int?
    var log = ""

    func end(_ run: Watch.Run, _ reading: WatchReading, isListed: Bool) {
        watch.end(run, reading, isListed: isListed)
        if run.isComplete, newestAtFirst == nil { newestAtFirst = rankAtStart ?? .max }
        log += "\(run.new) new, \(run.failed) failed, \(run.isComplete ? "complete" : "unfinished")\n"
    }
}
