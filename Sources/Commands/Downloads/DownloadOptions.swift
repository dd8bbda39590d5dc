import ArgumentParser
import HTTPTransport
import ImgScript
import ProviderModel

/// Which files are downloaded, and where to.
struct FileOptions: ParsableArguments {
    @Option(
        name: [.customShort("d"), .long],
        help: ArgumentHelp("folder for the files", valueName: "folder"), completion: .directory)
    var directory = "."

    @Option(
        help: ArgumentHelp(
            "preferred size (default: original)", valueName: "size"))
    var size: Media.Role?

    @Option(
        within: 1...1_000_000,
        help: ArgumentHelp("use the file with the nearest width, instead of --size", valueName: "pixels"))
    var width: Int?

    @Option(
        help: ArgumentHelp("template of the file names below the folder", valueName: "template"))
    var name = DownloadOptions.defaultName

    @Option(
        help: ArgumentHelp(
            "record downloads in this file (default: .imgscript/archive.sqlite in the folder)", valueName: "file"),
        completion: .file())
    var archive: String?

    @Flag(help: "record no downloads; existing files are found by name")
    var noArchive = false

    @Option(
        within: SelectionOptions.limits,
        help: ArgumentHelp("stop after this many existing files in a row", valueName: "n"))
    var abortAfter: Int?

    @Option(
        within: 0...36_500,
        help: ArgumentHelp(
            "request dead links of earlier runs again after so many days (default: 7)", valueName: "days"))
    var deadLinkAge: Int?

    @Option(
        help: ArgumentHelp(
            "modification time of files: that of the download, the server's, or when the image was created",
            valueName: "time"))
    var mtime = DownloadOptions.ModificationTime.download

    @Option(
        help: ArgumentHelp("what to do with content that exists under another name", valueName: "action"))
    var dedupe = DownloadOptions.Duplicates.keep

    @Option(
        help: ArgumentHelp(
            "what to do with pictures that look like others, by libvips: skip, link or report them", valueName: "action"
        ))
    var nearDuplicates: DownloadOptions.NearDuplicates?

    func validate() throws {
        guard size == nil || width == nil else { throw ValidationError.exclusive(["--size", "--width"]) }
        guard archive == nil || !noArchive else {
            throw ValidationError.exclusive(["--archive", "--no-archive"])
        }
        if dedupe != .keep, noArchive {
            throw ValidationError.exclusive(["--dedupe \(dedupe.rawValue)", "--no-archive"])
        }
        if let nearDuplicates, noArchive {
            throw ValidationError.exclusive(["--near-duplicates \(nearDuplicates.rawValue)", "--no-archive"])
        }
        guard archive?.isEmpty != true else { throw ValidationError("--archive: empty value (expected a file)") }
        guard !directory.isEmpty else { throw ValidationError("--directory: empty value (expected a folder)") }
        var options = DownloadOptions()
        options.name = name
        do { try options.validate() } catch { throw ValidationError("\(error)") }
    }

    /// Puts these into an engine's options.
    func apply(to options: inout DownloadOptions) {
        options.size = width.map { .width($0) } ?? .role(size ?? .original)
        options.name = name
        options.archive = noArchive ? .none : archive.map { .file($0) } ?? .inFolder
        options.stopsAfterSkips = abortAfter
        if let deadLinkAge { options.deadLinkAge = .seconds(deadLinkAge * 86_400) }
        options.duplicates = dedupe
        options.modificationTime = mtime
        options.nearDuplicates = nearDuplicates
    }
}

/// What is written beside images and into them, and how large jobs are split.
struct MetadataOptions: ParsableArguments {
    @Option(
        name: .customLong("sidecar"),
        help: ArgumentHelp(
            "write json, tags or xmp metadata beside each file: fox.jpg.json, .txt, .xmp; may be repeated",
            valueName: "format"))
    var sidecars: [SidecarChoice] = []

    @Option(help: ArgumentHelp("write credits to credits.md, credits.json or both", valueName: "files"))
    var credits = CreditChoice.all

    @Flag(help: "write title, author, licence, tags and source into the images")
    var writeMetadata = false

