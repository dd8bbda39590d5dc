import ProviderModel
import Synchronization
import TestSupport
import Testing

@testable import Search

@Suite("A listing is resumed where it stopped", .timeLimit(.minutes(1)))
struct ResumePointTests {
    private var store = MemoryStore()

    /// A list of so many items, by page number or cursor.
    private func source(
        _ name: String = "a", items: Int = 100, paging: Paging = .page, failingAt page: Int? = nil
    ) -> CountedSource {
        CountedSource(name, items: items, paging: paging, failingAt: page)
    }

    private func options(_ limit: Int, pageSize: Int? = 5) -> SearchOptions {
        SearchOptions(limit: limit, pageSize: pageSize)
    }

    /// Runs a listing to its end, or until `count` events, and returns the images' ids and what was said.
    private func run(
        _ sources: [CountedSource], _ options: SearchOptions, resuming: Bool = true, revision: String? = nil,
        until count: Int = .max
    ) async throws -> (events: [String], notes: [ResumeNote]) {
        let notes = Mutex<[ResumeNote]>([])
        let key = ResumeKey(.search("x"), providers: sources.map(\.manifest.id.description), options: options)
        let point = try ResumePoint(key, in: store, isResuming: resuming, revision: { _ in revision }) { note in
            notes.withLock { $0.append(note) }
        }
        let search = MergedSearch(
            sources.map { source in (source.manifest.id.description, { source }) }, listing: .search("x"),
            options: options, resumePoint: point)
        var events: [String] = []
        let iterator = search.makeAsyncIterator()
        while events.count < count, let event = await iterator.next() { events.append(text(event)) }
        return (events, notes.withLock { $0 })
    }

    private func items(_ numbers: Range<Int>, of name: String = "a") -> [String] { numbers.map { "\(name) \($0)" } }

    @Test(arguments: [Paging.page, .page0, .offset, .cursor])
    func runAfterRunGivesEveryItemOnce(_ paging: Paging) async throws {
        let source = source(items: 43, paging: paging)
        var seen: [String] = []
        // Limits that end in the middle of pages, at their ends, and past the list's: each is of all runs together.
        for (limit, more) in [(7, 7), (10, 3), (20, 10), (21, 1), (36, 15), (135, 99)] {
            let run = try await run([source], options(limit))
            #expect(run.events.last == "a gave \(min(more, 43 - seen.count)) of 43")
            seen += run.events.dropLast()
        }
        #expect(seen == items(0..<43))
    }

