import Downloads
import HTTPTransport
import ProviderModel
import ProviderRuntime

/// Loads image files into memory: through the engine's cache, from the provider's media hosts, checked to be images.
///
/// ```swift
/// for try await image in engine.search("red fox", in: ["openverse"]) {
///     let preview = try await engine.images.thumbnail(of: image, width: 320)
///     print(image.id, preview.contentType, preview.bytes.count)
/// }
/// ```
///
/// Samples have no files: a gradient of its own stands for each. It is meant for files that are shown, such as thumbnails; ``ImageEngine/download(_:to:options:context:)`` stores files.
public struct ImageLoader: Sendable {
    private let transport: any Transport
    private let providers: LoadedProviders
    private let isSample: Bool

    /// A loader; samples, whose files do not exist, have gradients in their place.
    init(transport: any Transport, providers: LoadedProviders, isSample: Bool) {
        self.transport = transport
        self.providers = providers
        self.isSample = isSample
    }

    /// Loads a file of an item.
    ///
    /// - Parameters:
    ///   - media: one of the item's files.
    ///   - item: the item.
    ///   - limit: the maximum length in bytes, decompressed.
    ///   - context: the name in logs and the receiver of notices.
    /// - Returns: the file's bytes, format and size.
    /// - Throws: ``EngineError`` with the code `status`, `notAnImage` or `damaged` when the response is not an intact image;
    ///   `TransportError`, such as `refusedHost` for a host that the provider does not list, `privateAddress` or `tooLarge`;
    ///   `ProviderError` when the provider cannot be loaded; `CancellationError` when the task is cancelled.
    public func data(
        for media: Media, of item: Item, upTo limit: Int = 20 << 20, context: EngineContext = EngineContext()
    ) async throws -> ImageData {
        try await data(for: media, of: item.provider, upTo: limit, context: context)
    }

    /// Loads a file that a provider has listed.
    ///
    /// - Parameters:
    ///   - media: the file.
    ///   - provider: the id of the provider that listed it.
    ///   - limit: the maximum length in bytes, decompressed.
    ///   - context: the name in logs and the receiver of notices.
    /// - Returns: the file's bytes, format and size.
    /// - Throws: as ``data(for:of:upTo:context:)-(_,Item,_,_)`` does.
    public func data(
        for media: Media, of provider: ProviderID, upTo limit: Int = 20 << 20,
        context: EngineContext = EngineContext()
    ) async throws -> ImageData {
        try await context.run { try await load(media, of: provider, upTo: limit) }
    }

    /// Loads the smallest file of an item that is at least `width` pixels wide.
    ///
    /// Where no file is known to be, it is the one with the role `thumbnail` or `small`, else the widest.
    ///
    /// - Parameters:
    ///   - item: an image.
    ///   - width: the minimum width in pixels.
    ///   - limit: the maximum length in bytes, decompressed.
    ///   - context: the name in logs and the receiver of notices.
    /// - Returns: the file's bytes, format and size.
    /// - Throws: as ``data(for:of:upTo:context:)-(_,Item,_,_)`` does; `notAnImage` also for an item without files.
    public func thumbnail(
        of item: Item, width: Int = 300, upTo limit: Int = 5 << 20, context: EngineContext = EngineContext()
    ) async throws -> ImageData {
        let pictures = item.files.first?.filter { $0.kind == .image } ?? []
        let known = pictures.filter { $0.width != nil }.sorted { $0.width ?? 0 < $1.width ?? 0 }
        let bySize = known.first { $0.width ?? 0 >= width }
        let byRole = pictures.first { $0.role == .thumbnail } ?? pictures.first { $0.role == .small }
        guard var media = bySize ?? byRole ?? known.last ?? pictures.first else {
            throw EngineError(.notAnImage, provider: item.provider, message: "\(item.id) has no image file")
        }
        // Files that are kept have to be what was listed; what is only looked at may be smaller.
        if !isSample { (media.width, media.height) = (nil, nil) }
        return try await data(for: media, of: item, upTo: limit, context: context)
    }