    @Option(help: ArgumentHelp("one file per image, or tar shards of many", valueName: "format"))
    var outputFormat = StorageFormat.files

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("size of a shard: 1GB, 500MB, or a number of images (default: 1GB)", valueName: "size")
    )
    var shardSize: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("process only part i of n of the input", valueName: "i/n"),
        transform: { text in
            do { return try InputPart(text) } catch { throw ValidationError("\(error)") }
        })
    var shard: InputPart?

    func validate() throws {
        guard let shardSize else { return }
        guard outputFormat == .webdataset else {
            throw ValidationError("--shard-size: only allowed with --output-format webdataset")
        }
        do { _ = try ShardSize(shardSize) } catch { throw ValidationError("\(error)") }
    }

    /// Puts these into an engine's options.
    func apply(to options: inout DownloadOptions) throws {
        options.writesSidecars = sidecars.contains(.json)
        options.writesTagSidecars = sidecars.contains(.tags)
        options.writesXMPSidecars = sidecars.contains(.xmp)
        options.credits = credits.files
        options.writesMetadata = writeMetadata
        options.part = shard
        guard outputFormat == .webdataset else { return }
        options.output = .shards(try shardSize.map { try ShardSize($0) } ?? .default)
    }
}

/// What is done with each file.
struct AfterwardsOptions: ParsableArguments {
    @Option(help: ArgumentHelp("convert pictures to a format, by libvips", valueName: "format"))
    var convert: PictureConversion.Format?

    @Option(
        within: 1...65_535,
        help: ArgumentHelp("scale pictures down whose longer side is longer, by libvips", valueName: "pixels"))
    var maxSide: Int?

    @Flag(help: "put the files of each collection, and of each image of several files, into a ZIP archive")
    var zip = false

    @Flag(help: "like --zip, as comic books: CBZ archives with numbered pages")
    var cbz = false

    @Option(
        name: .customLong("exec"),
        help: ArgumentHelp(
            "run a command after each file, without a shell: 'optipng {path}'", valueName: "command"),
        transform: { try Self.command($0, isForShell: false) })
    var command: FileCommand?

    @Option(
        name: .customLong("exec-shell"),
        help: ArgumentHelp("run a script of /bin/sh after each file, in which values are quoted", valueName: "script"),
        transform: { try Self.command($0, isForShell: true) })
    var script: FileCommand?

    @Option(
        name: .customLong("exec-after"),
        help: ArgumentHelp(
            "run a command once at the end, if there are new files, without a shell: 'rsync -a {folder}/ nas:foxes'",
            valueName: "command"),
        transform: { try Self.finalCommand($0) })
    var commandAfter: FileCommand?

    /// The form of the archives; nil for none.
    var bundleFormat: DownloadOptions.Bundle.Format? { zip ? .zip : cbz ? .cbz : nil }

    func validate() throws {
        guard command == nil || script == nil else { throw ValidationError.exclusive(["--exec", "--exec-shell"]) }
        guard !zip || !cbz else { throw ValidationError.exclusive(["--zip", "--cbz"]) }
    }

    /// Puts these into an engine's options; `name` is that of the archive for images that belong to no collection.
    func apply(to options: inout DownloadOptions, named name: String) {
        options.command = command ?? script
        options.finalCommand = commandAfter
        options.bundle = bundleFormat.map { DownloadOptions.Bundle($0, name: name) }
        options.conversion = PictureConversion(to: convert, maximumSide: maxSide)
    }

    private static func finalCommand(_ text: String) throws -> FileCommand {
        let command = try command(text, isForShell: false)
        if let field = command.fields.first {
            throw ValidationError(
                "invalid command \(text.quoted): found {\(field)} (expected {folder}: it runs once, not for each file)")
        }
        return command
    }

    private static func command(_ text: String, isForShell: Bool) throws -> FileCommand {
        do { return try FileCommand(text, isForShell: isForShell) } catch { throw ValidationError("\(error)") }
    }
}

/// How fast downloads go, and how progress is shown.
struct TransferOptions: ParsableArguments {
    @Option(
        name: [.customShort("j", allowingJoined: true), .long], parsing: .unconditional,
        help: ArgumentHelp("number of concurrent downloads, 1 to 1024, or auto (default: auto)", valueName: "n"),
        completion: .list(["auto"]), transform: { try JobCount($0) })
    var jobs = JobCount.automatic