    @Test func runSaysWhereItGoesOn() async throws {
        let source = source(items: 12)
        #expect(
            try await run([source], options(8)).notes == [.noResumePoint(provider: nil)])
        source.forget()
        let again = try await run([source], options(8))
        #expect(again.notes == [.limitReached(provider: "a", delivered: 8)])
        #expect(again.events == ["a gave 0 of 12"] && source.pages == [])
        #expect(
            try await run([source], options(16)).notes
                == [.resuming(provider: "a", page: 2, delivered: 8, mayRepeat: false)])
        source.forget()
        let last = try await run([source], options(24))
        #expect(last.notes == [.finished(provider: "a", delivered: 12)])
        #expect(last.events == ["a gave 0 of 12"])
        #expect(source.pages == [], "what is finished is not asked again")
    }

    /// A run is killed at every moment in turn; the next must have all that is missing, and repeat a page at most.
    @Test(arguments: [Paging.page, .offset, .cursor], [1, 4])
    func killedRunLosesNothingAndRepeatsAPageAtMost(_ paging: Paging, inFlight: Int) async throws {
        for count in 1...23 {
            var test = self
            test.store = MemoryStore()
            let source = source(items: 23, paging: paging)
            var options = options(99)
            options.pagesInFlight = inFlight
            let first = try await test.run([source], options, until: count).events
            let second = try await test.run([source], options).events.dropLast()
            #expect(first == items(0..<count))
            #expect(first.suffix(5).contains(second.first ?? "") || second.first == "a \(count)")
            let repeated = first.filter(second.contains)
            #expect(repeated.count <= 5)
            #expect(first.dropLast(repeated.count) + second == items(0..<23)[...])
        }
    }

    /// Killed before any page was noted, as often as it likes, and resumed with the same limit.
    @Test(arguments: [Paging.page, .offset, .cursor], [1, 4])
    func anyNumberOfStopsGivesWhatOneRunGives(_ paging: Paging, pageSize: Int) async throws {
        for (limit, stops) in [(6, [2, 1, 3, 4]), (9, [5, 5, 5]), (13, [1, 1, 1, 6, 2, 9])] {
            var test = self
            test.store = MemoryStore()
            let source = source(items: 40, paging: paging)
            var lines: [String] = []
            for (number, stop) in (stops + [.max, .max]).enumerated() {
                let run = try await test.run([source], options(limit, pageSize: pageSize), until: stop)
                let new = run.events.filter { !$0.contains("gave") }
                let repeated = new.filter(lines.contains)
                #expect(repeated.count <= pageSize)
                #expect(repeated.isEmpty || Self.warnsOfRepeats(run.notes), "run \(number): \(run.notes)")
                lines += new.filter { !lines.contains($0) }
            }
            #expect(lines == items(0..<limit))
        }
    }

    private static func warnsOfRepeats(_ notes: [ResumeNote]) -> Bool {
        switch notes.first {
        case .noResumePoint, .resuming(_, _, _, mayRepeat: true): true
        default: false
        }
    }

    @Test func endedRunIsNotSaidToRepeatAnything() async throws {
        let source = source(items: 40)
        _ = try await run([source], options(10))
        _ = try await run([source], options(20), until: 7)
        let killed = try await run([source], options(20))
        #expect(killed.notes == [.resuming(provider: "a", page: 4, delivered: 15, mayRepeat: true)])
        let ended = try await run([source], options(40))
        #expect(ended.notes == [.resuming(provider: "a", page: 5, delivered: 20, mayRepeat: false)])
    }

    @Test func pagesThatAFilterLooksThroughAreThoseOfAllStops() async throws {
        let source = source(items: 400)
        var options = options(99)
        options.filter.tags = ["even"]
        options.maximumPages = 6
        let one = try await run([source], options, resuming: false).events
        store.forget()
        let first = try await run([source], options, until: 4).events
        let second = try await run([source], options).events
        #expect(Set(first + second.dropLast()) == Set(one.dropLast()))
        #expect(one.count == 16)
        let third = try await run([source], options).events
        #expect(third.count == 16, "a run that looked through all it may is followed by the next pages")
    }

    @Test func itemThatComesAgainManyPagesLaterIsLeftOutAsInOneRun() async throws {
        let source = source(items: 300)
        source.append(["3", "300"])
        _ = try await run([source], options(298))
        #expect(try await run([source], options(301)).events == items(298..<301) + ["a gave 3 of 302"])
    }

    @Test func imageOfTwoProvidersComesOnceOverAllRuns() async throws {
        let sources = [source("a", items: 10), source("b", items: 10)]
        for source in sources { source.sharePages() }
        // Both give the same ten images: in one run, ten lines.
        let first = try await run(sources, options(5)).events.filter { !$0.contains("gave") }
        let second = try await run(sources, options(10)).events.filter { !$0.contains("gave") }
        let numbers = (first + second).compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
        #expect(numbers.sorted() == Array(0..<10))
    }

    @Test func everyProviderGoesOnAtItsOwnPlace() async throws {
        let sources = [source("a", items: 30), source("b", items: 12, paging: .cursor), source("c", items: 4)]
        var seen = Set<String>()
        var count = 0
        for run in 1...4 {
            let events = try await self.run(sources, options(8 * run)).events.filter { !$0.contains("gave") }
            seen.formUnion(events)
            count += events.count
        }
        #expect(count == 46, "nothing twice")
        #expect(seen == Set(items(0..<30, of: "a") + items(0..<12, of: "b") + items(0..<4, of: "c")))
        #expect(
            try await run(sources, options(40)).notes == [
                .finished(provider: "a", delivered: 30), .finished(provider: "b", delivered: 12),
                .finished(provider: "c", delivered: 4),
            ])
    }

    @Test func failedProviderGoesOnAtThePageThatFailed() async throws {
        let broken = try await run([source(failingAt: 3)], options(20))
        #expect(broken.events == items(0..<10) + ["a failed: no network"])
        let mended = try await run([source()], options(15))
        #expect(mended.notes == [.resuming(provider: "a", page: 3, delivered: 10, mayRepeat: false)])
        #expect(mended.events.dropLast() == items(10..<15)[...])
    }

    @Test(arguments: [Paging.page, .offset, .cursor], [(5, 20), (20, 5), (7, 9), (3, 100)])
    func otherPageSizeLosesAndRepeatsNothing(_ paging: Paging, sizes: (Int, Int)) async throws {
        let source = source(items: 100, paging: paging)
        var seen = try await run([source], options(33, pageSize: sizes.0)).events.dropLast()
        seen += try await run([source], options(132, pageSize: sizes.1)).events.dropLast()
        #expect(seen == items(0..<100)[...])
    }

    @Test func pageNumberIsKeptWhereWhatComesAgainIsNotRemembered() {
        var progress = ResumeProgress()
        for page in 1...300 {
            for number in 0..<5 { progress.handOut("\(page)-\(number)") }
            progress.complete(completedPage(page: page + 1, pageSize: 5))
        }
        var wanted = ProviderQuery(text: "x")
        wanted.limit = 700
        let manifest = ProviderManifest.fake { $0.limits.pageSize = .init(minimum: 1, maximum: 1_000, default: 20) }
        var query = progress.resume(wanted, of: manifest).query
        // 1500 lies in a page of 700 that begins at 1400, and the last 100 items are stored.
        #expect([query.page, query.offset, query.limit] == [3, 1_400, 700])
        progress.complete(completedPage(page: 302, pageSize: 5))
        query = progress.resume(wanted, of: manifest).query
        #expect([query.page, query.offset, query.limit] == [302, 1_505, 5])
    }

    private func completedPage(page: Int, pageSize: Int) -> ResumeProgress.CompletedPage {
        let offset = (page - 1) * pageSize
        let position = ResumeProgress.Position(page: page, offset: offset, pageSize: pageSize, received: offset)
        return ResumeProgress.CompletedPage(next: position, isLast: false)
    }

    @Test func itemsThatMovedToALaterPageBetweenRunsAreLeftOut() async throws {
        let source = source(items: 20)
        _ = try await run([source], options(10))
        source.insert(3)
        #expect(try await run([source], options(99)).events == items(10..<20) + ["a gave 10 of 23"])
    }

    /// What a filter left out was not delivered.
    @Test func anotherFilterDeliversWhatTheFormerOneLeftOutAndNothingTwice() async throws {
        let source = source(items: 40)
        var options = options(10)
        options.filter.tags = ["even"]
        _ = try await run([source], options)
        options = self.options(99)
        let all = try await run([source], options)
        #expect(all.notes == [.filterChanged(provider: "a", delivered: 10)])
        let delivered = Set((0..<20).filter { $0.isMultiple(of: 2) })
        #expect(all.events == (0..<40).filter { !delivered.contains($0) }.map { "a \($0)" } + ["a gave 30 of 40"])
        let again = try await run([source], options)
        #expect(again.notes == [.finished(provider: "a", delivered: 40)])
        options.filter.tags = ["odd"]
        #expect(try await run([source], options).events == ["a gave 0 of 40"], "all of them were delivered")
    }

    @Test func anotherFilterGoesOnAtTheSamePlace() async throws {
        let source = source(items: 30)
        var options = options(2)
        options.filter.tags = ["even"]
        #expect(try await run([source], options).events == ["a 0", "a 2", "a gave 2 of 30, 1 left out"])
        options.filter.tags = ["odd"]
        options.limit = 4
        #expect(
            try await run([source], options).events == ["a 1", "a 3", "a gave 2 of 30"],
            "the page was not finished, and what the first filter left out of it is not lost")
    }

    @Test func changedScriptGoesOnAndIsReported() async throws {
        let source = source()
        _ = try await run([source], options(10), revision: "1")
        #expect(try await run([source], options(20), revision: "1").notes.count == 1)
        let changed = try await run([source], options(30), revision: "2")
        #expect(
            changed.notes == [
                .resuming(provider: "a", page: 5, delivered: 20, mayRepeat: false),
                .scriptChanged(provider: "a"),
            ])
        #expect(changed.events.dropLast() == items(20..<30)[...])
        #expect(try await run([source], options(40), revision: "2").notes.count == 1)
    }

    @Test func runWithoutResumeStartsAnewAndIsKeptFromItsSecondPage() async throws {
        let source = source()
        _ = try await run([source], options(5), resuming: false)
        #expect(store.saves == 0)
        let plain = try await run([source], options(12), resuming: false)
        #expect(plain.events.dropLast() == items(0..<12)[...])
        #expect(plain.notes == [])
        let resumed = try await run([source], options(17))
        #expect(resumed.notes == [.resuming(provider: "a", page: 3, delivered: 12, mayRepeat: false)])
        #expect(resumed.events.dropLast() == items(12..<17)[...])
        let anew = try await run([source], options(10), resuming: false)
        #expect(anew.events.dropLast() == items(0..<10)[...])
        #expect(try await run([source], options(15)).events.dropLast() == items(10..<15)[...], "the last run counts")
    }

    @Test func stateIsSavedOncePerPage() async throws {
        let source = source(items: 50)
        _ = try await run([source], options(99))
        #expect(store.saves == 10)
    }

    @Test func stateThatCannotBeSavedIsReportedOnceAndHoldsNothingUp() async throws {
        store.isFull = true
        let run = try await run([source(items: 50)], options(99))
        #expect(run.events == items(0..<50) + ["a gave 50 of 50"])
        #expect(run.notes.dropFirst() == [.notKept(ResumeError(.storage, "no space left"))])
    }

    @Test func fileThatAnotherProcessHoldsIsNotWaitedForAgainAndAgain() async throws {
        store.isHeld = true
        let run = try await run([source(items: 200)], options(999))
        #expect(run.events.count == 201)
        #expect(store.refusals < 20, "not for each image")
    }

    @Test func stateThatCannotBeReadEndsTheRunBeforeItBegins() async throws {
        store.isUnreadable = true
        let source = source()
        await #expect(throws: ResumeError.self) { try await run([source], options(5)) }
        #expect(source.pages == [])
    }
}

