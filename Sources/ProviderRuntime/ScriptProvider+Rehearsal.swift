import HTTPTransport
import ProviderModel
import ProviderRuntime
import WorkerProtocol

extension ScriptProvider {
    /// A provider without a file and a worker, which asks for one page and finds one image, whatever is answered.
    package static func rehearsal(over transport: any Transport) async throws -> ScriptProvider {
        let url = try WebURL("https://images.example/")
        guard let id = ProviderID("rehearsal"), let host = HostPattern("https://images.example") else {
            preconditionFailure("an id and a host that are in order")
        }
        let place = SourceLocation(file: "\(id).js")
        var manifest = ProviderManifest(id: id, name: "Rehearsal", version: "1.0.0")
        manifest.hosts = [host]
        manifest.mediaHosts = [host]
        manifest.operations = [
            OperationDescription(operation: .search, location: place, requestLocation: place, isGenerator: false)
        ]
        let pool = try WorkerPool(rehearsing: [
            .ready(WorkerStatus(sandbox: [])), .loaded(manifest), .requests([ProviderRequest(url: url)]),
            .finished(.page(Page(items: [item(at: url, of: id)], total: 1, next: .end))),
        ])
        return try await ScriptProvider(
            ProviderFile(id: id, folder: "/"), ScriptSource(file: place.file, text: ""),
            in: Environment(pool: pool, transport: transport, credentials: .none))
    }

    /// An image with what most sources say of theirs.
    private static func item(at url: WebURL, of provider: ProviderID) -> Item {
        var item = Item(provider: provider, id: "1")
        item.title = "Image"
        item.page = url
        item.tags = ["image"]
        item.author = Author(name: "Author", id: "1", url: url)
        item.stats = [Statistic(name: "views", value: 1)]
        var media = Media(role: .large, url: url)
        (media.width, media.height) = (1, 1)
        item.media = [media]
        return item
    }
}
