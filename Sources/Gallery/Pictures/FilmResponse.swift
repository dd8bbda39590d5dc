import Downloads
import HTTPTransport
import Hummingbird
import ImgScript
import ProviderModel

/// The answer to a request for a film: one part of it, so that no film is held in memory.
struct FilmResponse {
    /// The most bytes of a part; a browser asks for the next one by itself.
    static let partLimit = 2 << 20
    /// The most bytes of a film whose server has no ranges.
    static let wholeLimit = 64 << 20
    /// The types that browsers play, by their formats.
    static let types = ["mp4": "video/mp4", "mov": "video/mp4", "webm": "video/webm", "ogv": "video/ogg"]

    private let range: ByteRange?

    /// The name to save it under; nil to play it.
    private let download: String?

    init(_ request: Request, _ download: String?) {
        range = request.headers[.range].flatMap(ByteRange.init)
        self.download = download
    }

    /// A film of a provider.
    func response(
        of media: Media, from provider: ProviderID, _ engine: ImageEngine, _ context: GalleryContext
    ) async throws -> Response {
        let field = range?.field(upTo: Self.partLimit)
        let answer = try await context.untilDisconnect {
            do {
                return try await engine.images.part(of: media, from: provider, range: field, upTo: Self.wholeLimit)
            } catch { throw APIError(error) }
        }
        let type = try Self.type(of: media, answer)
        switch answer.status {
        case 206:
            guard let place = answer.headers[.contentRange] else { break }
            return part(answer.body, place, type)
        case 200: return try response(of: BytesContent(answer.body), type)
        case 416: throw Self.unsatisfied(answer.headers[.contentRange])
        default: break
        }
        throw APIError(
            answer.status == 404 || answer.status == 410 ? .notFound : .badGateway, "status",
            "\(media.url.origin) answered with status \(answer.status) (expected 206)")
    }

    /// A film of a file that is here.
    func response(of content: some FileContent, _ type: String) throws -> Response {
        let length = content.count
        guard let range else {
            let bytes = try content.bytes(at: 0, count: min(length, Self.wholeLimit))
            guard bytes.count == length else {
                throw APIError(
                    .contentTooLarge, "tooLarge", "the film has \(length) bytes (expected a request for a part of it)")
            }
            return Response(
                status: .ok,
                headers: [.contentType: type, .acceptRanges: "bytes", .contentDisposition: disposition(type)],
                body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
        }
        guard let bounds = range.bounds(of: length, upTo: Self.partLimit) else {
            throw Self.unsatisfied("bytes */\(length)")
        }
        let bytes = try content.bytes(at: bounds.lowerBound, count: bounds.count)
        return part(bytes, "bytes \(bounds.lowerBound)-\(bounds.upperBound - 1)/\(length)", type)
    }

    private func disposition(_ type: String) -> String {
        let ending = type.split(separator: "/").last.map { $0 == "ogg" ? "ogv" : String($0) } ?? ""
        return download.map { PictureRoutes.attachment($0, ending) } ?? "inline"
    }

    private func part(_ bytes: [UInt8], _ place: String, _ type: String) -> Response {
        Response(
            status: .partialContent,
            headers: [
                .contentType: type, .contentRange: place, .acceptRanges: "bytes",
                .contentDisposition: disposition(type),
            ],
            body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    private static func unsatisfied(_ place: String?) -> APIError {
        var error = APIError(.rangeNotSatisfiable, "range", "the film has no bytes there")
        error.headers[.contentRange] = place
        return error
    }

    /// Only ever the type of a film, whatever the source calls it: a page is not shown as one.
    private static func type(of media: Media, _ answer: TransportResponse) throws(APIError) -> String {
        let said = answer.headers[.contentType]?.split(separator: ";").first.map { $0.trimmingSpaces.lowercased() }
        let ending = media.url.path.split(separator: ".").last.map { $0.lowercased() }
        let format = media.format?.lowercased() ?? ending
        guard let type = format.flatMap({ types[$0] }) ?? types.values.first(where: { $0 == said }) else {
            throw APIError(.unsupportedMediaType, "unsupportedType", "\(said ?? "the file") is not played")
        }
        return type
    }
}
