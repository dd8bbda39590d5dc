import Downloads
import HTTPTransport
import ProviderModel
import ProviderRuntime

/// Loads image files as data: through the engine's cache, within the provider's media hosts, checked to be images.
///
/// For what is shown, such as thumbnails. Files that are kept are downloaded.
public struct ImageLoader: Sendable {
    private let transport: any Transport
    private let providers: LoadedProviders

    init(transport: any Transport, providers: LoadedProviders) {
        self.transport = transport
        self.providers = providers
    }

    /// Returns a file of an item.
    ///
    /// - Parameters:
    ///   - media: one of the item's files.
    ///   - limit: the most bytes it may have, decompressed.
    /// - Throws: ``ImageLoaderError`` for what is no whole image, and `TransportError` for what cannot be fetched: a host
    ///   that the provider does not list, a private address, a file over the limit.
    public func data(for media: Media, of item: Item, upTo limit: Int = 20 << 20) async throws -> ImageData {
        try await data(for: media, of: item.provider, upTo: limit)
    }

    /// Returns a file that a provider has listed.
    ///
    /// - Parameter limit: the most bytes it may have, decompressed.
    /// - Throws: as ``data(for:of:upTo:)-(_,Item,_)`` does.
    public func data(for media: Media, of provider: ProviderID, upTo limit: Int = 20 << 20) async throws -> ImageData {
        let provider = try await providers.provider(named: provider.description)
        let source = DownloadSource(
            provider.manifest, instance: provider.server, credentials: try await provider.fileCredentials())
        var request = TransportRequest(
            url: media.url, scope: source.mediaScope, credentials: source.credentials(for: media.url), bodyLimit: limit)
        try request.addFileHeaders(media.headers)
        let response = try await transport.send(request)
        guard response.status == 200 else {
            throw ImageLoaderError(
                .status(response.status), url: media.url,
                message: "\(media.url.origin) answered with status \(response.status) (expected 200)")
        }
        do throws(DownloadError) {
            let check = try ImageCheck(LoadedContent(all: response.body), of: media)
            return ImageData(
                bytes: response.body, format: check.format.rawValue, width: check.size?.width,
                height: check.size?.height)
        } catch {
            throw ImageLoaderError(
                error.code == .damaged ? .damaged : .notAnImage, url: media.url, message: error.message)
        }
    }

    /// Returns the smallest file of an item that is at least `width` pixels wide, the largest there is for none.
    public func thumbnail(of item: Item, width: Int = 300, upTo limit: Int = 5 << 20) async throws -> ImageData {
        let known = item.media.filter { $0.width != nil }.sorted { $0.width ?? 0 < $1.width ?? 0 }
        let bySize = known.first { $0.width ?? 0 >= width }
        let byRole = item.media.first { $0.role == .thumbnail } ?? item.media.first { $0.role == .small }
        guard let media = bySize ?? byRole ?? known.last ?? item.media.first else {
            throw ImageLoaderError(.notAnImage, url: nil, message: "\(item.provider):\(item.id) has no image file")
        }
        return try await data(for: media, of: item, upTo: limit)
    }
}

private struct LoadedContent: FileContent {
    let all: [UInt8]

    var count: Int { all.count }

    func bytes(at offset: Int, count: Int) throws(DownloadError) -> [UInt8] {
        Array(all.dropFirst(max(offset, 0)).prefix(max(count, 0)))
    }
}

/// An image file in memory.
public struct ImageData: Hashable, Sendable {
    /// The file's bytes.
    public let bytes: [UInt8]
    /// What the bytes are, whatever the server calls them.
    ///
    /// One of `jpeg`, `png`, `gif`, `webp`, `avif`, `heic`, `jxl`, `tiff`, `bmp`, `svg` and `ico`.
    public let format: String
    /// In pixels, where the file says it.
    public let width: Int?
    /// In pixels, where the file says it.
    public let height: Int?

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

/// Why a file is no image that can be shown.
public struct ImageLoaderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What a caller may handle differently.
    public enum Code: Hashable, Sendable {
        /// The server answered with this status.
        case status(Int)
        /// The bytes are something else: a web page, a placeholder.
        case notAnImage
        /// The image breaks off.
        case damaged
    }

    /// What a caller may handle differently.
    public let code: Code
    /// The file.
    public let url: WebURL?
    /// What was found and what was expected.
    public let message: String

    init(_ code: Code, url: WebURL?, message: String) {
        self.code = code
        self.url = url
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