/// Resume points in memory.
private final class MemoryStore: ResumeStore {
    private struct Contents {
        var states: [ResumeKey: ResumeState] = [:]
        var items: [ResumeKey: [String: SeenItems]] = [:]
        var saves = 0
        var isFull = false
        var isHeld = false
        var refusals = 0
        var isUnreadable = false
    }

    private let contents = Mutex(Contents())

    var saves: Int { contents.withLock { $0.saves } }

    var isFull: Bool {
        get { contents.withLock { $0.isFull } }
        set { contents.withLock { $0.isFull = newValue } }
    }

    /// Whether another process holds the file, which is found out after a while.
    var isHeld: Bool {
        get { contents.withLock { $0.isHeld } }
        set { contents.withLock { $0.isHeld = newValue } }
    }
    /// How often the held file was waited for.
    var refusals: Int { contents.withLock { $0.refusals } }

    var isUnreadable: Bool {
        get { contents.withLock { $0.isUnreadable } }
        set { contents.withLock { $0.isUnreadable = newValue } }
    }

    func forget() { contents.withLock { $0 = Contents() } }

    func load(_ key: ResumeKey) throws(ResumeError) -> ResumeState? {
        if isUnreadable { throw ResumeError(.damaged, "no sense in it") }
        return contents.withLock { contents in
            guard var state = contents.states[key] else { return nil }
            for (name, progress) in state.providers {
                state.providers[name] = progress.restoring(contents.items[key]?[name] ?? SeenItems())
            }
            return state
        }
    }

