import ProviderModel

/// Iterates over the events of one search: starts the fetches of its providers, and delivers their items in turn.
///
/// Releasing it cancels its requests.
///
/// `@unchecked Sendable`: `next` is called by one task at a time; fetches reach it through `arrivals` alone.
public final class SearchMerger: AsyncIteratorProtocol, @unchecked Sendable {
    private struct Provider {
        var pager: ProviderPager
        var source: (any ImageSource)?
        var buffer: ArraySlice<Item> = []
        /// The page in the buffer, to be recorded when the last of it has been delivered.
        var page: ResumeProgress.CompletedPage?
        var fetches: [Int: Task<Void, Never>] = [:]
        var isReported = false
        var count = 0
        var filtered = 0

        var isFetching: Bool { !fetches.isEmpty }
        var wantsToFetch: Bool { pager.wantsToFetch(isBufferEmpty: buffer.isEmpty) }
    }

    private enum Arrival: Sendable {
        case source(Int, Result<any ImageSource, any Error>)
        case page(Int, number: Int, Result<Page, any Error>)
        case fairStartEnded
    }

    private var providers: [Provider]
    private let providersInFlight: Int
    /// Providers that want to fetch, in the order in which they came, while as many as may are at it.
    private var waiting: [Int] = []
    private var fairStart: FairStart
    /// Whether something may have to be fetched or refilled.
    private var needsScheduling = true
    /// The provider whose item the consumer has been given last.
    private var lastProvider: Int?
    /// Where the search for the next item begins, so that providers alternate.
    private var nextProvider = 0
    /// Page URLs of images that were handed out, by which other providers' images are known to be the same.
    private var seenPages: Set<String>
    private var failures: [MergedSearch.Event] = []
    private var recorder: ResumeRecorder?
    private let arrivals = BatchChannel<Arrival>()
    private let environment: SearchEnvironment

    /// A merger; `fairStart` is how long a provider's second item waits for the first of the others.
    init(
        _ pagers: [ProviderPager], fairStart: Duration, providersInFlight: Int = 6, resumePoint: ResumePoint? = nil,
        environment: SearchEnvironment = SearchEnvironment()
    ) {
        providers = pagers.map { Provider(pager: $0) }
        self.providersInFlight = max(1, providersInFlight)
        self.environment = environment
        self.fairStart = FairStart(
            of: Set(pagers.indices.filter { !pagers[$0].isFinished }), among: pagers.count, duration: fairStart)
        recorder = resumePoint.map { ResumeRecorder($0, of: pagers) }
        seenPages = recorder?.passedPages ?? []
    }

    deinit {
        fairStart.cancel()
        for provider in providers { for fetch in provider.fetches.values { fetch.cancel() } }
    }

    /// Waits for the next event.
    ///
    /// - Returns: the event; nil when every provider has finished or failed, and when the task is cancelled.
    public func next() async -> MergedSearch.Event? {
        // The last item is processed, now that the next is requested.
        if let index = lastProvider.take(), providers[index].buffer.isEmpty { completePage(of: index) }
        while true {
            for arrival in arrivals.takeAll() { receive(arrival) }
            if needsScheduling { scheduleFetches() }
            recorder?.save()
            if !failures.isEmpty { return failures.removeFirst() }
            if !waitsForFirstItems {
                if let item = nextItem() { return .image(item) }
                if needsScheduling { continue }
                if let summary = nextSummary() { return .finished(summary) }
                guard providers.contains(where: \.isFetching), !Task.isCancelled else { return nil }
            }
            // The end of the task is looked at above.
            _ = await arrivals.wait()
        }
    }

    /// The size of a provider's listing, as far as it is known by now.
    package func size(of provider: String) -> ListingSize {
        guard let provider = providers.first(where: { $0.pager.name == provider }) else { return ListingSize() }
        let come = provider.count + provider.buffer.count
        // With a filter, the total is of other images.
        guard provider.filtered == 0, let total = provider.pager.total, total >= come else {
            return ListingSize(count: come, isTotal: false)
        }
        return ListingSize(count: total, isTotal: true)
    }

    /// Ends the listing of a provider: its images that have not been delivered are dropped, the other providers continue.
    package func end(_ provider: String) {
        guard let index = providers.firstIndex(where: { $0.pager.name == provider }), !providers[index].pager.isFinished
        else { return }
        providers[index].pager.finish()
        providers[index].buffer = []
        fairStart.end(index)
        cancelAbandoned(of: index)
        needsScheduling = true
    }

