/// A kind of image file.
package enum ImageFormat: String, Sendable, CaseIterable {
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

    /// Reads a name or a file's ending: `jpeg`, `JPG`, `image/svg+xml`.
    package init?(named text: String) {
        var name = text.lowercased()
        if name.hasPrefix("image/") { name = String(name.dropFirst(6)) }
        switch name {
        case "jpg", "jpe", "jfif", "pjpeg": self = .jpeg
        case "tif": self = .tiff
        case "heif": self = .heic
        case "svg+xml": self = .svg
        case "x-icon", "vnd.microsoft.icon": self = .ico
        case "x-ms-bmp": self = .bmp
        case "apng": self = .png
        default:
            guard let format = ImageFormat(rawValue: name) else { return nil }
            self = format
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
