import ProviderModel

/// Which files are downloaded, how they are named, and how they are fetched.
///
/// ```swift
/// var options = DownloadOptions()
/// options.size = .width(1_920)
/// options.name = "{author.name}/{id}.{ext}"
/// options.duplicates = .link
/// let tally = try await engine.download(engine.search("red fox"), to: "foxes", options: options).finish()
/// print(tally.finished, "downloaded,", tally.failed, "failed")
/// ```
public struct DownloadOptions: Sendable {
    /// Where downloads are recorded, so that they are not repeated.
    public enum Archive: Hashable, Sendable {
        /// In the folder of the downloads.
        case inFolder
        /// In a file of its own, which several folders may share.
        case file(String)
        /// Nowhere: a file that exists is found by its name.
        case none
    }

    /// What happens to a file whose content exists under another name.
    public enum Duplicates: String, Sendable, CaseIterable {
        /// It shares the other's blocks (reflink), or is a hard link to it.
        case link
        /// It is removed.
        case skip
        /// It is kept as a copy.
        case keep
    }

    /// What happens to a picture that looks like one that was downloaded before: in another size, format or quality.
    public enum NearDuplicates: String, Sendable, CaseIterable {
        /// It is removed, and not fetched again.
        case skip
        /// It shares the other's content.
        case link
        /// It is kept, and ``FinishedFile/nearDuplicate`` says of what.
        case report
    }

    /// The modification time that files get.
    public enum ModificationTime: String, Sendable, CaseIterable {
        /// The time of the download.
        case download
        /// The time of the server's `Last-Modified`; without one that of the download.
        case server
        /// The image's date of creation; the server's time where that is not known to the day.
        case created
    }

    /// The form of the output.
    public enum Output: Hashable, Sendable {
        /// One file for each.
        case files
        /// Tar files of many, each image with its JSON, as Python's `webdataset` reads them.
        case shards(ShardSize)
    }

    /// Archives of files that belong together: one for each collection, one for each item of several files, one for the others.
    ///
    /// A file is removed when the archive that holds it is whole. Later runs add what is new.
    public struct Bundle: Hashable, Sendable {
        /// The form of the archives; pictures are stored as they are.
        public enum Format: String, Sendable, CaseIterable {
            /// A ZIP archive, in which files have the paths that they had.
            case zip
            /// A comic book: the same with numbered pages, in order.
            case cbz
        }

        /// The form of the archives.
        public var format: Format
        /// The name, without its ending, of the archive for files that belong to no collection.
        public var name: String

        /// Creates the description of archives.
        public init(_ format: Format, name: String = "images") { (self.format, self.name) = (format, name) }
    }

