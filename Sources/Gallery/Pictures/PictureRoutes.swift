import Crypto
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
        let image = try await image(of: target, context)
        guard Self.formats.contains(image.format) else {
            throw APIError(
                .unsupportedMediaType, "unsupportedType",
                "\(image.format) is not shown (expected \(Self.formats.sorted().joined(separator: ", ")))")
        }
        if let width = image.width, let height = image.height,
            width.multipliedReportingOverflow(by: height).partialValue > Self.pixelLimit
                || width > 100_000 || height > 100_000
        {
            throw APIError(
                .contentTooLarge, "tooManyPixels",
                "the picture has \(width) × \(height) pixels (expected at most \(Self.pixelLimit))")
        }
        var headers = Self.cacheHeaders(tag)
        headers[.contentType] = image.contentType
        headers[.contentDisposition] = download.map { Self.attachment($0, image.format) } ?? "inline"
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: image.bytes)))
    }

    private func image(of target: PictureAddresses.Target, _ context: GalleryContext) async throws -> ImageData {
        var media = target.media
        // Files that are kept have to be what was listed; what is only looked at may be smaller.
        if !isSample { (media.width, media.height) = (nil, nil) }
        return try await context.untilDisconnect { [media] in
            do {
                return try await engine.images.data(for: media, of: target.provider, upTo: Self.byteLimit)
            } catch { throw APIError(error) }
        }
    }

    private static func cacheHeaders(_ tag: String) -> HTTPFields {
        [.cacheControl: "private, max-age=86400, immutable", .eTag: tag]
    }

    /// The header that has a browser save the picture under a name, with the ending of its format.
    private static func attachment(_ name: String, _ format: String) -> String {
        let ending = format == "jpeg" ? "jpg" : format
        let isNamed = name.lowercased().hasSuffix(".\(ending)") || name.lowercased().hasSuffix(".\(format)")
        let stem = String((name.isEmpty ? "image" : name).prefix(120))
        return "attachment; filename*=UTF-8''\(PercentEncoding.encode(isNamed ? stem : "\(stem).\(ending)"))"
    }
}
