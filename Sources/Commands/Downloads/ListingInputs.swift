import ImgScript
import Synchronization

/// The images of a listing as inputs of a download, with what failed on the way.
struct ListingInputs: AsyncSequence, Sendable {
    private let search: MergedSearch
    private let status: StatusLine
    private let outcome = Outcome()

    /// What came of the listing besides images.
    private final class Outcome: Sendable {
        let state = Mutex((failures: [any Error](), skipped: SkippedProviders()))
    }

    init(_ search: MergedSearch, status: StatusLine) {
        self.search = search
        self.status = status
    }

    /// The failures of providers so far.
    var failures: [any Error] { outcome.state.withLock { $0.failures } }

    /// Says which of all providers were not asked.
    func tellSkipped() { outcome.state.withLock { $0.skipped.tell(on: status) } }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(
            events: search.makeAsyncIterator(),
            failed: { [outcome, status] error in
                if let error = error as? SkippedProvider {
                    outcome.state.withLock { $0.skipped.add(error) }
                } else {
                    outcome.state.withLock { $0.failures.append(error) }
                    status.error(error)
                }
            })
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        var events: MergedSearch.Iterator
        let failed: (any Error) -> Void

        mutating func next() async throws -> [DownloadInput]? {
            while let event = await events.next() {
                switch event {
                case .image(let item): return [DownloadInput(.item(item))]
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

        /// What begins with nonsense is another kind of file altogether.
        private mutating func checked(_ inputs: [DownloadInput]) throws -> [DownloadInput] {
            defer { isFirst = false }
            guard isFirst, let input = inputs.first, case .unreadable(let reason) = input.subject else { return inputs }
            throw DownloadError(
                .input, "\(reason); expected lines of JSON (--format jsonl), PROVIDER:ID or addresses",
                place: input.place)
        }
    }
}
