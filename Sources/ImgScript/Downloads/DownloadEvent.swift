import Downloads
import ProviderModel

extension ImageEngine {
    /// What happens while files are downloaded, in the order in which it happens.
    public enum DownloadEvent: Sendable {
        /// A file is being fetched; the meter can be read at any time.
        case started(PlannedFile, DownloadMeter)
        /// A file is there, whole and verified.
        case finished(SavedFile)
        /// A file is not fetched, and need not be; named as `provider:id:role`.
        case skipped(String, SkippedFile)
        /// A file could not be had.
        case failed(DownloadFailure)
        /// All inputs are known; so many files were asked for.
        case inputEnded(count: Int)
    }

    /// A file that is to be fetched.
    ///
    /// What is said of it is made when it is asked for: most listeners ask for little.
    public struct PlannedFile: Sendable {
        private let planned: PlannedDownload

        init(_ planned: PlannedDownload) { self.planned = planned }

        /// What tells it from every other: `provider:id:role`, or `url:` and the URL.
        public var key: String { planned.key.description }
        /// Where it comes from.
        public var url: WebURL { planned.media.url }
        /// Where it goes below the folder, if it is what it says it is.
        public var path: String { planned.expectedPath }
        /// Whose file it is; nil for the file behind an address.
        public var item: Item? { planned.item }
    }

    /// A file that was fetched.
    public struct SavedFile: Sendable {
        private let saved: DownloadedFile

        init(_ saved: DownloadedFile) { self.saved = saved }

        /// What tells it from every other.
        public var key: String { saved.planned.key.description }
        /// Where it came from.
        public var url: WebURL { saved.media.url }
        /// Where it is below the folder; the ending follows the content.
        public var path: String { saved.path }
        /// Whose file it is; nil for the file behind an address.
        public var item: Item? { saved.planned.item }
        /// Its length.
        public var bytes: Int { saved.file.bytes }
        /// The SHA-256 of its content, where options ask for it.
        public var sha256: [UInt8]? { saved.file.hash.sha256 }
        /// Its format, such as `jpeg` or `png`.
        public var format: String? { saved.file.format?.rawValue }
        /// In pixels, as far as the file says it.
        public var size: (width: Int, height: Int)? { saved.file.size.map { ($0.width, $0.height) } }
        /// What is not as it was listed, though not wrong.
        public var notes: [String] { saved.file.notes }
        /// Whether its content shares its place with a file that was there before.
        public var isLinked: Bool { saved.isDuplicate }
    }

    /// Why a file is not fetched.
    public enum SkippedFile: Hashable, Sendable {
        /// It was fetched before, to this path below the folder.
        case archived(path: String)
        /// It is there already, at this path.
        case present(path: String)
        /// It stands in the input more than once.
        case repeated
        /// Another process is fetching it.
        case otherProcess
        /// It has the same content as the file at this path.
        case duplicate(path: String)
    }

    /// How far one file is; may be read at any time.
    public struct DownloadMeter: Sendable {
        let counter: DownloadCounter

        /// Bytes that are there.
        public var bytes: Int { counter.bytes }
        /// The file's length; nil where it is unknown.
        public var length: Int? { counter.length }
    }

    /// What came of it all.
    public struct DownloadSummary: Hashable, Sendable {
        /// How many files were fetched.
        public var finished = 0
        /// How many were not, and need not be.
        public var skipped = 0
        /// How many could not be had.
        public var failed = 0
        /// The bytes of those that were fetched.
        public var bytes = 0
        /// Whether there was more to do when it was stopped.
        public var wasStopped = false

        /// Nothing yet.
        public init() {}
    }
}

extension ImageEngine.SkippedFile {
    init(_ reason: SkipReason) {
        self =
            switch reason {
            case .archived(let path): .archived(path: path)
            case .present(let path): .present(path: path)
            case .repeated: .repeated
            case .otherProcess: .otherProcess
            case .duplicate(let path): .duplicate(path: path)
            }
    }
}

extension ImageEngine.DownloadSummary {
    init(_ summary: Downloads.DownloadSummary) {
        self.init()
        finished = summary.finished
        skipped = summary.skipped
        failed = summary.failed
        bytes = summary.bytes
        wasStopped = summary.wasStopped
    }
}
