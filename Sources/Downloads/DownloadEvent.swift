import ProviderModel
import Synchronization

/// An event of a download run, in the order of occurrence.
public enum DownloadEvent: Sendable {
    /// A dry run would fetch the file, or skip it for a reason.
    case planned(PlannedFile, SkipReason?)
    /// A file is being fetched; the meter gives its progress at any time.
    case started(PlannedFile, DownloadMeter)
    /// A file is complete and verified.
    case finished(FinishedFile)
    /// A file need not be fetched.
    case skipped(MediaKey, SkipReason)
    /// A file could not be downloaded; the others continue.
    case failed(DownloadError)
    /// The command of ``DownloadOptions/command`` has ended.
    case commandEnded(FileCommandResult)
    /// An archive of ``DownloadOptions/bundle`` is whole, or could not be written; the files are there in any case.
    case bundled(BundleResult)
    /// An item has files of a kind that is not wanted, besides those that are; they are left out.
    case leftOut(Media.Kind, count: Int)
    /// The images of a collection among the inputs are read.
    case collection(Item)
    /// Inputs or images of collections are left out; nothing is wrong with them.
    case excluded(Exclusion, count: Int)
    /// The inputs are read to their end; `count` files were requested.
    case inputEnded(count: Int)
}

/// Why a file is not fetched.
public enum SkipReason: Hashable, Sendable {
    /// It was fetched by an earlier run, to this path.
    case archived(path: String)
    /// It exists at this path.
    case present(path: String)
    /// The input has it more than once.
    case repeated
    /// Another process is fetching it.
    case otherProcess
    /// It has the same content as the file at this path.
    case duplicate(path: String)
    /// Its picture looks like the file at this path.
    case nearDuplicate(path: String)
    /// It failed before, at this time in seconds since 1970, for a reason that seldom passes; see ``DownloadOptions/deadLinkAge``.
    case failedBefore(reason: String, time: Int)

    /// The path of the existing file, if there is one.
    public var path: String? {
        switch self {
        case .archived(let path), .present(let path), .duplicate(let path), .nearDuplicate(let path): path
        case .repeated, .otherProcess, .failedBefore: nil
        }
    }

    /// Whether the file, or one that stands for it, is there.
    var isThere: Bool { path != nil }
}

/// The totals of a run so far.
public struct DownloadTally: Sendable {
    /// Failures of one kind.
    public struct Reason: Sendable {
        /// The failure in a few words: ``DownloadError/reason``.
        public let text: String
        /// The number of failures.
        public fileprivate(set) var count = 0
        /// The references or positions of the first three.
        public fileprivate(set) var examples: [String] = []
    }

    /// The number of files fetched, or to be fetched in a dry run.
    public private(set) var finished = 0
    /// The number of files that need not be fetched.
    public private(set) var skipped = 0
    /// The number of files that were not asked for, since they failed before; see ``DownloadOptions/deadLinkAge``.
    public private(set) var failedBefore = 0
    /// The number of files that could not be downloaded.
    public private(set) var failed = 0
    /// The number of files whose command failed; they are among ``finished``.
    public private(set) var failedCommands = 0
    /// The total length of the fetched files in bytes.
    public private(set) var bytes = 0
    /// The failures by reason.
    public private(set) var reasons: [Reason] = []
    /// The paths of the archives that were written.
    public private(set) var bundles: [String] = []
    /// The number of archives that could not be written.
    public private(set) var failedBundles = 0
    /// The number of files that could not be converted, and are as they came; they are among ``finished``.
    public private(set) var unconverted = 0
    /// The number of files that look like another one and were kept all the same; they are among ``finished``.
    public private(set) var nearDuplicates = 0
    /// The number of files that were left out of items with others, by their kind.
    public private(set) var leftOut: [Media.Kind: Int] = [:]
    /// The number of collections among the inputs.
    public private(set) var collections = 0
    /// The number of inputs and images that were left out though nothing is wrong with them, by the reason.
    public private(set) var excluded: [Exclusion: Int] = [:]
    /// The codes of all failures.
    public private(set) var codes: Set<DownloadError.Code> = []
    /// The number of files in all, once it is known.
    public var expected: Int?
    /// Whether the run was stopped before its end.
    public internal(set) var wasStopped = false
    /// The number of consecutive skipped files.
    var skipsInARow = 0

    /// Creates a tally of nothing.
    public init() {}

    /// The number of files finished, skipped or failed, now or before.
    public var done: Int { finished + skipped + failed + failedBefore }

    /// Adds an event to the totals.
    ///
    /// - Parameter event: an event of one run.
    public mutating func add(_ event: DownloadEvent) {
        switch event {
        case .started: break
        case .planned(_, nil): finished += 1
        // One in a row of known files neither ends nor lengthens it.
        case .planned(_, .failedBefore), .skipped(_, .failedBefore): failedBefore += 1
        case .planned: skipped += 1
        case .finished(let file):
            finished += 1
            bytes += file.bytes
            if file.unconverted != nil { unconverted += 1 }
            if file.nearDuplicate != nil { nearDuplicates += 1 }
            skipsInARow = 0
        case .skipped:
            skipped += 1
            skipsInARow += 1
        case .failed(let error):
            add(error)
            skipsInARow = 0
        case .commandEnded(let result): if result.failure != nil { failedCommands += 1 }
        case .bundled(let result): if result.failure == nil { bundles.append(result.path) } else { failedBundles += 1 }
        case .leftOut(let kind, let count): leftOut[kind, default: 0] += count
        case .collection: collections += 1
        case .excluded(let exclusion, let count): excluded[exclusion, default: 0] += count
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
    private let counts = Mutex(DownloadTally())
    private let channel = BatchChannel<DownloadEvent>()
    private let isRead: Bool

    /// How many events may wait until no more files are planned.
    private static let limit = 1_024

    /// Creates a channel of events.
    ///
    /// - Parameter isRead: whether events are kept until they are read; without a reader they are only counted.
    package init(isRead: Bool) { self.isRead = isRead }

    /// What has come of the run so far.
    package var tally: DownloadTally { counts.withLock(\.self) }

    func add(_ event: DownloadEvent) { add([event]) }

    func add(_ events: [DownloadEvent]) {
        // Within the lock: the tally follows the order of events.
        counts.withLock { tally in
            for event in events { tally.add(event) }
            if isRead { channel.send(events) }
        }
    }

    func change(_ body: (inout DownloadTally) -> Void) { counts.withLock { body(&$0) } }

    /// Waits until the reader has kept up; for the one task that plans.
    func waitForRoom() async { await channel.waitForRoom(below: Self.limit) }

    /// Says that no more events come.
    package func finish() { channel.finish() }

    /// Returns all events that wait, at least one; none at the end.
    package func next() async -> [DownloadEvent] { await channel.next() }
}
