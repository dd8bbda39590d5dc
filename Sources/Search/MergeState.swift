import ProviderModel

/// The lanes of one merged listing and the fetches under way.
///
/// `@unchecked Sendable`: only the iterator that owns it calls `next`, one call at a time; fetches reach it through the
/// mailbox alone.
final class MergeState: @unchecked Sendable {
    private struct Track {
        var lane: ProviderPager
        var source: (any ImageSource)?
        var buffer: ArraySlice<Item> = []
        /// The page in the buffer, to be passed when the last of it has been handed out.
        var passage: ResumeProgress.Passage?
        var tasks: [Int: Task<Void, Never>] = [:]
        var isReported = false
        var count = 0
        var filtered = 0
    }

    private enum Arrival: Sendable {
        case source(Result<any ImageSource, any Error>)
        case answer(Int)
        case page(Int, Result<Page, any Error>)
    }

    private var tracks: [Track]
    private var places: ProviderSlots
    /// Tracks where something may have to be done.
    private var attention: [Int]
    private var firstTurns: FairStart
    /// The track whose item the consumer has been given last.
    private var handedOut: Int?
    private var turn = 0
    private var seenPages: Set<WebURL> = []
    private var failures: [MergedSearch.Event] = []
    private var ledger: ResumeRecorder?
    private var announcement: (() -> Void)?
    private let mailbox = Mailbox<(index: Int, arrival: Arrival)>()

    /// `patience` is how long a provider waits for its second turn while others have not had their first.
    init(lanes: [ProviderPager], patience: Duration, providersInFlight: Int = 6, crawl: ResumePoint? = nil) {
        tracks = lanes.map { Track(lane: $0) }
        places = ProviderSlots(providersInFlight)
        attention = Array(lanes.indices)
        firstTurns = FairStart(
            of: Set(lanes.indices.filter { !lanes[$0].isFinished }), among: lanes.count, patience: patience)
        ledger = crawl.map { ResumeRecorder($0) }
        let names = lanes.map(\.name)
        announcement = crawl.map { crawl in { crawl.announce(names) } }
    }

    deinit {
        firstTurns.cancel()
        for track in tracks { for task in track.tasks.values { task.cancel() } }
    }

    func next() async -> MergedSearch.Event? {
        announcement.take()?()
        settle()
        while true {
            for (index, arrival) in mailbox.drain() { take(arrival, at: index) }
            tend()
            ledger?.save()
            if !failures.isEmpty { return failures.removeFirst() }
            if waitsForFirstTurns {
                await mailbox.wait()
                continue
            }
            if let item = nextItem() { return .image(item) }
            if !attention.isEmpty { continue }
            if let summary = nextSummary() { return .finished(summary) }
            guard places.isAnyoneWorking, !Task.isCancelled else { return nil }
            await mailbox.wait()
        }
    }

    /// Whether an image follows for which nothing has to be waited or put down first.
    var hasImageAtHand: Bool {
        guard let handedOut, firstTurns.areOver, ledger?.hasChanged != true else { return false }
        return !tracks[handedOut].buffer.isEmpty
    }
}

// MARK: Handing out

extension MergeState {
    /// Takes the last item as dealt with, now that the consumer is back for more.
    private func settle() {
        guard let index = handedOut.take(), tracks[index].buffer.isEmpty else { return }
        passPage(of: index)
        attention.append(index)
    }

    /// Whether the next item would be a second of a provider while another's first may come any moment.
    private var waitsForFirstTurns: Bool {
        firstTurns.areAwaited(while: { tracks[$0].buffer.isEmpty }, wake: { [mailbox] in mailbox.wake() })
    }

    /// The next buffered item, each provider in its turn, those without a first one before the others.
    private func nextItem() -> Item? {
        let inTurn = (0..<tracks.count).lazy.map { (self.turn + $0) % self.tracks.count }
        if !firstTurns.areOver {
            for index in inTurn where firstTurns.isToCome(for: index) {
                if let item = takeItem(of: index) { return item }
            }
        }
        for index in inTurn { if let item = takeItem(of: index) { return item } }
        return nil
    }

    /// The next buffered item of a track that nobody else has given.
    private func takeItem(of index: Int) -> Item? {
        while let item = tracks[index].buffer.popFirst() {
            // The same page found by two sources is one image.
            if tracks.count > 1, let page = item.page, !seenPages.insert(page).inserted {
                ledger?.skip(item, of: tracks[index].lane.name)
                guard tracks[index].buffer.isEmpty else { continue }
                passPage(of: index)
                attention.append(index)
                continue
            }
            turn = index + 1
            tracks[index].count += 1
            firstTurns.end(for: index)
            ledger?.handOut(item, of: tracks[index].lane.name)
            handedOut = index
            return item
        }
        return nil
    }

