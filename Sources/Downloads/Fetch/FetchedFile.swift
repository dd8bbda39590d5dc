import HTTPTransport
import ProviderModel

/// The facts of a finished and verified file.
package struct FetchedFile: Hashable, Sendable {
    /// Its length.
    package var bytes: Int
    /// The SHA-256 of its content, where it was wanted.
    package var sha256: [UInt8]?
    /// Its format; nil where any content is taken and it is not an image.
    package var format: ImageFormat?
    /// Its size in pixels, where its header says it.
    package var size: ImageSize?
    /// What is not as it was listed, though not wrong.
    package var notes: [String]
}

/// A file that came whole and is verified, before it has its name.
package struct FetchedDownload: Sendable {
    let planned: PlannedFile
    /// The file that was really fetched: a provider may have given another URL at the last moment.
    let media: Media
    /// Where it came from, without the query.
    let url: String
    let part: PartFile
    /// What it is, with the metadata that was written into it.
    var file: FetchedFile
    /// The SHA-256 of what came, where it was wanted.
    let content: [UInt8]?
}

/// A file that is on disk, whole and verified.
public final class FinishedFile: Sendable {
    package let planned: PlannedFile
    /// The file that was really fetched: a provider may have given another URL at the last moment.
    package let media: Media
    package let file: FetchedFile
    /// Its path below the folder; the ending follows the content.
    public let path: String
    /// Whether it shares its content with a file that was there before.
    public let isLinked: Bool

    init(_ fetched: FetchedDownload, path: String, isLinked: Bool) {
        planned = fetched.planned
        media = fetched.media
        file = fetched.file
        self.path = path
        self.isLinked = isLinked
    }

    /// What identifies it.
    public var key: MediaKey { planned.key }
    /// Where it came from.
    public var url: WebURL { media.url }
    /// The image; nil for a bare URL.
    public var item: Item? { planned.item }
    /// Its length.
    public var bytes: Int { file.bytes }
    /// The SHA-256 of its content; nil unless ``DownloadOptions/computesSHA256`` or something else wants it.
    public var sha256: [UInt8]? { file.sha256 }
    /// Its format, such as `jpeg` or `png`.
    public var format: String? { file.format?.rawValue }
    /// In pixels, as far as the file says it.
    public var size: (width: Int, height: Int)? { file.size.map { ($0.width, $0.height) } }
    /// What is not as it was listed, though not wrong.
    public var notes: [String] { file.notes }
}

/// How files are fetched.
package struct FetchSettings: Sendable {
    /// Whether anything is taken that comes, instead of images only.
    package var takesAnyContent = false
    /// From which length on a file may be fetched in parts side by side.
    package var splitLimit = 16 << 20
    /// The most parts of one file at a time; 1 for none.
    package var partLimit = 4
    /// How long the speed is measured before another part is tried.
    package var measuringTime = Duration.seconds(1)
    /// How long one file may take.
    package var deadline = Duration.seconds(24 * 3_600)
    /// How often and how long a request is tried again after an attempt that brought nothing.
    package var retries = RetryPolicy()
    /// How often a file that changes while it is fetched is begun anew.
    package var restartLimit = 3

    /// The usual settings.
    package init() {}
}