    func save(
        _ state: ResumeState, passing items: [String: SeenItems], for key: ResumeKey, replacing: Bool
    ) throws(ResumeError) {
        if isFull { throw ResumeError(.storage, "no space left") }
        if isHeld {
            contents.withLock { $0.refusals += 1 }
            let end = ContinuousClock.now + .milliseconds(5)
            while .now < end {}
            throw ResumeError(.storage, "locked by another process")
        }
        contents.withLock { contents in
            let former = replacing ? [:] : contents.states[key]?.providers ?? [:]
            contents.states[key] = ResumeState(providers: former.merging(state.providers) { $1 })
            if replacing { contents.items[key] = nil }
            for (name, items) in items { contents.items[key, default: [:]][name, default: SeenItems()] += items }
            contents.saves += 1
        }
    }
}

/// A list of numbers, some of which may come to stand in front.
private final class CountedSource: ImageSource {
    let manifest: ProviderManifest
    private let failing: Int?
    private let state: Mutex<(ids: [String], pages: [Int])>
    private let sharesPages = Mutex(false)

    init(_ name: String, items: Int, paging: Paging, failingAt page: Int?) {
        manifest = .fake(name) { $0.paging = paging }
        failing = page
        state = Mutex(((0..<items).map { "\($0)" }, []))
    }

    /// The numbers of the pages asked for, in order.
    var pages: [Int] { state.withLock { $0.pages.sorted() } }

    func forget() { state.withLock { $0.pages = [] } }

    func insert(_ count: Int) {
        state.withLock { state in state.ids = (1...count).map { "new \($0)" } + state.ids }
    }

    func append(_ ids: [String]) { state.withLock { $0.ids += ids } }

    /// Gives each item the page that other sources' items of the same number have.
    func sharePages() { sharesPages.withLock { $0 = true } }

    func page(of listing: Listing, for query: ProviderQuery) async throws -> Page {
        if query.page == failing { throw ProviderError(.transport, provider: "a", message: "no network") }
        return state.withLock { state in
            state.pages.append(query.page)
            let start =
                switch manifest.paging {
                case .cursor: Int(query.cursor?.description ?? "0")!
                case .offset: query.offset
                default: (query.page - 1) * query.limit
                }
            let end = min(state.ids.count, start + query.limit)
            let next = end < state.ids.count ? Page.Next.cursor(JSONText(validated: "\(end)")) : .end
            var page = Page.fake(
                manifest.name, Array(state.ids[min(start, end)..<end]), total: state.ids.count,
                next: manifest.paging == .cursor ? next : .counted)
            for index in page.items.indices {
                if sharesPages.withLock(\.self) {
                    page.items[index].page = try? WebURL("https://pages.example/\(page.items[index].id)")
                }
                page.items[index].tags = [Int(page.items[index].id)?.isMultiple(of: 2) == true ? "even" : "odd"]
            }
            return page
        }
    }
}
