import Downloads
import Hummingbird
import ProviderModel

/// A file of the library as it is looked at.
struct LibraryPicture {
    let path: String
    let library: DownloadLibrary

    init(path: String, in library: DownloadLibrary) {
        self.path = path
        self.library = library
    }

    /// The longest side of a small copy, and files that are so small that they are no longer made smaller.
    private static let side = 640
    private static let smallFile = 100 << 10

    /// The file itself.
    func response(to request: Request, _ download: String?) throws -> Response {
        guard let file = try library.file(at: path), let opened = try library.open(path) else {
            throw APIError.notFound("the file is not there any more")
        }
        let format = file.format?.rawValue ?? ""
        if let type = FilmResponse.types[format] {
            return try FilmResponse(request, download).response(of: opened.content, type)
        }
        guard PictureRoutes.formats.contains(format) else {
            throw APIError(.unsupportedMediaType, "unsupportedType", "\(path) is not shown")
        }
        try PictureRoutes.checkSize(file.size?.width, file.size?.height)
        guard opened.content.count <= PictureRoutes.byteLimit else {
            throw APIError(.contentTooLarge, "tooLarge", "\(path) has \(opened.content.count) bytes")
        }
        let bytes = try opened.content.bytes(at: 0, count: opened.content.count)
        return PictureRoutes.response(to: bytes, "image/\(format)", named: download, format)
    }

    /// A small copy; the file itself where it is small, or cannot be scaled.
    func thumbnail(_ request: Request, _ context: GalleryContext) async throws -> Response {
        guard let opened = try library.open(path), opened.content.count > Self.smallFile,
            let bytes = try await context.untilDisconnect({ try await library.thumbnail(path, side: Self.side) })
        else { return try response(to: request, nil) }
        let type = bytes.first == 0xff ? "image/jpeg" : "image/webp"
        return PictureRoutes.response(to: bytes, type, named: nil, "")
    }
}
