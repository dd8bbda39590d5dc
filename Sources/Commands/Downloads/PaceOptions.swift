import ArgumentParser
import ImgScript

/// How fast downloads go, and what is seen of them.
struct PaceOptions: ParsableArguments {
    @Option(
        name: [.customShort("j", allowingJoined: true), .long], parsing: .unconditional,
        help: ArgumentHelp("How many files at a time, 1 to 1024, or “auto”. (default: auto)", valueName: "n"),
        transform: { try JobCount($0) })
    var jobs = JobCount.automatic

    @Option(within: 1...1_024, help: ArgumentHelp("The most files from one host at a time.", valueName: "n"))
    var perHost: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The most bytes a second, such as 500k; at least 1k.", valueName: "rate"),
        transform: { try ByteAmount($0) })
    var maxRate: ByteAmount?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The most bytes of one file, such as 500M; at least 1k. (default: 8G)", valueName: "size"),
        transform: { try ByteAmount($0) })
    var maxFile: ByteAmount?

    @Option(help: ArgumentHelp("What is seen while it runs.", valueName: "way"))
    var progress = ProgressWay.auto

    /// Puts these into an engine's options.
    func apply(to options: inout DownloadOptions) {
        if case .fixed(let count) = jobs { options.jobs = count }
        options.jobsPerHost = perHost
        options.maximumRate = maxRate?.bytes
        if let maxFile { options.maximumFileLength = maxFile.bytes }
    }
}

/// How many files are fetched at a time.
enum JobCount: Hashable, Sendable {
    case automatic
    case fixed(Int)

    /// Reads `auto` or a number; throws what was expected.
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

/// So many bytes, or so many a second.
struct ByteAmount: Hashable, Sendable {
    let bytes: Int

    /// Reads `800000`, `500k`, `1.5M`, `1G`; at least a kilobyte: slower, servers lose patience.
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

/// What is seen of downloads while they run.
enum ProgressWay: String, Sendable, OptionChoice {
    /// Bars on a terminal, lines elsewhere.
    case auto
    /// A bar for each file under way, and one for all.
    case bars
    /// A line for each file that is there.
    case lines
    /// A JSON object for each thing that happens.
    case json
    /// Nothing but the end.
    case none
}
