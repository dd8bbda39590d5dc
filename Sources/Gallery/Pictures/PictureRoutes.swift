import Crypto
import Downloads
import Hummingbird
import ImgScript
import ProviderModel

/// Serves pictures that came out of listings, through the engine's cache, hosts and checks.
struct PictureRoutes: Sendable {
    /// The most bytes of a picture.
    static let byteLimit = 64 << 20
    /// The most pixels of a picture: more would fill the memory of whoever shows it.
    static let pixelLimit = 200_000_000
    /// What is shown, as the bytes themselves say, whatever the source calls it.
    ///
    /// SVG is a document with scripts.
    static let formats: Set = ["jpeg", "png", "gif", "webp", "avif"]

    let engine: ImageEngine
    let addresses: PictureAddresses
    let library: DownloadLibrary
    /// Whether there are no files, as of samples.
    let isSample: Bool

    func picture(_ request: Request, _ context: GalleryContext) async throws -> Response {
        let query = try QueryParameters(request)
        try query.check(["download"])
        let download = try query.value("download")
        let name = context.parameters.get("name") ?? ""
        guard let target = addresses.target(of: name) else { throw APIError.notFound("no such picture") }
        // Addresses hold as long as the process, and a file's URL stands for its content.
        let tag = "\"\(SHA256.hash(data: Array(name.utf8)).prefix(8).hexadecimal)\""
        if request.headers[values: .ifNoneMatch].contains(where: { $0.contains(tag) }) {
            return Response(status: .notModified, headers: Self.cacheHeaders(tag))
        }
        var response: Response
        switch target {
        case .picture(let media, let provider):
            response = try Self.response(to: try await image(media, of: provider, context), download)
        case .film(let media, let provider):
            guard !isSample else { throw APIError.notFound("there are no films of samples") }
            response = try await FilmResponse(request, download).response(of: media, from: provider, engine, context)
        case .file(let path): response = try LibraryPicture(path: path, in: library).response(to: request, download)
        case .thumbnail(let path):
            response = try await LibraryPicture(path: path, in: library).thumbnail(request, context)
        }
        response.headers.append(contentsOf: Self.cacheHeaders(tag))
        return response
    }

    private static func response(to image: ImageData, _ download: String?) throws(APIError) -> Response {
        guard formats.contains(image.format) else {
            throw APIError(
                .unsupportedMediaType, "unsupportedType",
                "\(image.format) is not shown (expected \(formats.sorted().joined(separator: ", ")))")
        }
        try checkSize(image.width, image.height)
        return response(to: image.bytes, image.contentType, named: download, image.format)
    }

    /// Throws where a picture has more pixels than may be shown.
    static func checkSize(_ width: Int?, _ height: Int?) throws(APIError) {
        guard let width, let height,
            width.multipliedReportingOverflow(by: height).partialValue > pixelLimit || max(width, height) > 100_000
        else { return }
        throw APIError(
            .contentTooLarge, "tooManyPixels",
            "the picture has \(width) × \(height) pixels (expected at most \(pixelLimit))")
    }

    /// A picture, to be looked at or saved.
    static func response(to bytes: [UInt8], _ type: String, named download: String?, _ format: String) -> Response {
        let headers: HTTPFields = [
            .contentType: type, .contentDisposition: download.map { attachment($0, format) } ?? "inline",
        ]
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    private func image(
        _ media: Media, of provider: ProviderID, _ context: GalleryContext
    ) async throws -> ImageData {
        var media = media
        // Files that are kept have to be what was listed; what is only looked at may be smaller.
        if !isSample { (media.width, media.height) = (nil, nil) }
        return try await context.untilDisconnect { [media] in
            do {
                return try await engine.images.data(for: media, of: provider, upTo: Self.byteLimit)
            } catch { throw APIError(error) }
        }
    }

    private static func cacheHeaders(_ tag: String) -> HTTPFields {
        [.cacheControl: "private, max-age=86400, immutable", .eTag: tag]
    }

    /// The header that has a browser save the picture under a name, with the ending of its format.
    static func attachment(_ name: String, _ format: String) -> String {
        let ending = format == "jpeg" ? "jpg" : format
        let isNamed = name.lowercased().hasSuffix(".\(ending)") || name.lowercased().hasSuffix(".\(format)")
        let stem = String((name.isEmpty ? "image" : name).prefix(120))
        return "attachment; filename*=UTF-8''\(PercentEncoding.encode(isNamed ? stem : "\(stem).\(ending)"))"
    }
}
