/// The format of a file.
package enum MediaFormat: String, Sendable, CaseIterable {
    case jpeg
    case png
    case gif
    case webp
    case avif
    case heic
    case jxl
    case tiff
    case bmp
    case svg
    case ico
    /// The frames of an animation as single images.
    case zip
    case mp4
    case mov
    case webm
    case mkv
    case ogv
    case mp3
    case m4a
    case ogg
    case flac
    case wav

    /// Reads a name or a file's ending: `jpeg`, `JPG`, `image/svg+xml`, `video/mp4`.
    package init?(named text: String) {
        var name = text.lowercased()
        for prefix in ["image/", "video/", "audio/", "application/"] where name.hasPrefix(prefix) {
            name = String(name.dropFirst(prefix.count))
        }
        if let alias = Self.aliases[name] {
            self = alias
        } else if let format = MediaFormat(rawValue: name) {
            self = format
        } else {
            return nil
        }
    }

    private static let aliases: [String: MediaFormat] = [
        "jpg": .jpeg, "jpe": .jpeg, "jfif": .jpeg, "pjpeg": .jpeg, "tif": .tiff, "heif": .heic, "svg+xml": .svg,
        "x-icon": .ico, "vnd.microsoft.icon": .ico, "x-ms-bmp": .bmp, "apng": .png, "m4v": .mp4, "quicktime": .mov,
        "x-matroska": .mkv, "mpeg3": .mp3, "oga": .ogg, "opus": .ogg, "x-wav": .wav, "x-flac": .flac,
    ]

    /// What files of this format hold.
    package var kind: Media.Kind {
        switch self {
        case .jpeg, .png, .gif, .webp, .avif, .heic, .jxl, .tiff, .bmp, .svg, .ico: .image
        case .zip: .animation
        case .mp4, .mov, .webm, .mkv, .ogv: .video
        case .mp3, .m4a, .ogg, .flac, .wav: .audio
        }
    }

    /// The ending of file names.
    package var fileEnding: String {
        switch self {
        case .jpeg: "jpg"
        case .tiff: "tif"
        default: rawValue
        }
    }
}
