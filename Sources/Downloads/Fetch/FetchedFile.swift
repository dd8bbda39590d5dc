import HTTPTransport
import ProviderModel

/// The facts of a finished and verified file.
package struct FetchedFile: Hashable, Sendable {
    /// Its length.
    package var bytes: Int
    /// The SHA-256 of its content, where it was wanted.
    package var sha256: [UInt8]?
    /// Its format; nil where any content is taken and it is not an image.
    package var format: MediaFormat?
    /// Its size in pixels, where its header says it.
    package var size: ImageSize?
    /// What is not as it was listed, though not wrong.
    package var notes: [String]
    /// Why it was not converted though it should have been; nil where it was, or need not be.
    package var unconverted: String?
    /// The modification time that it gets, in seconds since 1970; nil for that of the download.
    var modified: Int?
}

/// A complete and verified file that has no name yet.
package struct FetchedDownload: Sendable {
    let planned: PlannedFile
    /// Whether its server gave it another name than was planned.
    var isRenamed = false
    /// The file that was really fetched: a provider may have given another URL at the last moment.
    let media: Media
    /// Where it came from, without the query.
    let url: String
    let part: PartFile
    /// What it is, with the metadata that was written into it.
    var file: FetchedFile
    /// The SHA-256 of what came, where it was wanted.
    let content: [UInt8]?
    /// What came looks like this; nil where that is not asked for, or cannot be said.
    var hash: PictureHash?
    /// What was fetched before and looks the same.
    var nearDuplicate: NearDuplicate?
}

/// A file that a picture looks like.
public struct NearDuplicate: Hashable, Sendable {
    /// The path of the file.
    public let path: String
    /// In how many of 64 bits the hashes of the two differ.
    public let distance: Int
}

/// A file on disk, complete and verified.
public final class FinishedFile: Sendable {
    package let planned: PlannedFile
    /// The file that was really fetched: a provider may have given another URL at the last moment.
    package let media: Media
    package let file: FetchedFile
    /// Its path below the folder; the extension follows the content.
    public let path: String
    /// Whether it shares its content with another file.
    public let isLinked: Bool
    /// The file that it looks like; see ``DownloadOptions/nearDuplicates``.
    public let nearDuplicate: NearDuplicate?

    init(_ fetched: FetchedDownload, path: String, isLinked: Bool) {
        planned = fetched.planned
        media = fetched.media
        file = fetched.file
        self.path = path
        self.isLinked = isLinked
        nearDuplicate = fetched.nearDuplicate
    }

    /// The identity of the file.
    public var key: MediaKey { planned.key }
    /// The URL that it was fetched from.
    public var url: WebURL { media.url }
    /// The image; nil for a bare URL.
    public var item: Item? { planned.item }
    /// Its length in bytes.
    public var bytes: Int { file.bytes }
    /// The SHA-256 of its content, if it was computed; see ``DownloadOptions/computesSHA256``.
    public var sha256: [UInt8]? { file.sha256 }
    /// Its format, such as `jpeg` or `png`.
    public var format: String? { file.format?.rawValue }
    /// The size in pixels, if the file's header has it.
    public var size: (width: Int, height: Int)? { file.size.map { ($0.width, $0.height) } }
    /// Differences from the listing that are no errors.
    public var notes: [String] { file.notes }
    /// Why it was not converted though ``DownloadOptions/conversion`` asks for it; nil where it was, or need not be.
    public var unconverted: String? { file.unconverted }
}

/// How files are fetched.
package struct FetchSettings: Sendable {
    /// Whether any content is accepted, not only images.
    package var takesAnyContent = false
    /// The minimum length of a file that is fetched in parts, in bytes.
    package var splitLimit = 16 << 20
    /// The maximum number of parts of one file at the same time; 1 for no parts.
    package var partLimit = 4
    /// How long the speed is measured before another part is tried.
    package var measuringTime = Duration.seconds(1)
    /// The maximum time for one file.
    package var deadline = Duration.seconds(24 * 3_600)
    /// The policy for requests that received nothing.
    package var retries = RetryPolicy()
    /// The maximum number of restarts of a file that changes during the download.
    package var restartLimit = 3

    /// The usual settings.
    package init() {}
}
