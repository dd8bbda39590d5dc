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

    /// The form of the output.
    public enum Output: Hashable, Sendable {
        /// One file for each.
        case files
        /// Tar files of many, each image with its JSON, as Python's `webdataset` reads them.
        case shards(ShardSize)
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
    /// Whether an item's metadata is written beside its file as JSON: `fox.jpg.json`.
    public var writesSidecars = false
    /// Whether an item's tags are written beside its file, one a line, as Hydrus imports them: `fox.jpg.txt`.
    public var writesTagSidecars = false
    /// The command that is run after each file; nil for none.
    public var command: FileCommand?
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

    /// Checks the name template.
    ///
    /// - Throws: ``DownloadError`` with the code `template` when ``name`` is not a valid template.
    public func validate() throws { _ = try NameTemplate(name) }

    /// Which of an item's files are downloaded.
    package var selection: FileSelection { FileSelection(size, of: media) }

    /// The most files at a time.
    package var jobLimit: Int { jobs ?? Self.automaticJobLimit }
}
