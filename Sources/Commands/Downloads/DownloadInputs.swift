import ImgScript
import Synchronization

/// The inputs of one run.
enum DownloadInputs: Sendable {
    case listing(ListingInputs, limit: Int)
    case listed(ListedInputs)
    case failed

    /// What came of a run.
    struct Result: Sendable {
        var wasStopped = false
        var error: (any Error)?
    }

    /// How many files there are at most; nil where that is not known.
    var expected: Int? {
        switch self {
        case .listing(_, let limit): limit
        case .listed(let inputs): inputs.count
        case .failed: nil
        }
    }

    /// The failures of providers.
    var failures: [any Error] { if case .listing(let inputs, _) = self { inputs.failures } else { [] } }

    /// Prints the providers that failed together, and those that were not asked.
    func printProviders() { if case .listing(let inputs, _) = self { inputs.printProviders() } }

    /// Downloads them.
    func fetch(with downloader: Downloader) async -> Result {
        do {
            let summary =
                switch self {
                case .listing(let inputs, _): try await downloader.download(inputs)
                case .listed(let inputs): try await downloader.download(inputs)
                case .failed: try await downloader.retryFailed()
                }
            return Result(wasStopped: summary.wasStopped)
        } catch { return Result(wasStopped: true, error: error) }
    }

    /// Plans them.
    func plan(
        with downloader: Downloader, _ report: (ImageEngine.PlannedFile, ImageEngine.SkippedFile?) throws -> Void
    ) async throws -> ImageEngine.DownloadSummary {
        switch self {
        case .listing(let inputs, _): try await downloader.plan(inputs, report)
        case .listed(let inputs): try await downloader.plan(inputs, report)
        case .failed: try await downloader.planFailed(report)
        }
    }
}

/// The images of a listing as inputs of a download, with what failed on the way.
struct ListingInputs: AsyncSequence, Sendable {
    private let search: MergedSearch
    private let status: StatusLine
    private let outcome: Outcome

    /// What came of the listing besides images.
    private final class Outcome: Sendable {
        let state: Mutex<(failures: ProviderFailures, skipped: SkippedProviders)>

        init(providerCount: Int) {
            state = Mutex((ProviderFailures(providerCount: providerCount), SkippedProviders()))
        }
    }

    init(_ search: MergedSearch, providerCount: Int, status: StatusLine) {
        self.search = search
        self.status = status
        outcome = Outcome(providerCount: providerCount)
    }

    /// The failures of providers so far.
    var failures: [any Error] { outcome.state.withLock { $0.failures.errors } }

    /// Prints the providers that failed for the same reason, and those that were not asked.
    func printProviders() {
        outcome.state.withLock { state in
            state.failures.printGroups(on: status)
            state.skipped.print(on: status)
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(
            events: search.makeAsyncIterator(),
            failed: { [outcome, status] error in
                if let error = error as? SkippedProvider {
                    outcome.state.withLock { $0.skipped.add(error) }
                } else {
                    outcome.state.withLock { $0.failures.add(error, status) }
                }
            })
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        var events: MergedSearch.Iterator
        let failed: (any Error) -> Void

        mutating func next() async throws -> ImageEngine.DownloadInput? {
            while let event = await events.next() {
                switch event {
                case .image(let item): return ImageEngine.DownloadInput(.item(item))
                case .failure(_, let error): failed(error)
                case .finished: continue
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
        case list(ImageEngine.DownloadInputList)
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
        private var lines: ImageEngine.DownloadInputList.AsyncIterator?
        private var isFirst = true

        fileprivate init(parts: ArraySlice<Part>) { self.parts = parts }

        mutating func next() async throws -> ImageEngine.DownloadInput? {
            while true {
                if let input = try await lines?.next() { return try checked(input) }
                lines = nil
                guard let part = parts.popFirst() else { return nil }
                switch part {
                case .reference(let text): return try checked(ImageEngine.DownloadInput(.reference(text)))
                case .list(let list): lines = list.makeAsyncIterator()
                }
            }
        }

        /// A list whose first line is invalid is most likely another kind of file.
        private mutating func checked(_ input: ImageEngine.DownloadInput) throws -> ImageEngine.DownloadInput {
            defer { isFirst = false }
            guard isFirst, case .unreadable(let reason) = input.subject else { return input }
            throw ImageEngine.DownloadFailure(
                .input, "\(reason) (expected JSON lines, PROVIDER:ID or URLs)",
                place: input.place)
        }
    }
}
