import Hummingbird
import ImgScript
import ProviderModel

/// Everything that a source says about one image.
struct DetailRoutes: Sendable {
    let engine: ImageEngine
    let pictures: PictureAddresses

    /// Answers `GET /details`.
    func details(_ request: Request, _ context: GalleryContext) async throws -> Response {
        let query = try QueryParameters(request)
        try query.check(["ref"])
        guard let reference = try query.value("ref"), !reference.isEmpty else {
            throw APIError.invalid("found no ref (expected PROVIDER:ID or a page's URL)")
        }
        let presenter = ItemPresenter(engine: engine, pictures: pictures)
        let text = try await context.untilDisconnect {
            do { return await presenter.json(try await engine.details(of: reference)) } catch { throw APIError(error) }
        }
        return Response(json: text)
    }
}
