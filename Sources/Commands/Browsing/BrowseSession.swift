import ImgScript
import ProviderModel
import Synchronization

/// What the engine says while the screen is drawn: short, or kept for the end.
final class BrowseNotices: Sendable {
    /// All that happens, for the session.
    let events = BatchChannel<BrowseEvent>()
    private let warnings = Mutex<[String]>([])

    /// What was said and not shown for long.
    var all: [String] { warnings.withLock(\.self) }

    /// Takes a notice of the engine.
    func add(_ notice: ImageEngine.Notice) {
        switch notice {
        case .waiting(let provider, let seconds, let reason):
            let time = Duration.seconds(seconds).inWords
            events.send(.notice(BrowseNotice(text: "\(provider): waiting \(time) (\(reason))")))
        case .warning(let text, _):
            warnings.withLock { if !$0.contains(text) { $0.append(text) } }
            events.send(.notice(BrowseNotice(text: "warning: \(text)")))
        default: break
        }
    }
}

/// Failures of providers, and what was shown, for the end.
final class BrowseOutcome: Sendable {
    private let state: Mutex<(failures: [any Error], summary: ResultSummary)> = Mutex(([], ResultSummary()))

    /// All that came.
    var all: (failures: [any Error], summary: ResultSummary) { state.withLock(\.self) }

    /// Adds an image that was shown.
    func add(_ item: Item) { state.withLock { $0.summary.add(item) } }

    /// Adds a provider's failure.
    func add(_ error: any Error) { state.withLock { $0.failures.append(error) } }
}

/// Shows images on the whole screen until the user has seen enough.
final class BrowseSession {
    private let context: AppContext
    private let notices: BrowseNotices
    private let providers: [String]
    private let search: SearchOptions
    private let downloads: BrowseDownloads
    private let screen = ScreenTerminal()
    private var state: BrowseState
    private var writer: ScreenWriter
    private var pictures: BrowsePictures
    private var feed = BrowseFeed()
    private var listing: Task<Void, Never>?
    private var details: [Task<Void, Never>] = []
    private let outcome = BrowseOutcome()

    /// A session over providers; throws where pictures cannot be shown.
    init(
        _ context: AppContext, _ notices: BrowseNotices, providers: [String], search: SearchOptions,
        downloads: BrowseDownloads, format: PictureFormat, words: String?, isListing: Bool
    ) throws(TerminalError) {
        self.context = context
        self.notices = notices
        self.providers = providers
        self.search = search
        self.downloads = downloads
        let loader = try PictureLoader(format, in: context, for: "browse")
        writer = ScreenWriter(isKitty: loader.renderer.format == .kitty)
        pictures = BrowsePictures(loader) { [events = notices.events] in events.send($0) }
        state = BrowseState(screen.size, query: words, isListing: isListing)
    }

    /// Runs until it is quit; returns the exit code.
    func run() async -> ExitStatus {
        let events = notices.events
        // First: a signal that comes meanwhile finds someone to put the screen back.
        screen.start { events.send($0) }
        screen.enter()
        if !state.hasEnded { list(state.query.map { .search($0) } ?? .feed) }
        let wasInterrupted = await withTaskGroup(of: Void.self) { group in
            group.addTask { [downloads] in await downloads.run { events.send($0) } }
            let wasInterrupted = await handleEvents()
            downloads.stop()
            end()
            return wasInterrupted
        }
        return await finish(wasInterrupted)
    }

    private func end() {
        listing?.cancel()
        for task in details { task.cancel() }
        pictures.cancel()
        screen.stop()
        screen.leave()
    }

    /// Whether an interrupt ended it.
    private func handleEvents() async -> Bool {
        repeat {
            for event in notices.events.takeAll() {
                for effect in state.apply(event) {
                    if case .quit(let wasInterrupted) = effect { return wasInterrupted }
                    perform(effect)
                }
            }
            feed.want(state.wantedCount)
            pictures.update(to: state)
            draw()
        } while await notices.events.wait()
        return true
    }

