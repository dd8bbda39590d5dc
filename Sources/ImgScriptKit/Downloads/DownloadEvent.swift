import Downloads
import ProviderModel

extension ImgScript {
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
    public struct PlannedFile: Sendable {
        /// What tells it from every other: `provider:id:role`, or `url:` and the URL.
        public let key: String
        /// Where it comes from.
        public let url: WebURL
        /// Where it goes below the folder, if it is what it says it is.
        public let path: String
        /// Whose file it is; nil for the file behind an address.
        public let item: Item?
    }

    /// A file that was fetched.
    public struct SavedFile: Sendable {
        /// What tells it from every other.
        public let key: String
        /// Where it came from.
        public let url: WebURL
        /// Where it is below the folder; the ending follows the content.
        public let path: String
        /// Whose file it is; nil for the file behind an address.
        public let item: Item?
        /// Its length.
        public let bytes: Int
        /// The SHA-256 of its content, where options ask for it.
        public let sha256: [UInt8]?
        /// Its format, such as `jpeg` or `png`.
        public let format: String?
        /// In pixels, as far as the file says it.
        public let size: (width: Int, height: Int)?
        /// What is not as it was listed, though not wrong.
        public let notes: [String]
        /// Whether its content shares its place with a file that was there before.
        public let isLinked: Bool
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

extension ImgScript.PlannedFile {
    init(_ planned: PlannedDownload) {
        self.init(key: planned.key.description, url: planned.media.url, path: planned.expectedPath, item: planned.item)
    }
}

extension ImgScript.SavedFile {
    init(_ file: DownloadedFile) {
        self.init(
            key: file.planned.key.description, url: file.media.url, path: file.path, item: file.planned.item,
            bytes: file.file.bytes, sha256: file.file.hash.sha256, format: file.file.format?.rawValue,
            size: file.file.size.map { ($0.width, $0.height) }, notes: file.file.notes, isLinked: file.isDuplicate)
    }
}

extension ImgScript.SkippedFile {
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

extension ImgScript.DownloadSummary {
    init(_ summary: Downloads.DownloadSummary) {
        self.init()
        finished = summary.finished
        skipped = summary.skipped
        failed = summary.failed
        bytes = summary.bytes
        wasStopped = summary.wasStopped
    }
}
