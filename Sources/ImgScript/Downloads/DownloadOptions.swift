import Downloads
import ProviderModel
import Search

extension ImageEngine {
    /// Which files are downloaded, what they are called, and how.
    public struct DownloadOptions: Sendable {
        /// Which of an image's files is wanted.
        public enum Size: Hashable, Sendable {
            /// The file of this size; without one the next larger, and without that the next smaller.
            case role(Media.Role)
            /// The file whose width in pixels is nearest to this.
            case width(Int)
        }

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

        /// Which of an image's files is wanted.
        public var size = Size.role(.original)
        /// The template of the files' names.
        public var name = DownloadOptions.standardName
        /// Where it is noted what was fetched.
        public var archive = Archive.inFolder
        /// What happens to content that is there already under another name.
        public var duplicates = Duplicates.keep
        /// Whether everything that the source says of an image is written beside it: `fox.jpg.json`.
        public var writesSidecars = false
        /// The files that say whose the images of the folder are.
        public var credits: Set<CreditFile> = [.markdown, .json]
        /// Whether title, author, licence and source are written into the image itself.
        public var writesMetadata = false
        /// Whether the SHA-256 of each file is computed and told of; sidecars and tar files have it always.
        public var computesSHA256 = false
        /// The shape that the images come in.
        public var output = Output.files
        /// The part of the inputs that this run takes; nil for all.
        public var part: Part?
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
        /// How much is wanted of a collection among the inputs, and of what kind.
        public var collection = SearchOptions()

        /// The usual template: `{provider}/{id}-{title:slug:60}.{ext}`.
        public static let standardName = "{provider}/{id}-{title:slug:60}.{ext}"
        /// The fields that templates may have, for help texts.
        public static var nameFields: String { ItemField.choices }
        /// What templates may do to a field, for help texts.
        public static var nameFilters: String { ValueFilter.choices }

        /// Originals with the usual names.
        public init() {}

        /// Throws when the template of names cannot be read.
        public func validate() throws { _ = try planner }
    }
}

extension ImageEngine.DownloadOptions {
    /// The most files at a time.
    var mostJobs: Int { jobs ?? QueueSettings.automaticLimit }

    var planner: DownloadPlanner {
        get throws {
            do throws(DownloadError) {
                return DownloadPlanner(choice: choice, template: try NameTemplate(name))
            } catch { throw ImageEngine.DownloadFailure(error) }
        }
    }

    var choice: MediaChoice {
        switch size {
        case .role(let role): .role(role)
        case .width(let width): .width(width)
        }
    }

    var queueSettings: QueueSettings {
        var settings = QueueSettings()
        settings.jobs = jobs.map { .fixed($0) } ?? .automatic
        settings.jobsPerHost = jobsPerHost
        settings.maximumRate = maximumRate
        settings.stopsAfterSkips = stopsAfterSkips
        settings.fetch.lengthLimit = maximumFileLength
        settings.fetch.computesSHA256 = computesSHA256
        settings.duplicates =
            switch duplicates {
            case .link: .link
            case .skip: .skip
            case .keep: .keep
            }
        return settings
    }

    /// The archive's file for the downloads of a folder; nil for none.
    func archivePath(in folder: String) -> String? {
        switch archive {
        case .inFolder: "\(folder)/\(Downloader.ownFolder)/archive.sqlite"
        case .file(let path): path
        case .none: nil
        }
    }
}
