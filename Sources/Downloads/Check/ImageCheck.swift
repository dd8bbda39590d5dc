import ProviderModel

/// The result of checking a complete file.
package struct ImageCheck: Hashable, Sendable {
    /// Its format.
    package var format: MediaFormat
    /// Its size, if its header has it.
    package var size: ImageSize?
    /// Differences from the listing that are no errors.
    package var notes: [String] = []

    /// Evidence that a file is as long as its server meant it to be.
    package enum Length: Sendable {
        /// As long as was announced, or ended by the server's own mark.
        case confirmed
        /// The connection was closed, for whatever reason.
        case unknown
    }

    /// Checks a file.
    ///
    /// - Throws: `.content` when it is not the listed image, `.damaged` when a part is missing or no decoder would take it.
    package init(
        _ content: some FileContent, of media: Media, kinds: Set<Media.Kind> = Media.pictures,
        length: Length = .confirmed
    ) throws(DownloadError) {
        format = try Self.format(of: ImageSignature(of: content), content, media, kinds)
        let layout = try ImageLayout(of: content, as: format)
        size = layout.size
        switch layout.end {
        case .whole(let note): if let note { notes.append(note) }
        case .unmarked(let note) where length == .confirmed: notes.append(note)
        case .unmarked, .cut:
            let message =
                "\(media.url.origin) sent a \(format.rawValue) file that ends after \(content.count) bytes "
                + "(expected a complete file)"
            throw DownloadError(.damaged, message)
        case .invalid(let reason):
            let message =
                "\(media.url.origin) sent a \(format.rawValue) file that cannot be shown: \(reason) "
                + "(expected a valid file)"
            throw DownloadError(.damaged, message)
        }
        if let listed = media.format.flatMap({ MediaFormat(named: $0) }), listed != format {
            notes.append("is \(format.rawValue), listed as \(listed.rawValue)")
        }
        if let bytes = media.bytes, bytes != content.count {
            notes.append("has \(content.count) bytes, listed as \(bytes)")
        }
        // A drawing has no pixels of its own.
        guard let size, format != .svg else { return }
        switch SizeJudgement(found: size, media: media) {
        case .fits: break
        case .differs(let listed): notes.append("is \(size), listed as \(listed)")
        case .placeholder(let expected):
            throw DownloadError(
                .content,
                "\(media.url.origin) sent an image of \(size) pixels, expected \(expected): "
                    + "a placeholder instead of the image (\(media.url))"
            )
        }
    }

    private static func format(
        of signature: ImageSignature, _ content: some FileContent, _ media: Media, _ kinds: Set<Media.Kind>
    ) throws(DownloadError) -> MediaFormat {
        let found: String
        switch signature {
        case .media(let format):
            if isAdmitted(format, media, kinds) { return format }
            if format.kind == .video || format.kind == .audio {
                let message =
                    "\(media.url.origin) answered with \(format.words) (expected \(kinds.words)) (\(media.url))"
                throw DownloadError(.mediaKind, message)
            }
            found = format.words
        case .webPage(let title): found = "a web page" + (title.map { " (\($0.quoted))" } ?? "")
        case .json(let text): found = "JSON (\(text.quoted))"
        case .text(let text): found = "text (\(text.quoted))"
        case .other(let words): found = words
        case .empty: found = "nothing"
        case .unknown:
            let start = try content.bytes(at: 0, count: 8).map { [$0].hexadecimal }
            found = "a file in an unknown format (begins with the bytes \(start.joined(separator: " ")))"
        }
        throw DownloadError(
            .content,
            "\(media.url.origin) answered with \(found) instead of \(media.kind.words); "
                + "it may require a login, or block this client (\(media.url))"
        )
    }

    /// Whether a format may come for a file; an archive only where it is one of frames.
    private static func isAdmitted(_ format: MediaFormat, _ media: Media, _ kinds: Set<Media.Kind>) -> Bool {
        switch format.kind {
        case .image: media.kind == .image || media.kind == .animation
        case .animation: media.kind == .animation
        case .video, .audio: kinds.contains(format.kind)
        }
    }
}

extension MediaFormat {
    fileprivate var words: String {
        self == .zip ? "a ZIP archive" : kind == .image ? "an image (\(rawValue))" : kind.words
    }
}

extension Media.Kind {
    fileprivate var words: String {
        switch self {
        case .image: "an image"
        case .animation: "an animation"
        case .video: "a video"
        case .audio: "audio"
        }
    }
}

/// How an image's size relates to the listed one.
enum SizeJudgement: Hashable {
    case fits
    /// Another size than listed; with the listed one.
    case differs(ImageSize)
    /// So different that it is another image; with what was expected.
    case placeholder(String)

    init(found: ImageSize, media: borrowing Media) {
        guard let width = media.width, let height = media.height, width > 0, height > 0 else {
            // Tracking pixels and "image removed" dots.
            self = found.width <= 2 && found.height <= 2 ? .placeholder("a picture") : .fits
            return
        }
        let listed = ImageSize(width: width, height: height)
        let turned = listed.turned  // a camera held upright
        if found == listed || found == turned {
            self = .fits
            return
        }
        let longer = Double(max(found.width, found.height)) / Double(max(width, height))
        let shape = min(Self.difference(found, listed), Self.difference(found, turned))
        let isTiny = found.width <= 2 && found.height <= 2
        // A source may list the size of the original beside a file that was scaled: that is the image still.
        let isSomethingElse = longer < 0.5 && shape > 0.1
        self = isTiny || isSomethingElse ? .placeholder("\(listed) as listed") : .differs(listed)
    }

    /// How far a size differs from a listed one that was scaled to its longer side, as a part of its shorter side.
    private static func difference(_ found: ImageSize, _ listed: ImageSize) -> Double {
        let (width, height) = (Double(found.width), Double(found.height))
        let (listedWidth, listedHeight) = (Double(listed.width), Double(listed.height))
        let (shorter, expected) =
            width >= height
            ? (height, width * listedHeight / listedWidth) : (width, height * listedWidth / listedHeight)
        // Sizes are whole pixels, some rounded up and some down.
        return max(abs(shorter - expected) - 1, 0) / shorter
    }
}
