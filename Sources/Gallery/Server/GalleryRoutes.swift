import Downloads
import Hummingbird
import ImgScript
import Logging
import ProviderModel

/// Every address of the gallery.
struct GalleryRoutes: Sendable {
    let engine: ImageEngine
    let settings: GallerySettings
    let searches: ConcurrencyLimit
    let requests: ConcurrencyLimit
    let downloads: DownloadRoutes
    private let logger: Logger
    private let metrics = RequestMetrics()
    /// The page's files; nil where programs are served.
    private let files: PageFiles?
    private let folder: GalleryFolder?

    init(engine: ImageEngine, settings: GallerySettings, folder: GalleryFolder?, logger: Logger) {
        self.folder = folder
        files = settings.token == nil ? PageFiles(folder: settings.pageFolder) : nil
        self.engine = engine
        self.logger = logger
        self.settings = settings
        searches = ConcurrencyLimit(settings.maximumSearches)
        requests = ConcurrencyLimit(settings.maximumRequests)
        downloads = DownloadRoutes(engine: engine, settings: settings)
    }

    private typealias Handler = @Sendable (Request, GalleryContext) async throws -> Response

    func router(_ policy: AccessPolicy, _ link: LinkToken?) -> Router<GalleryContext> {
        let router = Router(context: GalleryContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: MetricsMiddleware(metrics: metrics, logger: logger))
        router.add(middleware: AccessMiddleware(policy: policy, link: link, files: files))
        router.add(middleware: RequestMiddleware(requests: requests, logger: logger))
        let addresses = PictureAddresses()
        addPage(to: router)
        addListings(to: router, addresses)
        let library = DownloadLibrary(folder: settings.downloadFolder)
        let pictures = PictureRoutes(
            engine: engine, addresses: addresses, library: library, isSample: settings.isSample)
        Self.add("\(PictureAddresses.root)/:name", [.get: pictures.picture], to: router)
        addDownloads(to: router)
        addLibrary(library, to: router, addresses)
        addService(to: router)
        return router
    }

    private func addPage(to router: Router<GalleryContext>) {
        // Programs are served the API alone.
        guard let files else { return }
        Self.add("/", [.get: { request, _ in try files.file(named: "index.html", request) }], to: router)
        let asset: Handler = { request, context in
            try files.file(named: context.parameters.get("name") ?? "", request)
        }
        Self.add("/assets/:name", [.get: asset], to: router)
        Self.add("/page/downloads/:id/folder", [.post: downloads.openFolder], to: router)
        guard let folder else { return }
        let store = PageStore(folder: folder.path)
        Self.add("/page/store", [.get: store.all], to: router)
        Self.add("/page/store/:name", [.put: store.set], to: router)
    }

    private func addListings(to router: Router<GalleryContext>, _ addresses: PictureAddresses) {
        let listings = ListingRoutes(
            engine: engine, pictures: addresses, defaultProviders: settings.defaultProviders, searches: searches)
        let providers = ProviderRoutes(engine: engine, settings: settings)
        Self.add("/api/v1/providers", [.get: providers.providers], to: router)
        Self.add("/api/v1/images", [.get: listings.images], to: router)
        Self.add("/api/v1/images/events", [.get: listings.events], to: router)
        let details = DetailRoutes(engine: engine, pictures: addresses)
        Self.add("/api/v1/details", [.get: details.details], to: router)
    }

    private func addDownloads(to router: Router<GalleryContext>) {
        let downloads = downloads
        Self.add("/api/v1/downloads", [.get: downloads.list, .post: downloads.start], to: router)
        Self.add("/api/v1/downloads/:id", [.get: downloads.state, .delete: downloads.cancel], to: router)
        Self.add("/api/v1/downloads/:id/again", [.post: downloads.again], to: router)
        Self.add("/api/v1/downloads/:id/events", [.get: downloads.events], to: router)
    }

    private func addLibrary(
        _ library: DownloadLibrary, to router: Router<GalleryContext>, _ addresses: PictureAddresses
    ) {
        let routes = LibraryRoutes(library: library, pictures: addresses)
        Self.add("/api/v1/library", [.get: routes.images], to: router)
        Self.add("/api/v1/library/events", [.get: routes.events], to: router)
        Self.add("/api/v1/library/duplicates", [.get: routes.duplicates], to: router)
        Self.add("/api/v1/library/files/:id", [.get: routes.file, .delete: routes.remove], to: router)
    }

    private func addService(to router: Router<GalleryContext>) {
        let keys = KeyRoutes(engine: engine)
        Self.add("/api/v1/keys/:provider", [.put: keys.set, .delete: keys.remove], to: router)
        Self.add("/api/v1/health", [.get: { _, _ in Self.health }], to: router)
        let (metrics, searches, requests, downloads) = (metrics, searches, requests, downloads)
        let text: Handler = { _, _ in
            let text = metrics.text(searches: searches, requests: requests, downloads: downloads.runningCount)
            return Response(
                status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
                body: .init(byteBuffer: ByteBuffer(string: text)))
        }
        Self.add("/api/v1/metrics", [.get: text], to: router)
        let description: Handler = { _, _ in
            Response(json: JSONText(validated: String(decoding: PackageResources.openapi_json, as: UTF8.self)))
        }
        Self.add("/api/v1/openapi.json", [.get: description], to: router)
    }

    private static var health: Response {
        var json = JSONWriter()
        json.object { json in
            json.member("status", "ok")
            json.member("version", ImageEngine.version)
        }
        return Response(json: json)
    }

    /// Adds an address: HEAD beside GET, and an answer that says what is taken for every other method.
    private static func add(
        _ path: RouterPath, _ handlers: [HTTPRequest.Method: Handler], to router: Router<GalleryContext>
    ) {
        for (method, handler) in handlers { router.on(path, method: method, use: handler) }
        // The router answers HEAD wherever it answers GET (RFC 9110 §9.1).
        let supported = Set(handlers.keys).union(handlers[.get] == nil ? [] : [.head])
        let allowed = supported.map(\.rawValue).sorted().joined(separator: ", ")
        for method in methods where !supported.contains(method) {
            router.on(path, method: method) { _, _ -> Response in
                throw APIError(
                    .methodNotAllowed, "method", "\(method.rawValue) is not supported here (expected \(allowed))",
                    headers: [.allow: allowed])
            }
        }
    }

    private static let methods: [HTTPRequest.Method] = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect, .init("QUERY")!,
    ]
}
