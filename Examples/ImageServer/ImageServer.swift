import Hummingbird
import ImgScript

/// Searches as JSON, and small pictures, for a web page or an app.
///
/// With `--sample` it answers from recordings, without a network.
///
/// ```sh
/// swift run image-server --sample &
/// curl 'http://127.0.0.1:8080/search?q=coffee&in=pixabay'
/// ```
@main
struct ImageServer {
    /// A part of a search, and the cursor for the one after it.
    struct Part: ResponseEncodable {
        var images: [Item] = []
        var failures: [String: String] = [:]
        var next: String?
    }

    let engine: ImageEngine

    static func main() async throws {
        var configuration = ImageEngine.Configuration()
        if CommandLine.arguments.contains("--sample") { configuration.answers = .samples }
        let server = ImageServer(engine: try ImageEngine(configuration))
        let router = Router()
        router.get("search") { request, _ in try await server.search(request.uri.queryParameters) }
        router.get("thumbnail") { request, _ in try await server.thumbnail(request.uri.queryParameters) }
        let port = CommandLine.arguments.last.flatMap { Int($0) } ?? 8080
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)))
        try await application.runService()
        await server.engine.shutdown()
    }

    /// `/search?q=TEXT&in=PROVIDER,…&after=CURSOR`: a source that fails does not keep the images of the others back.
    func search(_ parameters: Parameters) async throws -> Part {
        let names = parameters["in"]?.split(separator: ",").map(String.init) ?? []
        let listing = Listing.search(String(try parameters.require("q")))
        let cursor = parameters["after"].flatMap { ListingCursor(String($0)) }
        guard cursor != nil || parameters["after"] == nil else {
            throw HTTPError(.badRequest, message: "invalid cursor")
        }
        let part: ListingPart
        do { part = try engine.part(of: listing, in: names, after: cursor) } catch {
            throw HTTPError(.badRequest, message: error.message)
        }
        var answer = Part()
        for await event in part.events {
            switch event {
            case .image(let item): answer.images.append(item)
            case .failure(let provider, let error): answer.failures[provider] = "\(error)"
            case .finished: break
            }
        }
        answer.next = part.next(leavingOut: Set(answer.failures.keys))?.description
        return answer
    }

    /// `/thumbnail?of=PROVIDER:ID`, through the engine's cache, hosts and checks.
    func thumbnail(_ parameters: Parameters) async throws -> Response {
        do {
            let item = try await engine.details(of: String(try parameters.require("of")))
            let picture = try await engine.images.thumbnail(of: item)
            return Response(
                status: .ok, headers: [.contentType: picture.contentType],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: picture.bytes)))
        } catch let error as ProviderError {
            throw HTTPError(error.code == .notFound ? .notFound : .badGateway, message: error.message)
        }
    }
}
