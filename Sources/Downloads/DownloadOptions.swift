import ProviderModel

/// Which files are downloaded, what they are called, and how.
public struct DownloadOptions: Sendable {
    /// Where it is noted what was fetched, so that it is not fetched again.
    public enum Archive: Hashable, Sendable {
        /// In the folder of the downloads.
        case inFolder
        /// In a file of its own, which several folders may share.
        case file(String)
        /// Nowhere: what is there is found by its name.
        case none
    }

    /// What happens to content that is there already under another name.
    public enum Duplicates: String, Sendable, CaseIterable {
        /// The second shares the blocks of the first, or is another name for it.
        case link
        /// The second is not kept.
        case skip
        /// Both are kept.
        case keep
    }

    /// The shape that the images come in.
    public enum Output: Hashable, Sendable {
        /// One file for each.
        case files
        /// Tar files of many, each image with its JSON, as Python's `webdataset` reads them.
        case shards(ShardSize)
    }

    /// Which of an image's files is wanted.
    public var size = MediaChoice.role(.original)
    /// The template of the files' names.
    public var name = DownloadOptions.defaultName
    /// Where it is noted what was fetched.
    public var archive = Archive.inFolder
    /// What happens to content that is there already under another name.
    public var duplicates = Duplicates.keep
    /// Whether everything that the source says of an image is written beside it: `fox.jpg.json`.
    public var writesSidecars = false
    /// The files that say who made the images of the folder.
    public var credits: Set<CreditFormat> = [.markdown, .json]
    /// Whether title, author, licence and source are written into the image itself.
    public var writesMetadata = false
    /// Whether the SHA-256 of each file is computed, for which a processor needs 0.6 seconds per gigabyte.
    ///
    /// It always is where sidecars, shards or metadata are written, and where files are compared.
    public var computesSHA256 = false
    /// The shape that the images come in.
    public var output = Output.files
    /// The part of the inputs that this run takes; nil for all.
    public var part: InputPart?
    /// How many files are fetched at a time; nil for as many as turn out to be best.
    public var jobs: Int?
    /// The most files fetched from one host at a time; nil for no limit of its own.
    public var jobsPerHost: Int?
    /// The most bytes a second of all together; nil for no limit.
    public var maximumRate: Int?
    /// The most bytes of one file: a server may send without end.
    public var maximumFileLength = 8_000_000_000
    /// Ends the run after so many files in a row that were there already; nil for never.
    public var stopsAfterSkips: Int?
    /// Whether nothing is fetched or written, and events only describe the plan.
    public var isDryRun = false
    /// How long files that are nearly there may go on after a stop.
    package var grace = Duration.seconds(2)
    /// How single files are fetched.
    package var fetch = FetchSettings()

    /// The default template: `{provider}/{id}-{title:slug:60}.{ext}`.
    public static let defaultName = "{provider}/{id}-{title:slug:60}.{ext}"
    /// The fields that templates may have, for help texts.
    public static var nameFields: String { ItemField.choices }
    /// What templates may do to a field, for help texts.
    public static var nameFilters: String { ValueFilter.choices }
    /// The most files at a time without a number of jobs.
    package static let automaticJobLimit = 64

    /// Originals with the default names.
    public init() {}

    /// Throws a `DownloadError` when the name template is not valid.
    public func validate() throws { _ = try NameTemplate(name) }

    /// The most files at a time.
    package var jobLimit: Int { jobs ?? Self.automaticJobLimit }
}
