import Hummingbird
import ImgScript
import ProviderModel

/// Lists images, as one answer or as events: the same part of a listing in both.
struct ListingRoutes: Sendable {
    let engine: ImageEngine
    let pictures: PictureAddresses
    /// The providers that are asked when a request names none.
    let defaultProviders: [String]
    let searches: ConcurrencyLimit

    /// Answers `GET /images`.
    func images(_ request: Request, _ context: GalleryContext) async throws -> Response {
        let permit = try searches.acquire("searches")
        defer { permit.release() }
        let listing = try ListingRequest(request)
        let run = try await run(listing)
        let answer = try await context.untilDisconnect {
            var images: [JSONText] = []
            var failures: [JSONText] = []
            var providers: [JSONText] = []
            let end = try await run.read { event in
                switch event.name {
                case "image": images.append(event.data)
                case "failure": failures.append(event.data)
                case "provider": providers.append(event.data)
                default: break
                }
            }
            var json = JSONWriter()
            json.object { json in
                json.name("images")
                json.array(images) { $0.value($1) }
                json.name("next")
                json.value(end)
                json.name("providers")
                json.array(providers) { $0.value($1) }
                json.name("failures")
                json.array(failures) { $0.value($1) }
            }
            return json
        }
        return Response(json: answer)
    }

    /// Answers `GET /images/events`.
    func events(_ request: Request, _ context: GalleryContext) async throws -> Response {
        let permit = try searches.acquire("searches")
        do {
            let run = try await run(try ListingRequest(request))
            return .events(context, onEnd: { permit.release() }) { continuation in
                run.onNotice.set { continuation.yield($0) }
                let end = try await run.read { continuation.yield($0) }
                continuation.yield(
                    ServerSentEvent("end") { json in
                        json.name("next")
                        json.value(end)
                    })
            }
        } catch {
            permit.release()
            throw error
        }
    }

    private func run(_ request: ListingRequest) async throws -> ListingReader {
        let listing: Listing
        var providers = request.providers.isEmpty ? defaultProviders : request.providers
        let unknown = engine.providerNames(for: providers).filter { !engine.isInstalled($0) }
        guard unknown.isEmpty else { throw APIError.unknownProviders(unknown) }
        do {
            switch request.subject {
            case .search(let text): listing = .search(text)
            case .feed: listing = .feed
            case .collection(let reference):
                var item = try await engine.item(for: reference)
                item.type = .collection
                listing = .collection(item)
                providers = [item.provider.description]
            }
        } catch { throw APIError(error) }
        return try ListingReader(engine: engine, pictures: pictures, listing: listing, providers: providers, request)
    }
}