    /// Whether the next event is an image that is available without waiting and without completing a page: output flushed when
    /// this is false has every image in it.
    public var hasBufferedImage: Bool {
        guard let lastProvider, fairStart.isOver, recorder?.hasChanged != true else { return false }
        return providers[lastProvider].buffer.contains { !isRepeated($0) }
    }
}

// MARK: Handing out

extension SearchMerger {
    /// Whether the next item would be a second of a provider while another's first may come any moment.
    private var waitsForFirstItems: Bool {
        fairStart.isAwaited(while: { providers[$0].buffer.isEmpty }, in: environment) { [arrivals] in
            arrivals.send(.fairStartEnded)
        }
    }

    /// The next buffered item, the providers in turn, those without a first one before the others.
    private func nextItem() -> Item? {
        let order = providers.indices.map { (nextProvider + $0) % providers.count }
        for index in order where fairStart.pending.contains(index) { if let item = takeItem(of: index) { return item } }
        for index in order { if let item = takeItem(of: index) { return item } }
        return nil
    }

    /// The next buffered item of a provider that no other has given.
    private func takeItem(of index: Int) -> Item? {
        while let item = providers[index].buffer.popFirst() {
            // The same page found by two sources is one image.
            if isRepeated(item) {
                recorder?.skip(item, of: providers[index].pager.name)
                if providers[index].buffer.isEmpty { completePage(of: index) }
                continue
            }
            if providers.count > 1, let page = item.page { seenPages.insert(page.description) }
            nextProvider = index + 1
            providers[index].count += 1
            fairStart.end(index)
            recorder?.handOut(item, of: providers[index].pager.name)
            lastProvider = index
            return item
        }
        return nil
    }

    /// Whether another provider has given the same image.
    private func isRepeated(_ item: Item) -> Bool {
        guard providers.count > 1, let page = item.page else { return false }
        return seenPages.contains(page.description)
    }

    private func nextSummary() -> MergedSearch.Summary? {
        guard let index = providers.firstIndex(where: { $0.pager.isFinished && !$0.isReported }) else { return nil }
        providers[index].isReported = true
        let provider = providers[index]
        return MergedSearch.Summary(
            provider: provider.pager.name, count: provider.count, total: provider.pager.total,
            filtered: provider.filtered, conditions: provider.pager.conditions,
            conditionsCheckedHere: provider.pager.conditionsCheckedHere, emptyPages: provider.pager.skippedPages,
            isCutShort: provider.pager.isCutShort)
    }

    /// Records that all of the buffer has been delivered.
    private func completePage(of index: Int) {
        needsScheduling = true
        guard recorder != nil else { return }
        let pager = providers[index].pager
        if let page = providers[index].page.take() { recorder?.complete(page, total: pager.total, of: pager.name) }
        if pager.isFinished { recorder?.stop(pager.name, isComplete: true) }
    }
}

// MARK: Fetching

extension SearchMerger {
    private func receive(_ arrival: Arrival) {
        needsScheduling = true
        switch arrival {
        case .source(let index, let result):
            providers[index].fetches = [:]
            do {
                let source = try result.get()
                try providers[index].pager.open(source)
                providers[index].source = source
                recorder?.open(source, of: providers[index].pager.name)
                // Before the waiting providers: its slot was reserved for this.
                startFetches(of: index)
            } catch { fail(index, error) }
        case .page(let index, let number, let result):
            guard providers[index].fetches.removeValue(forKey: number) != nil else { return }
            providers[index].pager.receive(result, of: number)
        case .fairStartEnded: fairStart.expire()
        }
    }

    /// Refills buffers and starts fetches wherever that is due.
    private func scheduleFetches() {
        needsScheduling = false
        for index in providers.indices { refill(index) }
        admitWaiting()
        for index in providers.indices where providers[index].wantsToFetch {
            if providers[index].isFetching {
                // Fetching ahead never delays a provider that has nothing yet; one that is being opened is not opened again.
                if waiting.isEmpty, providers[index].source != nil { startFetches(of: index) }
            } else if !waiting.contains(index) {
                waiting.append(index)
                admitWaiting()
            }
        }
    }

    private func admitWaiting() {
        while !waiting.isEmpty, providers.count(where: \.isFetching) < providersInFlight {
            startFetches(of: waiting.removeFirst())
        }
    }