    @Option(within: 1...1_024, help: ArgumentHelp("maximum number of concurrent downloads per host", valueName: "n"))
    var perHost: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("maximum total bytes per second, such as 500k; at least 1k", valueName: "rate"),
        transform: { try ByteAmount($0) })
    var maxRate: ByteAmount?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("maximum size of a file, such as 500M; at least 1k (default: 8G)", valueName: "size"),
        transform: { try ByteAmount($0) })
    var maxFile: ByteAmount?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("stop when more downloads fail: 100 or 5%; fewer are no error", valueName: "n"),
        transform: { text in
            do { return try FailureLimit(text) } catch { throw ValidationError("\(error)") }
        })
    var maxFailures: FailureLimit?

    @Option(
        name: .customLong("header"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "header line for files named by URL, such as 'Referer: https://example.org/'; may be repeated",
            valueName: "line"), transform: Self.header)
    var headers: [NamedValue] = []

    @Option(help: ArgumentHelp("progress style", valueName: "style"))
    var progress = ProgressStyle.auto

    /// Puts these into an engine's options.
    func apply(to options: inout DownloadOptions) {
        if case .fixed(let count) = jobs { options.jobs = count }
        options.jobsPerHost = perHost
        options.maximumRate = maxRate?.bytes
        options.maximumFailures = maxFailures
        options.headers = headers
        if let maxFile { options.maximumFileLength = maxFile.bytes }
    }

    /// A header line; the value, which may be a secret, is not repeated in an error.
    private static func header(_ text: String) throws -> NamedValue {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else {
            throw ValidationError("invalid header line (expected NAME: VALUE)")
        }
        let line = NamedValue(String(parts[0]), String(parts[1]).trimmingSpaces)
        guard (try? ScriptHeaders.fields([line], for: WebURL("https://example.org/"))) != nil else {
            throw ValidationError(
                "invalid header line: \(line.name) cannot be set (expected one such as Referer or User-Agent)")
        }
        return line
    }
}

extension DownloadOptions {
    /// The engine's options that these groups of options say.
    init(
        _ files: FileOptions, _ metadata: MetadataOptions, _ afterwards: AfterwardsOptions,
        _ transfers: TransferOptions,
        _ selection: SelectionOptions, named name: String
    ) throws {
        self.init()
        files.apply(to: &self)
        try metadata.apply(to: &self)
        if let format = afterwards.bundleFormat {
            let option = "--\(format.rawValue)"
            if files.noArchive { throw ValidationError.exclusive([option, "--no-archive"]) }
            if metadata.outputFormat != .files {
                throw ValidationError.exclusive([option, "--output-format webdataset"])
            }
        }
        afterwards.apply(to: &self, named: name)
        transfers.apply(to: &self)
        media = selection.narrowing.media
        computesSHA256 = transfers.progress == .json
    }
}

// MARK: - Values

extension Media.Role: OptionChoice {}

extension DownloadOptions.Duplicates: OptionChoice {}

extension DownloadOptions.ModificationTime: OptionChoice {}

extension DownloadOptions.NearDuplicates: OptionChoice {}

extension PictureConversion.Format: OptionChoice {}

/// The formats of sidecars.
enum SidecarChoice: String, Sendable, OptionChoice {
    case json, tags, xmp
}

/// The files of credits.
enum CreditChoice: String, Sendable, OptionChoice {
    case md, json, all, none

    var files: Set<CreditFormat> {
        switch self {
        case .md: [.markdown]
        case .json: [.json]
        case .all: [.markdown, .json]
        case .none: []
        }
    }
}

/// How images are stored.
enum StorageFormat: String, Sendable, OptionChoice {
    case files, webdataset
}

/// The number of concurrent downloads.
enum JobCount: Hashable, Sendable {
    case automatic
    case fixed(Int)

    /// Reads `auto` or a number; throws what is expected.
    init(_ text: String) throws {
        if text == "auto" {
            self = .automatic
        } else if let count = Int(text), (1...1_024).contains(count) {
            self = .fixed(count)
        } else {
            throw ValidationError("expected a whole number from 1 to 1024, or auto")
        }
    }
}

/// A number of bytes, or of bytes a second.
struct ByteAmount: Hashable, Sendable {
    let bytes: Int

    /// Reads `800000`, `500k`, `1.5M`, `1G`; at least a kilobyte: slower, servers close the connection.
    ///
    /// Throws what was expected.
    init(_ argument: String) throws {
        var text = argument.lowercased()
        for ending in ["/s", "b"] where text.hasSuffix(ending) { text = String(text.dropLast(ending.count)) }
        let factors: [Character: Double] = ["k": 1e3, "m": 1e6, "g": 1e9]
        let factor = text.last.flatMap { factors[$0] }
        if factor != nil { text.removeLast() }
        guard let number = Double(text), number.isFinite, (1e3...1e13).contains(number * (factor ?? 1)) else {
            throw ValidationError("expected bytes such as 800000, 500k or 2M, from 1k to 10000G")
        }
        bytes = Int(number * (factor ?? 1))
    }
}

/// How the progress of downloads is shown.
enum ProgressStyle: String, Sendable, OptionChoice {
    /// Bars on a terminal, lines elsewhere.
    case auto
    /// A bar for each active file, and one for the total.
    case bars
    /// A line for each complete file.
    case lines
    /// A JSON object for each event.
    case json
    /// Only errors and the end.
    case none
}