    private func draw() {
        var frame = BrowseFrame(state, on: context.terminal)
        let before = state.mode
        state.limitScroll(to: frame.detailLines.count)
        if state.mode != before { frame = BrowseFrame(state, on: context.terminal) }
        screen.write(writer.update(to: frame))
    }

    private func perform(_ effect: BrowseEffect) {
        switch effect {
        case .search(let words): list(.search(words))
        case .loadDetails(let item): loadDetails(of: item)
        case .download(let items): download(items)
        case .open(let item): open(item)
        case .redraw: writer.forget()
        case .suspend:
            screen.suspend()
            writer.forget()
            notices.events.send(.resized(screen.size))
        case .quit: break
        }
    }

    // MARK: - Listing

    private func list(_ listing: Listing) {
        self.listing?.cancel()
        let (feed, number, events) = (BrowseFeed(), state.listing, notices.events)
        self.feed = feed
        feed.want(state.wantedCount)
        let found = context.engine.events(of: listing, in: providers, search)
        self.listing = Task { [outcome] in
            await feed.run(found) { event in
                switch event {
                case .image(let item):
                    outcome.add(item)
                    events.send(.images([item], listing: number))
                case .failure(_, let error):
                    // One of many that cannot be asked is left out, as in any listing.
                    if case .skipped = (error as? EngineError)?.code { return }
                    outcome.add(error)
                    events.send(.failure("\(error)", listing: number))
                case .finished(let part): part.total.map { events.send(.total($0, listing: number)) }
                }
            }
            events.send(.ended(listing: number))
        }
    }

    private func loadDetails(of item: Item) {
        let (engine, events) = (context.engine, notices.events)
        // There are samples of the details of one image, which would stand for all.
        let asksSource = context.settings.answers == .live
        details.append(
            Task {
                var found = ImageDetails(item: item)
                do {
                    let manifest = try await engine.manifest(of: item.provider.description)
                    if asksSource { found.item = try await engine.details(of: item) }
                    found.attribution = Attribution(manifest.terms).line(for: found.item)
                } catch  where !Task.isCancelled {
                    events.send(.notice(BrowseNotice(text: "no further details: \(error)", isError: true)))
                } catch { return }
                events.send(.details(found, of: item.reference))
            })
    }

    // MARK: - Images

    private func download(_ items: [Item]) {
        if let reason = context.reasonToPlan {
            notices.events.send(.notice(BrowseNotice(text: "\(reason): nothing is downloaded")))
        } else {
            downloads.add(items) { notices.events.send($0) }
        }
    }

    private func open(_ item: Item) {
        let notice: BrowseNotice
        if let page = item.page ?? item.bestMedia?.url {
            do throws(TerminalError) {
                try PageOpening(environment: context.settings.environment).open(page)
                notice = BrowseNotice(text: "opened \(page)")
            } catch { notice = BrowseNotice(text: error.message, isError: true) }
        } else {
            notice = BrowseNotice(text: "\(item.reference) has no page", isError: true)
        }
        notices.events.send(.notice(notice))
    }

    // MARK: - End

    /// Prints what was downloaded and what failed, as other commands do.
    private func finish(_ wasInterrupted: Bool) async -> ExitStatus {
        let status = context.status
        for warning in notices.all { status.warning(warning) }
        let (failures, summary) = outcome.all
        for error in failures { status.error(error) }
        await context.printTerms(of: summary, isOfAddresses: false)
        let (tally, elapsed, error) = downloads.outcome
        if tally.done > 0 || tally.wasStopped {
            let folder = downloads.folder
            let place = folder == "." ? "" : " -d \(folder.shellQuoted)"
            let report = DownloadReport(
                tally: tally, folder: folder == "." ? "this folder" : folder, elapsed: elapsed,
                wasInterrupted: false, retryCommand: "imgscript download\(place) --retry-failed")
            status.note(rendered: report.lines(on: status.terminal))
        }
        if wasInterrupted { return .interrupted }
        if let error {
            status.error(error)
            return ExitStatus(error)
        }
        guard tally.done == 0 else { return tally.status }
        let hasResults = summary.counts.contains { $0.count > 0 }
        return hasResults || failures.isEmpty ? .success : ExitStatus(failures: failures, of: failures.count)
    }
}