    /// Which of an image's files is downloaded.
    public var size = MediaChoice.role(.original)
    /// What the files may hold: pictures, unless video and audio are asked for.
    public var media = Media.pictures
    /// The template of file names, relative to the folder; `/` makes subfolders.
    public var name = DownloadOptions.defaultName
    /// Where downloads are recorded.
    public var archive = Archive.inFolder
    /// What happens to a file whose content exists under another name.
    public var duplicates = Duplicates.keep
    /// What happens to pictures that look alike, which takes the program of libvips; nil for not comparing them.
    public var nearDuplicates: NearDuplicates?
    /// The format and the size that pictures get, which takes the program of libvips.
    public var conversion = PictureConversion()
    /// Whether an item's metadata is written beside its file as JSON: `fox.jpg.json`.
    public var writesSidecars = false
    /// Whether an item's tags are written beside its file, one a line, as Hydrus imports them: `fox.jpg.txt`.
    public var writesTagSidecars = false
    /// Whether an item's metadata is written beside its file as XMP, as photo libraries read it: `fox.jpg.xmp`.
    public var writesXMPSidecars = false
    /// The modification time that files get; those in shards have that of the shard.
    public var modificationTime = ModificationTime.download
    /// Header lines for files that are named by their URLs; a redirect to another server drops them.
    public var headers: [NamedValue] = []
    /// The command that is run after each file; nil for none.
    public var command: FileCommand?
    /// The command that is run once at the end of a run that brought files, with the folder as its path; nil for none.
    public var finalCommand: FileCommand?
    /// The archives that files are put into at the end of a run, which an archive of downloads is needed for; nil for none.
    public var bundle: Bundle?
    /// The formats of the folder's credits file.
    public var credits: Set<CreditFormat> = [.markdown, .json]
    /// Whether title, author, licence and source are written into the image file.
    public var writesMetadata = false
    /// Whether the SHA-256 of each file is computed, which takes about 0.6 seconds per gigabyte.
    ///
    /// Sidecars, shards, metadata and the comparison of duplicates compute it in any case.
    public var computesSHA256 = false
    /// The form of the output.
    public var output = Output.files
    /// The part of the inputs that this run downloads; nil for all.
    public var part: InputPart?
    /// The maximum number of files at the same time; nil to adapt it to the throughput.
    public var jobs: Int?
    /// The maximum number of files from one host at the same time; nil for no limit.
    public var jobsPerHost: Int?
    /// The maximum throughput of all files in bytes per second; nil for no limit.
    public var maximumRate: Int?
    /// The maximum length of one file in bytes.
    public var maximumFileLength = 8_000_000_000
    /// Ends the run after this number of skipped files in a row; nil for never.
    public var stopsAfterSkips: Int?
    /// The failures with which the run is given up; nil for any number.
    public var maximumFailures: FailureLimit?
    /// How long a file that the server or the source does not have, or that is no image, is not asked for again.
    ///
    /// The folder's record of failures says when it was asked for last.
    public var deadLinkAge = Duration.seconds(7 * 86_400)
    /// Decides which files of the inputs are wanted, and when no more are; nil for all.
    package var reading: (any ReadingRule)?
    /// Whether nothing is fetched or written, and events describe the plan.
    public var isDryRun = false
    /// How long files that are nearly there may go on after a stop.
    package var grace = Duration.seconds(2)
    /// How single files are fetched.
    package var fetch = FetchSettings()

    /// The default template: `{provider}/{id}-{title:slug:60}.{ext}`.
    public static let defaultName = "{provider}/{id}-{title:slug:60}.{ext}"
    /// The most files at a time without a number of jobs.
    package static let automaticJobLimit = 64

    /// Creates options for originals with the default names.
    public init() {}

    /// Checks the name template, and that options go together.
    ///
    /// - Throws: ``DownloadError`` with the code `template` when ``name`` is not a valid template, and `option` when pictures are to
    ///   be compared or files to be put into archives where nothing is recorded, or shards are to be put into archives.
    public func validate() throws {
        _ = try NameTemplate(name)
        if let field = finalCommand?.fields.first {
            throw DownloadError(
                .option,
                "finalCommand: found a field of files, \(field.quoted) (expected {folder}, or nothing in braces)")
        }
        guard bundle == nil && nearDuplicates == nil || archive != .none else {
            throw DownloadError(
                .option, "archive: found none (expected a record of downloads for bundle and nearDuplicates)")
        }
        guard bundle == nil || output == .files else {
            throw DownloadError(.option, "bundle: shards cannot be put into archives (expected files)")
        }
    }

    /// Whether something is done with the SHA-256 of what came.
    var comparesContent: Bool { duplicates != .keep || nearDuplicates != nil || conversion.isWanted }

    /// Which of an item's files are downloaded.
    package var selection: FileSelection { FileSelection(size, of: media) }

    /// The most files at a time.
    package var jobLimit: Int { jobs ?? Self.automaticJobLimit }
}

/// The format and size that downloaded pictures are converted to; nothing else is.
///
/// A picture is never enlarged. It is turned as its orientation says, and its colour profile stays. An animation stays one where the
/// format can hold it; a picture that cannot be converted stays as it came.
public struct PictureConversion: Hashable, Sendable {
    /// A format to convert to.
    public enum Format: String, Sendable, CaseIterable {
        case webp
        case jpeg
        case png
        case avif
    }

    /// The format; nil for the one that each has.
    public var format: Format?
    /// The most pixels that the longer side may have; nil for any number.
    public var maximumSide: Int?

    /// Creates a conversion; nothing is converted without a format and a size.
    public init(to format: Format? = nil, maximumSide: Int? = nil) {
        self.format = format
        self.maximumSide = maximumSide
    }

    /// Whether anything is converted.
    var isWanted: Bool { format != nil || maximumSide != nil }
}
