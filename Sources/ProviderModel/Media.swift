/// One file of an item.
public struct Media: Hashable, Sendable {
    /// How a file relates to the original, from the largest to the smallest.
    public enum Role: String, Sendable, CaseIterable {
        case original
        case large
        case regular
        case small
        case thumbnail
    }

    /// What a file holds.
    public enum Kind: String, Sendable, CaseIterable {
        /// A picture, moving ones such as GIF among them.
        case image
        /// A picture that moves; an archive of its frames, too.
        case animation
        case video
        case audio
    }

    /// One image of an animation whose file is an archive of images.
    public struct Frame: Hashable, Sendable {
        /// The image's name in the archive.
        public var file: String
        /// How long it is shown, in milliseconds.
        public var delay: Int

        /// Creates a frame.
        ///
        /// - Parameters:
        ///   - file: the image's name in the archive.
        ///   - delay: how long it is shown, in milliseconds.
        public init(file: String, delay: Int) {
            self.file = file
            self.delay = delay
        }
    }

    /// How the file relates to the original.
    public var role: Role
    /// The URL of its bytes.
    public var url: WebURL
    /// Which of the item's files it is a size of, from 1; nil for the first, or where there is one.
    public var file: Int?
    /// What it holds, where its format and the end of its URL do not say it.
    public var type: Kind?
    /// The frames of an archive of images, in order.
    public var frames: [Frame] = []
    /// The width in pixels, if known.
    public var width: Int?
    /// The height in pixels, if known.
    public var height: Int?
    /// The length in bytes, if known.
    public var bytes: Int?
    /// The file format in one word, if known: `jpeg`, `png`, `webp`, `gif`.
    public var format: String?
    /// When the URL expires: an ISO 8601 date and time.
    public var expires: String?
    /// Whether the source has put a watermark on it.
    public var isWatermarked: Bool?
    /// Header lines that the file's server requires, such as `Referer`.
    public var headers: [NamedValue] = []

    /// Creates a file without size or format.
    ///
    /// - Parameters:
    ///   - role: how the file relates to the original.
    ///   - url: the URL of its bytes.
    public init(role: Role, url: WebURL) {
        self.role = role
        self.url = url
    }
}

extension Media {
    /// The kinds that are listed and downloaded unless others are asked for: whatever is a picture.
    public static let pictures: Set<Kind> = [.image, .animation]

    /// What it holds: as the source says, else by its format or the end of its URL, else an image.
    public var kind: Kind {
        if let type { return type }
        if !frames.isEmpty { return .animation }
        let format = format.flatMap { MediaFormat(named: $0) } ?? url.fileEnding.flatMap { MediaFormat(named: $0) }
        // An archive is one of frames only where the source says so.
        guard let format, format != .zip else { return .image }
        return format.kind
    }
}

/// A name with its value: one header line, one query pair, one form field.
public struct NamedValue: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The value.
    public var value: String

    /// Creates a pair.
    ///
    /// - Parameters:
    ///   - name: the name, not encoded.
    ///   - value: the value, not encoded.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