    /// Takes pages in order until one brings something.
    private func refill(_ index: Int) {
        do {
            while providers[index].buffer.isEmpty, let yield = try providers[index].pager.next() {
                providers[index].buffer = yield.items[...]
                providers[index].filtered += yield.filtered
                providers[index].page = yield.page
                if yield.items.isEmpty { completePage(of: index) }
            }
            if providers[index].pager.isFinished, providers[index].buffer.isEmpty { fairStart.end(index) }
            cancelAbandoned(of: index)
        } catch { fail(index, error) }
    }

    /// Opens a provider, or starts the fetches that its pager wants.
    private func startFetches(of index: Int) {
        guard let source = providers[index].source else {
            let open = providers[index].pager.open
            providers[index].fetches[-1] = Task(executorPreference: environment.executor) { [arrivals] in
                let result: Result<any ImageSource, any Error>
                do { result = .success(try await open()) } catch { result = .failure(error) }
                arrivals.send(.source(index, result))
            }
            return
        }
        let listing = providers[index].pager.listing
        for fetch in providers[index].pager.fetches(isBufferEmpty: providers[index].buffer.isEmpty) {
            providers[index].fetches[fetch.number] = Task(executorPreference: environment.executor) { [arrivals] in
                let result: Result<Page, any Error>
                do { result = .success(try await source.page(of: listing, for: fetch.query)) } catch {
                    result = .failure(error)
                }
                arrivals.send(.page(index, number: fetch.number, result))
            }
        }
        if providers[index].pager.hasPassedFirstPage { recorder?.passFirstPage() }
    }

    private func fail(_ index: Int, _ error: any Error) {
        providers[index].pager.finish()
        providers[index].isReported = true
        fairStart.end(index)
        cancelAbandoned(of: index)
        recorder?.stop(providers[index].pager.name, isComplete: false)
        if !(error is CancellationError) {
            failures.append(.failure(provider: providers[index].pager.name, error))
        }
    }

    private func cancelAbandoned(of index: Int) {
        for number in providers[index].pager.takeAbandoned() {
            providers[index].fetches.removeValue(forKey: number)?.cancel()
        }
    }
}

/// The number of images of a listing.
package struct ListingSize: Hashable, Sendable {
    /// The source's total, or without one the number of images that have come so far.
    package var count = 0
    /// Whether these are all.
    package var isTotal = false

    /// The size of a listing of which nothing is known, or a known one.
    package init(count: Int = 0, isTotal: Bool = false) { (self.count, self.isTotal) = (count, isTotal) }
}

/// Delivers a first item of every provider before a second of any, within a time limit.
struct FairStart {
    /// Providers whose first item has not been delivered.
    private(set) var pending: Set<Int>
    private let count: Int
    private let duration: Duration
    private var isExpired: Bool
    private var timer: Task<Void, Never>?

    /// The first items of these providers, of `count` in all; `duration` is how long others wait for them.
    init(of pending: Set<Int>, among count: Int, duration: Duration) {
        (self.pending, self.count, self.duration) = (pending, count, duration)
        isExpired = duration <= .zero
    }

    /// Whether every provider has given a first item, or will give none.
    var isOver: Bool { pending.isEmpty }

    /// Notes that a provider has given its first item, or will give none.
    mutating func end(_ index: Int) { pending.remove(index) }

    /// Notes that the time is over.
    mutating func expire() { isExpired = true }

    /// Whether a second item waits for the first of another provider; `onEnd` is called when the time for that is over.
    mutating func isAwaited(
        while isBufferEmpty: (Int) -> Bool, in environment: SearchEnvironment, onEnd: @escaping @Sendable () -> Void
    ) -> Bool {
        guard !isExpired, !pending.isEmpty, count > 1 else { return false }
        if timer == nil {
            timer = Task(executorPreference: environment.executor) { [duration] in
                // Cancelled with the search: then nothing waits.
                try? await environment.sleep(duration)
                onEnd()
            }
        }
        // While none has given a first item, a second one is not held back.
        return pending.count < count && !Task.isCancelled && pending.allSatisfy(isBufferEmpty)
    }

    /// Stops waiting.
    func cancel() { timer?.cancel() }
}

/// The executor and the clock of a search, which tests replace.
package struct SearchEnvironment: Sendable {
    /// Runs the fetches; nil for the default executor.
    package var executor: (any TaskExecutor)?
    /// Waits for a time.
    package var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// Creates the environment of a running program.
    package init() {}
}
