import ArgumentParser
import ImgScript

/// What is written beside images and into them, and how large jobs are cut.
struct BesideOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Write all that the source says beside each file: fox.jpg.json.", valueName: "format"))
    var sidecar: SidecarFormat?

    @Option(help: ArgumentHelp("Write whose the images are into credits.md, credits.json or both.", valueName: "files"))
    var credits = CreditChoice.all

    @Flag(help: "Write title, author, licence and source into the images themselves.")
    var writeMetadata = false

    @Option(help: ArgumentHelp("One file for each image, or tar shards of many.", valueName: "format"))
    var outputFormat = OutputShape.files

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("When a shard is full: 1GB, 500MB, or a number of images. (default: 1GB)", valueName: "size")
    )
    var shardSize: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Take one of N fixed parts of the input, so that N runs share it.", valueName: "i/n"),
        transform: { text in
            do { return try InputPart(text) } catch { throw ValidationError("\(error)") }
        })
    var shard: InputPart?

    func validate() throws {
        guard let shardSize else { return }
        guard outputFormat == .webdataset else {
            throw ValidationError("--shard-size needs --output-format webdataset.")
        }
        do { _ = try ShardSize(shardSize) } catch { throw ValidationError("\(error).") }
    }

    /// Puts these into an engine's options.
    func apply(to options: inout DownloadOptions) throws {
        options.writesSidecars = sidecar != nil
        options.credits = credits.files
        options.writesMetadata = writeMetadata
        options.part = shard
        guard outputFormat == .webdataset else { return }
        options.output = .shards(try shardSize.map { try ShardSize($0) } ?? .default)
    }
}

/// The shapes of sidecars.
enum SidecarFormat: String, Sendable, OptionChoice {
    case json
}

/// Which credits are kept.
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

/// The shape that images come in.
enum OutputShape: String, Sendable, OptionChoice {
    case files, webdataset
}
