import ArgumentParser
import ImgScript

/// Which files are downloaded, where they go and what they are called.
struct FileOptions: ParsableArguments {
    @Option(
        name: [.customShort("d"), .long],
        help: ArgumentHelp("The folder for the files.", valueName: "folder"))
    var directory = "."

    @Option(
        help: ArgumentHelp("The size that is wanted, or the nearest there is. (default: original)", valueName: "size"))
    var size: Media.Role?

    @Option(
        within: 1...1_000_000,
        help: ArgumentHelp("The file whose width is nearest to this, in place of --size.", valueName: "pixels"))
    var width: Int?

    @Option(
        help: ArgumentHelp(
            "A template of the files' names below the folder.", valueName: "template"))
    var name = DownloadOptions.defaultName

    @Option(
        help: ArgumentHelp(
            "Note in this file what was fetched. (default: .imgscript/archive.sqlite in the folder)", valueName: "file")
    )
    var archive: String?

    @Flag(help: "Note nothing; what is there is found by its name.")
    var noArchive = false

    @Option(
        within: SelectionOptions.limits,
        help: ArgumentHelp("End after so many files in a row that were there already.", valueName: "n"))
    var abortAfter: Int?

    @Option(
        help: ArgumentHelp("What to do with content that is there under another name.", valueName: "way"))
    var dedupe = DownloadOptions.Duplicates.keep

    func validate() throws {
        guard size == nil || width == nil else { throw ValidationError("--size and --width exclude each other.") }
        guard archive == nil || !noArchive else {
            throw ValidationError("--archive and --no-archive exclude each other.")
        }
        if dedupe != .keep, noArchive {
            throw ValidationError(
                "--dedupe \(dedupe.rawValue) needs the archive to know content by; go without --no-archive.")
        }
        guard archive?.isEmpty != true else { throw ValidationError("--archive is empty, expected a file.") }
        guard !directory.isEmpty else { throw ValidationError("--directory is empty, expected a folder.") }
        var options = DownloadOptions()
        options.name = name
        do { try options.validate() } catch { throw ValidationError("\(error).") }
    }

    /// Puts these into an engine's options.
    func apply(to options: inout DownloadOptions) {
        options.size = width.map { .width($0) } ?? .role(size ?? .original)
        options.name = name
        options.archive = noArchive ? .none : archive.map { .file($0) } ?? .inFolder
        options.stopsAfterSkips = abortAfter
        options.duplicates = dedupe
    }
}

extension Media.Role: OptionChoice {}

extension DownloadOptions.Duplicates: OptionChoice {}
