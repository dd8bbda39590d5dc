import ImgScript
import Synchronization

/// The inputs of one run.
enum DownloadInputs: Sendable {
    case listing(ListingInputs, limit: Int)
    case listed(ListedInputs, InputSelection)
    case items([Item], InputSelection)
    case failed(InputSelection)

    /// How many files there are at most; nil where that is not known.
    var expected: Int? {
        switch self {
        case .listing(_, let limit): limit
        case .listed(let inputs, _): inputs.count
        case .items(let items, _): items.count
        case .failed: nil
        }
    }

    /// The failures of providers.
    var failures: [any Error] { if case .listing(let inputs, _) = self { inputs.failures } else { [] } }

    /// The sizes of the listings that a watch reads, by provider.
    var sizes: [String: ListingSize] { if case .listing(let inputs, _) = self { inputs.sizes } else { [:] } }

    /// Prints the providers that failed together, and those that were not asked.
    func printProviders() { if case .listing(let inputs, _) = self { inputs.printProviders() } }

    /// The run over them.
    func run(in engine: ImageEngine, to directory: String, _ options: DownloadOptions) throws -> DownloadRun {
        switch self {
        case .listing(let inputs, _): try engine.download(inputs: inputs, to: directory, options: options)
        case .listed(let inputs, let selection):
            try engine.download(inputs: inputs, to: directory, options: options, selection: selection)
        case .items(let items, let selection):
            try engine.download(
                inputs: AsyncStream { stream in
                    stream.yield(items.map { DownloadInput(.item($0)) })
                    stream.finish()
                }, to: directory, options: options, selection: selection)
        case .failed(let selection):
            try engine.retryFailedDownloads(in: directory, options: options, selection: selection)
        }
    }
}

/// The images of a listing as inputs of a download, with what failed on the way.
struct ListingInputs: AsyncSequence, Sendable {
    private let search: MergedSearch
    private let status: StatusLine
    private let outcome: Outcome
    /// The rule by which a watch reads its listings; nil for others.
    private let reading: WatchReadingRule?
    /// Whether the places of the wanted images were named.
    private let isRange: Bool

    /// What came of the listing besides images.
    private final class Outcome: Sendable {
        struct State {
            var failures: ProviderFailures
            var skipped = SkippedProviders()
            var filters = FilterSummary()
            /// The images that are left, of providers whose images came to the limit.
            var limited: [String] = []
            /// The sizes of the listings that a watch reads, by provider.
            var sizes: [String: ListingSize] = [:]

            mutating func add(_ part: MergedSearch.Summary) {
                filters.add(part)
                // With a filter, the total is of other images.
                guard part.filtered == 0, let total = part.total, part.count > 0, total > part.count else { return }
                limited.append(
                    "\(part.provider): \(part.count.grouped) of \(total.counted("image")); include more with a larger --limit"
                )
            }
        }

        let state: Mutex<State>

        init(providerCount: Int) {
            state = Mutex(State(failures: ProviderFailures(providerCount: providerCount)))
        }
    }

    init(
        _ search: MergedSearch, providerCount: Int, status: StatusLine, reading: WatchReadingRule? = nil,
        isRange: Bool = false
    ) {
        self.search = search
        self.status = status
        self.reading = reading
        self.isRange = isRange
        outcome = Outcome(providerCount: providerCount)
    }

    /// The failures of providers so far.
    var failures: [any Error] { outcome.state.withLock { $0.failures.errors } }

    /// The sizes of the listings that a watch reads, by provider.
    var sizes: [String: ListingSize] { outcome.state.withLock(\.sizes) }

    /// Prints the providers that failed for the same reason, those that were not asked, and what filters did.
    func printProviders() {
        outcome.state.withLock { state in
            state.failures.printGroups(on: status)
            state.skipped.print(on: status)
            if state.filters.filtered > 0 { status.note("\(state.filters.filtered.grouped) filtered out") }
            if let note = state.filters.note { status.note(note) }
            if reading == nil, !isRange { for note in state.limited { status.note(note) } }
            for warning in state.filters.warnings { status.warning(warning) }
            if let note = state.filters.cutShortNote {
                status.note(note, hint: "imgscript search --resume --format jsonl lists them for --input")
            }
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(
            events: search.makeAsyncIterator(), reading: reading,
            failed: { [outcome, status] error in
                outcome.state.withLock { if !$0.skipped.add(error) { $0.failures.add(error, status) } }
            },
            finished: { [outcome] part in outcome.state.withLock { $0.add(part) } },
            listed: { [outcome] name, size in outcome.state.withLock { $0.sizes[name] = size } })
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        let events: SearchMerger
        let reading: WatchReadingRule?
        let failed: (any Error) -> Void
        let finished: (MergedSearch.Summary) -> Void
        let listed: (String, ListingSize) -> Void
        private var providers: Set<String> = []

        init(
            events: SearchMerger, reading: WatchReadingRule?, failed: @escaping (any Error) -> Void,
            finished: @escaping (MergedSearch.Summary) -> Void, listed: @escaping (String, ListingSize) -> Void
        ) {
            self.events = events
            self.reading = reading
            self.failed = failed
            self.finished = finished
            self.listed = listed
        }

        mutating func next() async throws -> [DownloadInput]? {
            if let reading { for provider in providers where reading.isOver(provider) { events.end(provider) } }
            while let event = await events.next() {
                switch event {
                case .image(let item):
                    let name = item.provider.description
                    providers.insert(name)
                    if reading != nil { listed(name, events.size(of: name)) }
                    return [DownloadInput(.item(item))]
                case .failure(let provider, let error):
                    reading?.finish(provider, .listing)
                    failed(error)
                case .finished(let part):
                    reading?.finish(part.provider, part.isCutShort ? .pages : .listing)
                    finished(part)
                }
            }
            return nil
        }
    }
}

/// The inputs of a command line: references one by one, `-` and files line by line, in their order.
struct ListedInputs: AsyncSequence, Sendable {
    fileprivate enum Part {
        case reference(String)
        case list(DownloadInputList)
    }

    private let parts: [Part]

    init(references: [String], files: [String]) {
        parts =
            references.map { $0 == "-" ? .list(.standardInput) : .reference($0) }
            + files.map { .list($0 == "-" ? .standardInput : .init(path: $0)) }
    }

    /// How many there are at most; nil where that is not known before the end.
    var count: Int? {
        var count = 0
        for part in parts {
            guard case .list(let list) = part else {
                count += 1
                continue
            }
            guard let lines = list.count else { return nil }
            count += lines
        }
        return count
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(parts: parts[...]) }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var parts: ArraySlice<Part>
        private var lines: DownloadInputList.AsyncIterator?
        private var isFirst = true

        fileprivate init(parts: ArraySlice<Part>) { self.parts = parts }

        mutating func next() async throws -> [DownloadInput]? {
            while true {
                if let inputs = try await lines?.next() { return try checked(inputs) }
                lines = nil
                guard let part = parts.popFirst() else { return nil }
                switch part {
                case .reference(let text): return try checked([DownloadInput(.reference(text))])
                case .list(let list): lines = list.makeAsyncIterator()
                }
            }
        }

        /// A list whose first line is invalid is most likely another kind of file.
        private mutating func checked(_ inputs: [DownloadInput]) throws -> [DownloadInput] {
            defer { isFirst = false }
            guard isFirst, let input = inputs.first, case .unreadable(let reason) = input.subject else { return inputs }
            throw DownloadError(.input, reason, place: input.place)
        }
    }
}