    /// Loads a picture of an item for looking at, in a format that every viewer shows: JPEG, PNG, GIF or WebP.
    ///
    /// Scaling and converting take the program of libvips; without it the file is returned as it is, where it is small enough.
    ///
    /// - Parameters:
    ///   - item: an image.
    ///   - side: the maximum length of the longer side in pixels.
    ///   - context: the name in logs and the receiver of notices.
    /// - Returns: the picture's bytes, format and size.
    /// - Throws: as ``thumbnail(of:width:upTo:context:)`` does; ``EngineError`` with the code `notAnImage` for a picture that
    ///   cannot be scaled or converted.
    public func picture(
        of item: Item, within side: Int, context: EngineContext = EngineContext()
    ) async throws -> ImageData {
        let data = try await thumbnail(of: item, width: side, upTo: 20 << 20, context: context)
        let isShown = ["jpeg", "png", "gif", "webp"].contains(data.format)
        let isSmall = max(data.width ?? .max, data.height ?? .max) <= side && data.bytes.count <= 1 << 20
        guard !isShown || !isSmall else { return data }
        func refusal(_ reason: String) -> EngineError {
            EngineError(.notAnImage, provider: item.provider, message: "\(item.id) cannot be scaled: \(reason)")
        }
        guard MediaFormat(rawValue: data.format).map(PictureProgram.readable.contains) == true else {
            throw refusal("\(data.format) is not converted")
        }
        do {
            let isTransparent = ["png", "gif", "webp"].contains(data.format)
            let bytes = try await PictureProgram().scaled(data.bytes, within: side, isTransparent: isTransparent)
            let file = Media(role: .original, url: item.media[0].url)
            let size = try ImageCheck(BytesContent(bytes), of: file, kinds: [.image]).size
            return ImageData(
                bytes: bytes, format: isTransparent ? "png" : "jpeg", width: size?.width, height: size?.height)
        } catch let error as PictureProgram.Failure {
            throw refusal(error.reason)
        } catch let error as DownloadError {
            if isShown, data.bytes.count <= 1 << 20 { return data }
            throw refusal(error.message)
        }
    }

    /// Loads a part of a file of any kind that a provider has listed, such as a film: the source's own answer, whatever its status.
    ///
    /// - Parameters:
    ///   - media: the file.
    ///   - provider: the id of the provider that listed it.
    ///   - range: the part, as the field `Range` has it; nil for all of it.
    ///   - limit: the maximum length in bytes.
    ///   - context: the name in logs and the receiver of notices.
    /// - Returns: the answer: 206 for the part, or 200 for the whole file by a server without ranges.
    /// - Throws: `TransportError`; `ProviderError` when the provider cannot be loaded.
    package func part(
        of media: Media, from provider: ProviderID, range: String?, upTo limit: Int,
        context: EngineContext = EngineContext()
    ) async throws -> TransportResponse {
        try await context.run {
            var request = try await fileRequest(media, of: provider, upTo: limit)
            request.headers[.range] = range
            return try await transport.send(request)
        }
    }

    private func fileRequest(
        _ media: Media, of provider: ProviderID, upTo limit: Int
    ) async throws -> TransportRequest {
        let provider = try await providers.provider(named: provider.description)
        let source = DownloadSource(
            provider.manifest, instance: provider.server, credentials: try await provider.fileCredentials())
        var request = TransportRequest(
            url: media.url, scope: source.mediaScope, credentials: source.credentials(for: media.url), bodyLimit: limit)
        try request.addFileHeaders(media.headers)
        return request
    }

    private func load(_ media: Media, of provider: ProviderID, upTo limit: Int) async throws -> ImageData {
        if isSample {
            let sample = SamplePicture(for: media.url.description, width: media.width, height: media.height)
            return ImageData(bytes: sample.bytes, format: "png", width: sample.columns, height: sample.rows)
        }
        let response = try await transport.send(try await fileRequest(media, of: provider, upTo: limit))
        guard response.status == 200 else {
            throw EngineError(
                .status(response.status), url: media.url,
                message: "\(media.url.origin) answered with status \(response.status) (expected 200)")
        }
        do throws(DownloadError) {
            let check = try ImageCheck(BytesContent(response.body), of: media, kinds: [.image])
            return ImageData(
                bytes: response.body, format: check.format.rawValue, width: check.size?.width,
                height: check.size?.height)
        } catch {
            throw EngineError(
                error.code == .damaged ? .damaged : .notAnImage, url: media.url, message: error.message)
        }
    }
}

/// An image file in memory.
public struct ImageData: Hashable, Sendable {
    /// The file's bytes.
    public let bytes: [UInt8]
    /// The format by the bytes themselves, not by `Content-Type`.
    ///
    /// One of `jpeg`, `png`, `gif`, `webp`, `avif`, `heic`, `jxl`, `tiff`, `bmp`, `svg` and `ico`.
    public let format: String
    /// The width in pixels, if the file's header has it.
    public let width: Int?
    /// The height in pixels, if the file's header has it.
    public let height: Int?

    /// Creates an image file.
    package init(bytes: [UInt8], format: String, width: Int?, height: Int?) {
        self.bytes = bytes
        self.format = format
        self.width = width
        self.height = height
    }

    /// The media type to serve it with: `image/jpeg`.
    public var contentType: String {
        switch format {
        case "svg": "image/svg+xml"
        case "ico": "image/vnd.microsoft.icon"
        default: "image/\(format)"
        }
    }
}
