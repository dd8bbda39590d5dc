import ProviderModel
import Synchronization

/// What happens while files are downloaded, in the order in which it happens.
public enum DownloadEvent: Sendable {
    /// A file would be fetched, or not: the only event of a dry run besides failures.
    case planned(PlannedFile, SkipReason?)
    /// A file is being fetched; the meter can be read at any time.
    case started(PlannedFile, DownloadMeter)
    /// A file is there, whole and verified.
    case finished(FinishedFile)
    /// A file need not be fetched.
    case skipped(MediaKey, SkipReason)
    /// A file could not be downloaded.
    case failed(DownloadError)
    /// All inputs are known; so many files were asked for.
    case inputEnded(count: Int)
}

/// Why a file is not fetched.
public enum SkipReason: Hashable, Sendable {
    /// It was fetched before, to this path.
    case archived(path: String)
    /// It is there already, at this path.
    case present(path: String)
    /// It stands in the input more than once.
    case repeated
    /// Another process is fetching it.
    case otherProcess
    /// It has the same content as the file at this path.
    case duplicate(path: String)

    /// The path of the file that was fetched before, or is there.
    public var path: String? {
        switch self {
        case .archived(let path), .present(let path), .duplicate(let path): path
        case .repeated, .otherProcess: nil
        }
    }
}

/// What has come of downloads so far.
public struct DownloadTally: Sendable {
    /// Failures of one kind.
    public struct Reason: Sendable {
        /// What they have in common, in a few words.
        public let text: String
        /// How many there were.
        public fileprivate(set) var count = 0
        /// The first few it happened to.
        public fileprivate(set) var examples: [String] = []
    }

    /// How many files were fetched, or would be in a dry run.
    public private(set) var finished = 0
    /// How many need not be fetched.
    public private(set) var skipped = 0
    /// How many could not be downloaded.
    public private(set) var failed = 0
    /// The bytes of the files that were fetched.
    public private(set) var bytes = 0
    /// The failures by what they have in common.
    public private(set) var reasons: [Reason] = []
    /// The codes of the failures.
    public private(set) var codes: Set<DownloadError.Code> = []
    /// How many files there are in all, as far as that is known.
    public var expected: Int?
    /// Whether there was more to do when the run was stopped.
    public internal(set) var wasStopped = false
    /// How many were skipped since the last that was not.
    var skipsInARow = 0

    /// Nothing yet.
    public init() {}

    /// How many files are done with.
    public var done: Int { finished + skipped + failed }

    /// Counts an event.
    public mutating func add(_ event: DownloadEvent) {
        switch event {
        case .started: break
        case .planned(_, nil): finished += 1
        case .planned: skipped += 1
        case .finished(let file):
            finished += 1
            bytes += file.bytes
            skipsInARow = 0
        case .skipped:
            skipped += 1
            skipsInARow += 1
        case .failed(let error):
            add(error)
            skipsInARow = 0
        case .inputEnded(let count): expected = count
        }
    }

    private mutating func add(_ error: DownloadError) {
        failed += 1
        codes.insert(error.code)
        let place = reasons.firstIndex { $0.text == error.reason } ?? reasons.endIndex
        if place == reasons.endIndex { reasons.append(Reason(text: error.reason)) }
        reasons[place].count += 1
        if reasons[place].examples.count < 3, let subject = error.subject ?? error.place {
            reasons[place].examples.append(subject)
        }
    }
}

/// The events of a run on their way to their reader, with a tally of all.
package final class DownloadEvents: Sendable {
    private struct State {
        var waiting: [DownloadEvent] = []
        var tally = DownloadTally()
    }

    private let state = Mutex(State())
    private let added = AsyncSignal()
    private let hasRoom = AsyncSignal()
    private let isRead: Bool

    /// How many events may wait until no more files are planned.
    private static let limit = 1_024

    /// Events that are kept until they are read; without a reader they are only counted.
    package init(isRead: Bool) { self.isRead = isRead }

    /// What has come of the run so far.
    package var tally: DownloadTally { state.withLock { $0.tally } }

    func add(_ event: DownloadEvent) { add([event]) }

    func add(_ events: [DownloadEvent]) {
        state.withLock { state in
            for event in events { state.tally.add(event) }
            if isRead { state.waiting += events }
        }
        added.send()
    }

    func change(_ body: (inout DownloadTally) -> Void) { state.withLock { body(&$0.tally) } }

    /// Waits until the reader has kept up; for the one task that plans.
    func waitForRoom() async {
        while state.withLock({ $0.waiting.count >= Self.limit }) {
            guard await hasRoom.wait() else { return }
        }
    }

    /// Says that no more events come.
    package func finish() { added.finish() }

    /// All events that wait, at least one; none at the end.
    package func next() async -> [DownloadEvent] {
        while true {
            let events = state.withLock { state in
                defer { state.waiting = [] }
                return state.waiting
            }
            if !events.isEmpty {
                hasRoom.send()
                return events
            }
            guard await added.wait() else {
                return state.withLock { state in
                    defer { state.waiting = [] }
                    return state.waiting
                }
            }
        }
    }
}
