import HTTPTransport
import ProviderModel

@testable import Downloads

/// A provider on a loopback server, and items of it.
struct ItemSource {
    let origin: String
    var attribution: String? = "Photo by {author.name} on Example"
    var notice: String?
    var key: String?

    init(_ origin: String) { self.origin = origin }

    var source: DownloadSource {
        var manifest = ProviderManifest(id: ProviderID("example")!, name: "Example Pictures", version: "1.0.0")
        manifest.hosts = [HostPattern(origin)!]
        manifest.mediaHosts = [HostPattern(origin)!]
        manifest.terms.attribution = attribution
        manifest.terms.notice = notice
        let way = AuthenticationMethod(placement: .query([NamedValue("key", "{key}")]))
        let credentials = key.flatMap { Credentials(provider: manifest.id, methods: [way], secrets: ["key": $0]) }
        return DownloadSource(manifest, credentials: credentials)
    }

    /// The item whose file lies under `/ID.jpg`.
    func item(_ id: String, title: String? = "Red fox", ending: String = "jpg") -> Item {
        var item = Item(provider: ProviderID("example")!, id: id)
        item.title = title
        item.page = try! WebURL("https://example.com/photos/\(id)")
        item.author = Author(name: "Jean Exemple", url: try! WebURL("https://example.com/jean"))
        item.license = License(id: "cc-by-4.0", url: try! WebURL("https://creativecommons.org/licenses/by/4.0/"))
        item.tags = ["fox", "dawn"]
        item.media = [Media(role: .original, url: try! WebURL("\(origin)/\(id).\(ending)"))]
        return item
    }

    func requests(_ items: [Item]) -> [DownloadRequest] {
        items.enumerated().flatMap { try! DownloadRequest.requests(for: $1, from: source, index: $0 + 1) }
    }

    func requests(_ ids: [String]) -> [DownloadRequest] { requests(ids.map { item($0) }) }
}
