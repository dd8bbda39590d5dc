import ArgumentParser
import Glibc
import ImgScript
import ProviderModel

/// Further conditions on the images of a listing.
struct NarrowingOptions: ParsableArguments {
    @Option(name: .customLong("exclude-tag"), help: ArgumentHelp("no images with this tag", valueName: "tag"))
    var excludedTags: [String] = []

    @Option(
        name: .customLong("exclude-tags-from"),
        help: ArgumentHelp(
            "no images with a tag of this file, which has one a line; may be repeated", valueName: "file"),
        completion: .file(), transform: Self.tags)
    var excludedTagLists: [[String]] = []

    @Flag(name: .customLong("no-ai"), help: "no images that their source marks as AI-generated")
    var excludesAIGenerated = false

    @Option(
        help: ArgumentHelp("only images created then or later: 2026-05-01, or 7d for the last week", valueName: "date"),
        transform: Self.date)
    var since: FilterDate?

    @Option(
        help: ArgumentHelp("only images created then or earlier: 2026, 2026-05, 12h, 2w, 1y", valueName: "date"),
        transform: Self.date)
    var until: FilterDate?

    @Option(
        help: ArgumentHelp(
            "only images of this shape: landscape, portrait, square, 16:9 or 4:3..16:9", valueName: "shape"),
        completion: .list(AspectRatio.names), transform: Self.shape)
    var aspect: AspectRatio?

    @Option(
        help: ArgumentHelp("only images of at least this many pixels: 2000000, 500k or 2M", valueName: "n"),
        transform: Self.pixels)
    var minPixels: Int?

    @Option(
        name: .customLong("media-format"),
        help: ArgumentHelp("only images in one of these file formats: jpeg,png", valueName: "formats"),
        completion: .list(Self.formats), transform: Self.mediaFormats)
    var mediaFormats: [[String]] = []

    @Option(
        help: ArgumentHelp(
            "kinds of files: image, animation, video, audio, or all (default: image,animation)", valueName: "kinds"),
        completion: .list(Media.Kind.allCases.map(\.rawValue) + ["all"]), transform: Self.kinds)
    var media: Set<Media.Kind> = Media.pictures

    @Option(
        name: .customLong("filter"),
        help: ArgumentHelp(
            "only images for which an expression is true: 'width >= 2000 and title contains \"cat\"'",
            valueName: "expression"),
        transform: { try FilterExpression($0) })
    var expression: FilterExpression?

    func validate() throws {
        if excludedTags.contains("") { throw ValidationError("--exclude-tag: empty value (expected a tag)") }
    }

    /// Puts these conditions into a filter.
    func apply(to filter: inout ItemFilter) {
        filter.excludedTags = excludedTags + excludedTagLists.flatMap(\.self)
        filter.excludesAIGenerated = excludesAIGenerated
        filter.since = since
        filter.until = until
        filter.aspect = aspect
        filter.minimumPixels = minPixels
        filter.mediaFormats = mediaFormats.flatMap(\.self)
        filter.expression = expression
        filter.kinds = media
    }

    /// The given options whose conditions need facts about an image, as they are typed.
    var conditions: [String] {
        let given = [
            ("--exclude-tag", !excludedTags.isEmpty), ("--exclude-tags-from", !excludedTagLists.isEmpty),
            ("--no-ai", excludesAIGenerated), ("--since", since != nil),
            ("--until", until != nil), ("--aspect", aspect != nil), ("--min-pixels", minPixels != nil),
            ("--media-format", !mediaFormats.isEmpty), ("--filter", expression != nil),
        ]
        return given.filter(\.1).map(\.0)
    }

    private static let formats = MediaFormat.allCases.map(\.rawValue)

    /// The tags of a file, without empty lines and comments.
    private static func tags(_ path: String) throws -> [String] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        guard descriptor >= 0, let bytes = descriptor.readToEnd(limit: 16 << 20) else {
            throw ValidationError(String(cString: strerror(errno)))
        }
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map(\.trimmingSpaces)
            .filter { !$0.isEmpty && !$0.hasPrefix("#") }
    }

    private static func date(_ text: String) throws -> FilterDate {
        guard let date = FilterDate(text) else {
            throw ValidationError("expected a date such as 2026-05-01, or a time span such as 12h, 7d, 2w, 1y")
        }
        return date
    }

    private static func shape(_ text: String) throws -> AspectRatio {
        guard let shape = AspectRatio(text) else {
            let nearest = text.nearest(among: AspectRatio.names).map { "\"\($0)\"?; " } ?? ""
            throw ValidationError("\(nearest)expected landscape, portrait, square, a ratio such as 16:9, or 4:3..16:9")
        }
        return shape
    }

    private static func pixels(_ text: String) throws -> Int {
        let units: [Character: Int] = ["k": 1_000, "M": 1_000_000]
        let unit = text.last.flatMap { units[$0] }
        guard let count = Int(unit == nil ? text : String(text.dropLast())), (1...1_000_000_000).contains(count) else {
            throw ValidationError("expected a number of pixels such as 2000000, 500k or 2M")
        }
        return count * (unit ?? 1)
    }

    private static func kinds(_ text: String) throws -> Set<Media.Kind> {
        let names = Media.Kind.allCases.map(\.rawValue)
        if text == "all" { return Set(Media.Kind.allCases) }
        return try Set(
            text.split(separator: ",", omittingEmptySubsequences: false).map { part in
                let name = part.trimmingSpaces
                guard let kind = Media.Kind(rawValue: name) else {
                    let expected = names.joined(separator: ", ")
                    throw ValidationError(
                        "unknown kind of file \(name.quoted)\(name.suggestion(among: names, expected: expected))")
                }
                return kind
            })
    }

    private static func mediaFormats(_ text: String) throws -> [String] {
        try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            let name = part.trimmingSpaces
            guard let format = MediaFormat(named: name) else {
                let nearest = name.suggestion(among: formats, expected: formats.joined(separator: ", "))
                throw ValidationError("unknown media format \(name.quoted)\(nearest)")
            }
            return format.rawValue
        }
    }
}