    private func nextSummary() -> MergedSearch.Summary? {
        guard let index = tracks.firstIndex(where: { $0.lane.isFinished && !$0.isReported }) else { return nil }
        tracks[index].isReported = true
        let track = tracks[index]
        return MergedSearch.Summary(
            provider: track.lane.name, count: track.count, total: track.lane.total, filtered: track.filtered)
    }

    /// Puts down in the crawl's state that all of the buffer has been handed out.
    private func passPage(of index: Int) {
        guard ledger != nil else { return }
        let lane = tracks[index].lane
        if let passage = tracks[index].passage.take() { ledger?.pass(passage, total: lane.total, of: lane.name) }
        if lane.isFinished { ledger?.stop() }
    }
}

// MARK: Fetching

extension MergeState {
    private func take(_ arrival: Arrival, at index: Int) {
        switch arrival {
        case .source(let result):
            tracks[index].tasks = [:]
            do {
                let source = try result.get()
                try tracks[index].lane.opened(source)
                tracks[index].source = source
                ledger?.opened(source, of: tracks[index].lane.name)
                // It keeps its place: a source that has just been opened is soonest done with.
                start(index)
            } catch { fail(index, error) }
        case .answer(let number):
            tracks[index].lane.answered(number)
        case .page(let number, let result):
            guard tracks[index].tasks.removeValue(forKey: number) != nil else { return }
            tracks[index].lane.receive(result, of: number)
        }
        releasePlace(of: index)
        attention.append(index)
    }

    /// Refills buffers and starts fetches wherever that is due.
    private func tend() {
        guard !attention.isEmpty || places.isWanted else { return }
        let due = attention
        attention = []
        for index in due { refill(index) }
        while let index = places.admitNext() {
            start(index)
            releasePlace(of: index)
        }
        for index in due where tracks[index].lane.wantsToFetch(isDry: tracks[index].buffer.isEmpty) {
            if places.isWorking(index) {
                // Who fetches ahead holds nobody up who has to wait.
                if !places.isWanted { start(index) }
            } else if places.enter(index) {
                start(index)
            }
        }
    }

    /// Takes pages in turn until one brings something.
    private func refill(_ index: Int) {
        do {
            while tracks[index].buffer.isEmpty, let yield = try tracks[index].lane.next() {
                tracks[index].buffer = yield.items[...]
                tracks[index].filtered += yield.filtered
                tracks[index].passage = yield.passage
                if yield.items.isEmpty { passPage(of: index) }
            }
            if tracks[index].lane.isFinished, tracks[index].buffer.isEmpty { firstTurns.end(for: index) }
            dropAbandoned(of: index)
        } catch { fail(index, error) }
    }

    /// Starts what a lane with a place wants.
    private func start(_ index: Int) {
        guard let source = tracks[index].source else {
            tracks[index].tasks[-1] = Task { [mailbox, open = tracks[index].lane.open] in
                let result: Result<any ImageSource, any Error>
                do { result = .success(try await open()) } catch { result = .failure(error) }
                mailbox.post((index, .source(result)))
            }
            return
        }
        let listing = tracks[index].lane.listing
        let turns = tracks[index].lane.turns
        for fetch in tracks[index].lane.fetches(isDry: tracks[index].buffer.isEmpty) {
            let turn = turns.turn(of: fetch.number) { [mailbox] in mailbox.post((index, .answer(fetch.number))) }
            tracks[index].tasks[fetch.number] = Task { [mailbox] in
                let result: Result<Page, any Error>
                do { result = .success(try await source.page(of: listing, for: fetch.query, in: turn)) } catch {
                    result = .failure(error)
                }
                turns.end(fetch.number)
                mailbox.post((index, .page(fetch.number, result)))
            }
        }
        if tracks[index].lane.goesPastFirstPage { ledger?.goPastFirstPage() }
    }

    private func fail(_ index: Int, _ error: any Error) {
        tracks[index].lane.finish()
        tracks[index].isReported = true
        firstTurns.end(for: index)
        dropAbandoned(of: index)
        ledger?.stop()
        if !(error is CancellationError) {
            failures.append(.failure(provider: tracks[index].lane.name, error))
        }
    }

    /// Cancels the fetches that nobody waits for any more.
    private func dropAbandoned(of index: Int) {
        for number in tracks[index].lane.takeAbandoned() { tracks[index].tasks.removeValue(forKey: number)?.cancel() }
        releasePlace(of: index)
    }

    private func releasePlace(of index: Int) {
        if tracks[index].tasks.isEmpty { places.leave(index) }
    }
}
